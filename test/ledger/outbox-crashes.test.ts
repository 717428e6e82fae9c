/** Crash points: the outbox is killed there, and nothing is lost. */
import { expect, test } from "vitest";
import { rounds, seedOf } from "../extent.ts";
import { surviveCrashes } from "../fixtures/outbox-crashes.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

const POINTS = rounds(20, 1000);
const SEED = seedOf("crashes of the outbox");
const CRASHES_A_LIFE = 5;

test(`killed at ${POINTS} random points, every event arrives, with one id, in order, and none is lost (seed ${SEED})`, async () => {
  let [crashes, repeats, lives] = [0, 0, 0];
  for (; crashes < POINTS; lives += 1) {
    const storage = sqliteStorage();
    const survived = await surviveCrashes(storage, SEED + lives, Math.min(CRASHES_A_LIFE, POINTS - crashes));
    expect(survived.faults, `seed ${SEED + lives}`).toEqual([]);
    expect([storage.count("alert"), storage.count("undelivered")]).toEqual([1, 0]);
    crashes += survived.crashes;
    repeats += survived.repeats;
  }
  console.log(`${crashes} crashes in ${lives} lives, ${repeats} events came again, seed ${SEED}`);
  expect(repeats).toBeGreaterThan(0);
});
