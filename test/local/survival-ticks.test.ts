/**
 * Ticks that come twice, at once, too early, too late or at a wrong time, and what happens between them: waits that a
 * gateway asks for, keys that are refused, gateways that change. Real Worker, real sockets.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { type Playing, requestsDuring, startPlaying } from "./support/playing.ts";
import { incidentsOf, monitorOf, samplesOf, statusOf } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS, type World, type WorldOptions } from "./support/world.ts";

/** How long to wait for what comes by itself. */
const POLL = { timeout: 20_000 };

let simulator: Simulator;
let world: World | null = null;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(async () => {
  await world?.stop();
  world = null;
  simulator.clear();
});
afterAll(() => simulator.close());

async function watching(playing: Playing, over: Partial<WorldOptions> = {}): Promise<World> {
  world = await startPlaying(simulator, playing, over);
  return world;
}

/** The minutes, counted from the first tick, in which each gateway was asked anything. */
async function askedInMinutes(of: World, minutes: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const asked = new Map<string, number[]>();
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = simulator.requests.length;
    await of.tick(of.startMs + minute * MINUTE_MS);
    const gateways = new Set(
      simulator.requests.slice(before).map(({ gateway }) => gateway.slice("g/".length)),
    );
    for (const gateway of gateways) asked.set(gateway, [...(asked.get(gateway) ?? []), minute]);
  }
  return asked;
}

describe("a tick that fires more than once", () => {
  test("the same tick twice, one after the other, probes once", async () => {
    const { tick, startMs, fire } = await watching({ good: ["healthy"] });
    expect(await requestsDuring(simulator, "good", () => tick(startMs))).toBe(1);
    expect(await requestsDuring(simulator, "good", () => fire(startMs))).toBe(0);
    expect(await requestsDuring(simulator, "good", () => tick(startMs + MINUTE_MS))).toBe(1);
  });

  test("the same tick twice at the same time probes once", async () => {
    const { setClock, startMs, fire } = await watching({ good: ["delay_50"], other: ["delay_20"] });
    await setClock(startMs);
    const both = () => Promise.all([fire(startMs), fire(startMs), fire(startMs)]);
    expect(await requestsDuring(simulator, "good", both)).toBe(1);
    expect(simulator.requests).toHaveLength(2);
  });

  test("the same tick again minutes later, when its twin is long over, probes nothing", async () => {
    const { tick, fire, startMs } = await watching({ good: ["healthy"] });
    for (const minute of [0, 1, 2, 3]) await tick(startMs + minute * MINUTE_MS);
    expect(await requestsDuring(simulator, "good", () => fire(startMs + MINUTE_MS))).toBe(0);
  });

  test("a tick that comes after its successor does no harm", async () => {
    const of = await watching({ good: ["healthy"] });
    await of.tick(of.startMs + MINUTE_MS);
    await of.fire(of.startMs);
    await of.tick(of.startMs + 2 * MINUTE_MS);
    await of.publish();
    expect((await statusOf(of)).lastTickAt).toBe(new Date(of.startMs + 2 * MINUTE_MS).toISOString());
    expect(await samplesOf(of, "good/models")).toHaveLength(2);
  });
});

describe("ticks that overlap", () => {
  test("two different ticks at once never probe one gateway twice at once", async () => {
    const of = await watching({ good: ["delay_50"], other: ["delay_50"] });
    await of.setClock(of.startMs);
    await Promise.all([of.fire(of.startMs), of.fire(of.startMs + MINUTE_MS)]);
    expect(simulator.requests.map(({ gateway }) => gateway).sort()).toEqual(["g/good", "g/other"]);
    await of.publish();
    expect((await statusOf(of)).summary).toMatchObject({ up: 2 });
  });

  test("while a tick takes longer than a minute, the next leaves its gateway alone and probes the others", async () => {
    const of = await watching({ slow: ["rate_limited_30"], good: ["any_key"] });
    const slowRequests = () => simulator.requests.filter(({ gateway }) => gateway === "g/slow").length;
    await of.setClock(of.startMs);
    const long = of.fire(of.startMs);
    await expect.poll(of.nowMs, POLL).toBeGreaterThan(of.startMs + MINUTE_MS);
    expect(slowRequests()).toBeLessThan(4);
    expect(await requestsDuring(simulator, "good", () => of.fire(of.startMs + MINUTE_MS))).toBe(1);
    await long;
    expect(await of.nowMs()).toBeGreaterThan(of.startMs + 90_000);
    await of.publish();
    expect(slowRequests()).toBe(4);
    expect(await monitorOf(of, "slow/models")).toMatchObject({
      status: "degraded",
      lastProbe: { attempts: 4, waitedMs: 90_000 },
    });
    expect(await samplesOf(of, "good/models")).toHaveLength(2);
  });
});

describe("many gateways that keep others waiting", () => {
  /** As many as fill all lanes for minutes: some hang every other time, some answer after 9.5 virtual seconds. */
  const moody = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? "no_answer" : "healthy"));
  const holding = Object.fromEntries([
    ...Array.from({ length: 30 }, (_, n) => [`a${n}`, moody]),
    ...Array.from({ length: 12 }, (_, n) => [`b${n}`, ["delay_190"]]),
  ]);

  test("keep a good one waiting once, before they are known", async () => {
    const of = await watching({ ...holding, good: ["healthy"] });
    const fired: Promise<void>[] = [];
    const asked: number[] = [];
    await of.setClock(of.startMs);
    for (let minute = 0; minute < 8; minute += 1) {
      const dueMs = of.startMs + minute * MINUTE_MS;
      await expect.poll(of.nowMs, { ...POLL, interval: 10 }).toBeGreaterThanOrEqual(dueMs);
      fired.push(of.fire(dueMs));
    }
    await Promise.all(fired);
    await of.publish();
    for (const { atMs } of await samplesOf(of, "good/models"))
      asked.push(Math.floor((atMs - of.startMs) / MINUTE_MS));
    // Before anything is known of any of them, five full rounds of six lanes and 30 s may come before it.
    const first = asked[0] ?? Number.POSITIVE_INFINITY;
    expect(first).toBeLessThanOrEqual(3);
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(first));
  });
});

describe("waits between ticks", () => {
  const REFUSED = {
    authentication: "unauthorized_invalid",
    insufficient_balance: "balance_402",
    quota_exceeded: "quota_429",
    permission_denied: "forbidden_json",
  };
  const playing = Object.fromEntries(
    Object.entries(REFUSED).map(([cause, scenario]) => [cause.replaceAll("_", "-"), [scenario]]),
  );

  test("an hour of Retry-After: 3600, and refusals of every kind, at every minute", async () => {
    const of = await watching({ busy: ["rate_limited_3600"], ...playing });
    const asked = await askedInMinutes(of, 64);

    const busy = asked.get("busy") ?? [];
    expect(busy).toHaveLength(2);
    expect(busy[0]).toBe(0);
    // An hour after the answer, which came a little after the tick.
    expect([60, 61]).toContain(busy[1]);

    const intervalsOf = (gateway: string): readonly number[] => {
      const minutes = asked.get(gateway) ?? [];
      return minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0));
    };
    for (const gateway of Object.keys(playing)) {
      expect([gateway, ...intervalsOf(gateway)]).toEqual([gateway, 2, 4, 8, 15, 15, 15]);
    }
    await of.publish();
    expect(await monitorOf(of, "busy/models")).toMatchObject({ status: "degraded" });
  });

  test("the wait is not `unknown`: the last verdict stands all the while", async () => {
    const of = await watching({ busy: ["rate_limited_3600"] });
    await askedInMinutes(of, 40);
    await of.publish();
    const { status, diagnosis, nextProbeAt } = await monitorOf(of, "busy/models");
    expect([status, diagnosis?.cause]).toEqual(["degraded", "rate_limited"]);
    expect(Date.parse(nextProbeAt ?? "")).toBeGreaterThanOrEqual(of.startMs + HOUR_MS);
  });

  test("a changed key is tried at once, on the same storage", async () => {
    const persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    try {
      const refused = await watching(
        { "the-gateway": ["healthy"] },
        { persistDir, secrets: { KEY: "sk-old" } },
      );
      const { startMs } = refused;
      expect((await askedInMinutes(refused, 12)).get("the-gateway") ?? []).toEqual([0, 2, 6]);
      await refused.stop();
      const later = { persistDir, startMs: startMs + 12 * MINUTE_MS };
      const same = await watching({ "the-gateway": ["healthy"] }, { ...later, secrets: { KEY: "sk-old" } });
      expect((await askedInMinutes(same, 1)).get("the-gateway") ?? []).toEqual([]);
      await same.stop();
      const mended = await watching(
        { "the-gateway": ["healthy"] },
        { ...later, startMs: later.startMs + MINUTE_MS },
      );
      expect((await askedInMinutes(mended, 3)).get("the-gateway") ?? []).toEqual([0, 1, 2]);
      await mended.publish();
      expect(await monitorOf(mended, "the-gateway/models")).toMatchObject({ status: "up" });
    } finally {
      await rm(persistDir, { recursive: true, force: true });
    }
  });
});

describe("a gateway that worked until it changed", () => {
  const CHANGES = [
    ["html", "html_200", "wrong_url"],
    ["redirect", "redirect_302", "wrong_url"],
    ["page-404", "not_found_html", "wrong_url"],
    ["json-404", "not_found_json", "not_found"],
    ["refuses-400", "bad_request", "malformed_request"],
  ] as const;

  test("to HTML, a redirect, 404 or 400: an outage, not the caller's fault", async () => {
    const of = await watching(
      Object.fromEntries(CHANGES.map(([id, scenario]) => [id, ["healthy", scenario]])),
    );
    for (const minute of [0, 1, 2]) await of.tick(of.startMs + minute * MINUTE_MS);
    await of.publish();
    for (const [id, , cause] of CHANGES) {
      const { status, diagnosis } = await monitorOf(of, `${id}/models`);
      expect([id, status, diagnosis?.cause, diagnosis?.owner, diagnosis?.health]).toEqual([
        id,
        "down",
        cause,
        "operator",
        "down",
      ]);
    }
    const told = (await incidentsOf(of)).map(({ incident }) => [incident.gateway, incident]);
    expect(Object.fromEntries(told)).toMatchObject(
      Object.fromEntries(CHANGES.map(([id]) => [id, { owner: "operator", health: "down" }])),
    );
    expect(told).toHaveLength(CHANGES.length);
  });

  test("one that never worked under this address is the caller's to mend", async () => {
    const of = await watching({ wrong: ["html_200"] });
    await of.tick(of.startMs);
    await of.publish();
    expect(await monitorOf(of, "wrong/models")).toMatchObject({
      status: "blocked",
      diagnosis: { cause: "wrong_url", owner: "caller" },
    });
  });

  test("all gateways out of reach in one tick is the monitoring's own trouble", async () => {
    const unreachable = [
      { id: "a", baseUrl: simulator.baseUrl("refused"), apiKey: "KEY" },
      { id: "b", baseUrl: simulator.baseUrl("unresolvable"), apiKey: "KEY" },
    ];
    const of = await watching({}, { gateways: unreachable });
    for (const minute of [0, 1, 2]) await of.tick(of.startMs + minute * MINUTE_MS);
    await of.publish();
    expect((await statusOf(of)).summary).toMatchObject({ unknown: 2, down: 0 });
    expect((await incidentsOf(of)).map(({ incident }) => incident.gateway)).toEqual([null]);
  });
});

describe("news between two publishes", () => {
  test("are published by the Ledger's alarm, without another tick", async () => {
    const of = await watching({ fast: ["healthy"], slow: ["delay_300"] });
    await of.tick(of.startMs);
    await expect.poll(async () => (await statusOf(of)).summary, POLL).toMatchObject({ up: 2 });
  });
});
