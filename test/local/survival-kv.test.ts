/** KV refuses every write for more than a day, and afterwards everything is readable. Real Worker, Ledger, KV and sockets. */
import { expect, test } from "vitest";
import { freshSimulator, startPlaying } from "./support/playing.ts";
import { sampleCounts } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS } from "./support/world.ts";

const simulator = await freshSimulator();
const PLAYING = { good: ["healthy"], bad: ["envelope_5000"] };

test("what KV refuses for more than a day is forgotten no sooner than KV has it", async () => {
  let refusing = false;
  const onStep = ({ name }: { name: string }): string =>
    name === "put:before" && refusing ? "KV put() limit exceeded for the day." : "go";
  const monitors = [{ kind: "models" as const, every: "20m" }];
  const gateways = ["good", "bad"].map((id) => ({
    id,
    baseUrl: simulator.named(id),
    apiKey: "KEY",
    monitors,
  }));
  const of = await startPlaying(simulator, PLAYING, { gateways, onStep });
  // What is older than a day is forgotten as soon as the clock has run evenly for one.
  const [evenlyUntil, refusedUntil, end] = [26 * 60, 56 * 60, 60 * 60];
  for (let minute = 0; minute < end; minute += 20) {
    refusing = minute >= evenlyUntil && minute < refusedUntil;
    await of.tick(of.startMs + minute * MINUTE_MS);
  }
  await of.publish();
  const ticks = end / 20;
  expect(await sampleCounts(of)).toEqual({ "bad/models": ticks, "good/models": ticks });
  const route = "/api/v1/gateways/good/monitors/models/history";
  const from = new Date(of.startMs - HOUR_MS).toISOString();
  const found: string[] = [];
  for (let next: string | null = from; next !== null;) {
    const { json } = await of.get(`${route}?step=probe&from=${next}`);
    found.push(...json.points.map(({ at }: { at: string }) => at));
    next = json.next;
  }
  expect(found).toHaveLength(ticks);
});
