/**
 * KV refuses every write, for an hour or for more than a day: ticks go on, and afterwards everything is readable. Real
 * Worker, real sockets; the refusals are put between the Ledger and KV.
 */
import { describe, expect, test } from "vitest";
import { freshSimulator, requestsDuring, startPlaying } from "./support/playing.ts";
import { incidentsOf, sampleCounts, statusOf } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS } from "./support/world.ts";

const simulator = await freshSimulator();
const PLAYING = { good: ["healthy"], bad: ["envelope_5000"] };

describe("KV that refuses every write for an hour", () => {
  test.each([
    ["the quota of the day", "KV put() limit exceeded for the day."],
    ["a write a second", "KV PUT failed: 429 Too Many Requests"],
  ])("%s: ticks go on, and afterwards everything is readable", async (_what, words) => {
    let refusing = false;
    let refused = 0;
    const onStep = ({ name }: { name: string }): string => {
      if (name !== "put:before" || !refusing) return "go";
      refused += 1;
      return words;
    };
    const of = await startPlaying(simulator, PLAYING, { onStep });
    await of.tick(of.startMs);
    refusing = true;
    for (let minute = 1; minute <= 60; minute += 1) {
      const tick = () => of.tick(of.startMs + minute * MINUTE_MS);
      const requests = await requestsDuring(simulator, "good", tick);
      expect([minute, requests]).toEqual([minute, 1]);
    }
    expect(refused).toBeGreaterThan(30);
    expect((await statusOf(of)).stale).toBe(true);
    refusing = false;
    await of.tick(of.startMs + 61 * MINUTE_MS);
    await of.publish();
    expect(await sampleCounts(of)).toEqual({ "bad/models": 62, "good/models": 62 });
    expect((await statusOf(of)).stale).toBe(false);
    expect((await incidentsOf(of)).map(({ incident }) => incident.gateway)).toEqual(["bad"]);
    const others = of.logs.filter((line) => !line.includes("publishing failed and is tried again"));
    const offered = others.filter((line) => line.includes("a batch was not taken and is offered again"));
    expect(others).toEqual(offered);
    // On a busy machine a call of the Ledger may take too long.
    expect(offered.length).toBeLessThanOrEqual(2);
  });
});

describe("KV that refuses every write for more than a day", () => {
  test("nothing is forgotten until KV has it", async () => {
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
});
