/** Crash points: 100 in an ordinary run, or `CRASH_POINTS`; from `CRASH_SEED`, or one of its own. */
import { expect, test } from "vitest";
import { surviveCrashes } from "../fixtures/outbox-crashes.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

const POINTS = Number(process.env["CRASH_POINTS"] ?? "100");
const SEED = Number(process.env["CRASH_SEED"] ?? Math.floor(Math.random() * 1e9));
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
