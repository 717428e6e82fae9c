/** Ticks that come twice or overlap, and what is published between them; KV that refuses every write for more than a day. Real Worker, real sockets. */
import { expect, test } from "vitest";
import { freshSimulator, hangingIn, type Playing, requestsDuring, startPlaying } from "./support/playing.ts";
import { monitorOf, sampleCounts, samplesOf, statusOf } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS, type Order, type Step, type WorldOptions } from "./support/world.ts";

const simulator = await freshSimulator();
const watching = (playing: Playing, over: Partial<WorldOptions> = {}) =>
  startPlaying(simulator, playing, over);

test("a tick that fires twice, at once after itself or minutes later, probes once", async () => {
  const { tick, startMs, fire } = await watching({ good: ["healthy"] });
  const asked = (act: () => Promise<void>) => requestsDuring(simulator, "good", act);
  expect(await asked(() => tick(startMs))).toBe(1);
  expect(await asked(() => fire(startMs))).toBe(0);
  for (const minute of [1, 2, 3]) expect(await asked(() => tick(startMs + minute * MINUTE_MS))).toBe(1);
  expect(await asked(() => fire(startMs + MINUTE_MS))).toBe(0);
});

test("a tick that fires twice at the same time probes once", async () => {
  const { setClock, startMs, fire } = await watching({ good: ["delay_50"], other: ["delay_20"] });
  await setClock(startMs);
  const both = () => Promise.all([fire(startMs), fire(startMs), fire(startMs)]);
  expect(await requestsDuring(simulator, "good", both)).toBe(1);
  expect(simulator.requests).toHaveLength(2);
});

test("while a tick takes longer than a minute, the next leaves its gateway alone and probes the others", async () => {
  const holding = { isOn: true };
  let recorded = 0;
  const onStep = ({ name }: Step): Order => {
    if (name === "record:after") recorded += 1;
    return "go";
  };
  // As in the scenarios, but nobody's time runs out before.
  const hangsBy = hangingIn(simulator);
  const hangs: WorldOptions["hangs"] = (path, sinceMs) => !holding.isOn && hangsBy(path, sinceMs);
  const of = await watching({ slow: ["no_answer"], good: ["any_key"] }, { hangs, onStep });
  await of.setClock(of.startMs);
  const long = of.fire(of.startMs);
  await expect.poll(() => recorded).toBe(1);
  await of.setClock(of.startMs + MINUTE_MS);
  expect(await requestsDuring(simulator, "good", () => of.fire(of.startMs + MINUTE_MS))).toBe(1);
  expect(simulator.requests).toHaveLength(3);
  holding.isOn = false;
  await long;
  await of.publish();
  expect(await monitorOf(of, "slow/models")).toMatchObject({
    diagnosis: { cause: "timeout" },
    lastProbe: { attempts: 1, latencyMs: 30_000 },
  });
  expect(await samplesOf(of, "good/models")).toHaveLength(2);
});

test("news between two publishes are published by the Ledger's alarm, without another tick", async () => {
  const of = await watching({ fast: ["healthy"], slow: ["delay_300"] }, { stands: false });
  await of.tick(of.startMs);
  await expect.poll(async () => (await statusOf(of)).summary).toMatchObject({ up: 2 });
});

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
  const of = await watching({ good: ["healthy"], bad: ["envelope_5000"] }, { gateways, onStep });
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
