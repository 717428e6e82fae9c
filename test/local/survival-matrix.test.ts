/**
 * Every answer that must be survived, given by the simulated gateway over real sockets to the real Worker in workerd,
 * one gateway a scenario and all of them in one tick. What readers then see is compared with two tables: the contract's
 * own (support/contract.ts) and the simulator's.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { SCENARIOS } from "../../src/local/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { ANY_LAYER, CONTRACT } from "./support/contract.ts";
import { incidentsOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const PLAYED = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);
const gatewayOf = (scenario: string): string => scenario.replaceAll("_", "-");
const monitorIdOf = (scenario: string): string => `${gatewayOf(scenario)}/models`;

let simulator: Simulator;
let world: World;
/** After the first tick, and after a second one ten minutes later. */
let first: StatusDocument;
let second: StatusDocument;
const requestsByTick: ReadonlyMap<string, number>[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
  world = await startWorld({
    speed: 20,
    secrets: { SIMULATED_API_KEY: SIMULATOR_KEYS.good },
    gateways: PLAYED.map(({ name }) => ({
      id: gatewayOf(name),
      baseUrl: simulator.baseUrl(name),
      apiKey: "SIMULATED_API_KEY",
    })),
  });
  first = await tickAndRead(world.startMs);
  second = await tickAndRead(world.startMs + 10 * MINUTE_MS);
});
afterAll(async () => {
  await world.stop();
  await simulator.close();
});

async function tickAndRead(atMs: number): Promise<StatusDocument> {
  const before = simulator.requests.length;
  await world.tick(atMs);
  const sent = Map.groupBy(simulator.requests.slice(before), ({ scenario }) => scenario ?? "none");
  requestsByTick.push(new Map([...sent].map(([name, requests]) => [name, requests.length])));
  await world.publish();
  return statusOf(world);
}

function monitorIn(status: StatusDocument, scenario: string): MonitorDocument {
  const gateway = status.gateways.find(({ id }) => id === gatewayOf(scenario));
  const [monitor] = gateway?.monitors ?? [];
  if (monitor === undefined) throw new Error(`no monitor plays ${scenario}`);
  return monitor;
}

function verdictIn(status: StatusDocument, scenario: string) {
  const { diagnosis, status: health, lastProbe, modelCount } = monitorIn(status, scenario);
  return {
    cause: diagnosis?.cause,
    owner: diagnosis?.owner,
    health,
    attempts: lastProbe?.attempts,
    httpStatus: diagnosis?.httpStatus,
    afterSeconds: diagnosis?.retry.afterSeconds,
    modelCount,
  };
}

describe("by the contract", () => {
  test.each(CONTRACT.map((promised) => [promised.item, promised] as const))("%s", (_item, promised) => {
    const { scenario } = promised;
    const { diagnosis, status, lastProbe } = monitorIn(first, scenario);
    expect(diagnosis).toMatchObject({
      ok: promised.cause === "ok",
      cause: promised.cause,
      owner: promised.owner,
      health: promised.health,
      httpStatus: promised.httpStatus,
      retry: { allowed: promised.retryAllowed, afterSeconds: promised.afterSeconds },
      ...(ANY_LAYER.has(scenario) ? {} : { layer: promised.layer }),
    });
    expect(status).toBe(promised.health);
    expect(lastProbe?.attempts).toBe(promised.attempts);
    const [least, most] = promised.waitedMs;
    expect(lastProbe?.waitedMs).toBeGreaterThanOrEqual(least);
    expect(lastProbe?.waitedMs).toBeLessThanOrEqual(most);
  });

  test("10,000 models are counted, and an empty list is a list", () => {
    expect(monitorIn(first, "ten_thousand_models").modelCount).toBe(10_000);
    expect(monitorIn(first, "models_empty").modelCount).toBe(0);
  });
});

describe("by the simulator's own expectations", () => {
  test.each(PLAYED.map((scenario) => [scenario.name, scenario.expect] as const))("%s", (name, expected) => {
    const { hangs: _hangs, ...verdict } = expected;
    expect(verdictIn(first, name)).toEqual(verdict);
  });
});

/** Played differently from the second probe on: their notes say so. */
const CHANGING: ReadonlySet<string> = new Set(["503_four_times", "429_then_quota"]);
/** Asked for more time than the ten minutes between the ticks. */
const HELD = ["rate_limited_3600", "rate_limited_huge"];

describe("the second probe", () => {
  const steady = PLAYED.filter(({ name }) => !CHANGING.has(name));
  test.each(
    steady.map(({ name, expect: { cause, owner, health } }) => [name, { cause, owner, health }] as const),
  )("%s is judged alike", (name, verdict) => {
    expect(verdictIn(second, name)).toMatchObject(verdict);
  });

  test("what failed four times and then answers is up", () => {
    expect(verdictIn(second, "503_four_times")).toMatchObject({ cause: "ok", health: "up", attempts: 1 });
  });

  test("two failures in a row are an incident, with a report; one is none", async () => {
    const failing = PLAYED.filter(({ name, expect: { health } }) => {
      return health !== "up" && name !== "503_four_times" && !HELD.includes(name);
    });
    const opened = (await incidentsOf(world)).map(({ incident }) => incident.monitors[0]);
    expect([...opened].sort()).toEqual(failing.map(({ name }) => monitorIdOf(name)).sort());
    const { incident, report } = monitorIn(second, "balance_402");
    expect((await world.get(`/api/v1/incidents/${incident}`)).json).toMatchObject({
      cause: "insufficient_balance",
      owner: "caller",
      health: "blocked",
    });
    expect((await world.get(`/api/v1/reports/${report}`)).json).toMatchObject({
      cause: "insufficient_balance",
      httpStatus: 402,
      endpoint: "$GATEWAY_BASE_URL/v1/models",
    });
  });
});

describe("nobody suffers for another", () => {
  test("both ticks ended, with a result of each gateway", async () => {
    expect([first.lastTickAt, first.putOff, first.stale]).toEqual([iso(world.startMs), 0, false]);
    expect(second.lastTickAt).toBe(iso(world.startMs + 10 * MINUTE_MS));
    const samples = await samplesByMonitor(world);
    expect(PLAYED.map(({ name }) => [name, samples.get(monitorIdOf(name))?.length])).toEqual(
      PLAYED.map(({ name }) => [name, HELD.includes(name) ? 1 : 2]),
    );
  });

  test("each gateway saw as many requests as attempts are reported", () => {
    const recorded = PLAYED.filter(({ place }) => place === "path").map(({ name }) => name);
    const reported = (status: StatusDocument) =>
      recorded.map((name) => [name, monitorIn(status, name).lastProbe?.attempts]);
    expect(recorded.map((name) => [name, requestsByTick[0]?.get(name)])).toEqual(reported(first));
    const again = recorded.filter((name) => !HELD.includes(name));
    expect(again.map((name) => [name, requestsByTick[1]?.get(name)])).toEqual(
      again.map((name) => [name, monitorIn(second, name).lastProbe?.attempts]),
    );
  });

  test("the host that redirects lead to saw no request at all", () => {
    expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
  });

  test("a gateway that asked for an hour was left alone ten minutes later", () => {
    expect(HELD.map((name) => requestsByTick[1]?.get(name) ?? 0)).toEqual([0, 0]);
  });

  test("nothing was logged but what the runtime says of broken handshakes and names", () => {
    const expected = /TLS handshake failed|failed to lookup address information/;
    expect(world.logs.filter((line) => !expected.test(line))).toEqual([]);
  });
});

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
