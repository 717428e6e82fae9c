/** Readers ask for everything while ticks record and publish. The real Worker, Ledger and KV in workerd, real sockets. */
import { expect, test } from "vitest";
import { alertingHouse } from "./support/alerting.ts";
import { everyAnswer } from "./support/everything.ts";
import { sampleCounts } from "./support/readings.ts";
import { MINUTE_MS } from "./support/world.ts";

const { start } = await alertingHouse();

const TICKS = 10;

test("while ticks run, every address is answered as it should be, and each probe is recorded once", async () => {
  const world = await start({ good: ["healthy"], bad: ["envelope_5000"] }, {});
  const ticks = async (from: number, to: number): Promise<void> => {
    for (let minute = from; minute < to; minute += 1) await world.tick(world.startMs + minute * MINUTE_MS);
  };
  await ticks(0, 2);
  await world.publish();

  const isOver = { yet: false };
  const read = async (): Promise<number> => {
    let rounds = 0;
    for (; !isOver.yet; rounds += 1) await everyAnswer(world, ["good/models", "bad/models"], null);
    return rounds;
  };
  const readers = Promise.all([read(), read()]);
  await ticks(5, 5 + TICKS);
  await world.publish();
  isOver.yet = true;
  expect(Math.min(...(await readers))).toBeGreaterThan(0);
  expect(await sampleCounts(world)).toEqual({ "bad/models": 2 + TICKS, "good/models": 2 + TICKS });
});
