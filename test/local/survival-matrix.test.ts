/**
 * Every answer that must be survived, given by the simulated gateway over real sockets to the real Worker in workerd,
 * one gateway a scenario, many in one tick. What readers then see is compared with the simulator's own table.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import type { Scenario } from "../../src/simulator/scenario.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { hangingIn } from "./support/playing.ts";
import { incidentsOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const PLAYED = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);
const gatewayOf = (scenario: string): string => scenario.replaceAll("_", "-");
const monitorIdOf = (scenario: string): string => `${gatewayOf(scenario)}/models`;

/** Gateways that are slow to answer share six connections: a few worlds are sooner done than one. */
const WORLDS = 4;

/** After one round of ticks. */
interface Round {
  readonly statuses: readonly StatusDocument[];
  /** What each gateway was asked in it, by scenario. */
  readonly requests: ReadonlyMap<string, number>;
}

const simulator = await simulatorOfFile();
const worlds: World[] = [];
let first: Round;
/** Ten minutes later. */
let second: Round;

beforeAll(async () => {
  // One after the other: runtimes that start at the same time keep each other waiting for ever.
  for (let part = 0; part < WORLDS; part += 1) worlds.push(await startPart(part));
  first = await tickAndRead(0);
  second = await tickAndRead(10 * MINUTE_MS);
  return () => Promise.all(worlds.map((world) => world.stop()));
});

function startPart(part: number): Promise<World> {
  return startWorld({
    stands: true,
    speed: 15,
    hangs: hangingIn(simulator),
    secrets: { SIMULATED_API_KEY: SIMULATOR_KEYS.good },
    gateways: PLAYED.filter((_, n) => n % WORLDS === part).map(({ name }) => ({
      id: gatewayOf(name),
      baseUrl: simulator.baseUrl(name),
      apiKey: "SIMULATED_API_KEY",
    })),
  });
}

async function tickAndRead(afterMs: number): Promise<Round> {
  const before = simulator.requests.length;
  await Promise.all(worlds.map((world) => world.tick(world.startMs + afterMs)));
  const sent = Map.groupBy(simulator.requests.slice(before), ({ scenario }) => scenario ?? "none");
  await Promise.all(worlds.map((world) => world.publish()));
  return {
    statuses: await Promise.all(worlds.map(statusOf)),
    requests: new Map([...sent].map(([name, requests]) => [name, requests.length])),
  };
}

function monitorIn({ statuses }: Round, scenario: string): MonitorDocument {
  const gateways = statuses.flatMap((status) => status.gateways);
  const [monitor] = gateways.find(({ id }) => id === gatewayOf(scenario))?.monitors ?? [];
  if (monitor === undefined) throw new Error(`no monitor plays ${scenario}`);
  return monitor;
}

function verdictIn(round: Round, scenario: string) {
  const { diagnosis, status: health, lastProbe, modelCount } = monitorIn(round, scenario);
  const { cause, owner, httpStatus, retry } = diagnosis ?? {};
  const { attempts } = lastProbe ?? {};
  return { cause, owner, health, attempts, httpStatus, afterSeconds: retry?.afterSeconds, modelCount };
}

test.each(PLAYED.map((scenario) => [scenario.name, scenario.expect] as const))("%s", (name, expected) => {
  const { hangs: _hangs, ...verdict } = expected;
  expect(verdictIn(first, name)).toEqual(verdict);
});

test("what is tried four times waits as long as was asked, else by an exponential back-off with its jitter", () => {
  const waits = PLAYED.filter(({ expect: { attempts } }) => attempts === 4).map(
    ({ name, expect: expected }) => {
      const { afterSeconds } = expected;
      const [least, most] = afterSeconds === null ? [7000, 8500] : [3000 * afterSeconds, 3000 * afterSeconds];
      const waitedMs = monitorIn(first, name).lastProbe?.waitedMs ?? -1;
      // An HTTP-date is counted from the answer.
      const isKept = name.endsWith("_date") || (waitedMs >= least && waitedMs <= most);
      return isKept ? [] : [name, waitedMs];
    },
  );
  expect(waits.length).toBeGreaterThan(10);
  expect(waits.flat()).toEqual([]);
});

/** Played differently from the second probe on: their notes say so. */
const CHANGING: ReadonlySet<string> = new Set(["503_four_times", "429_then_quota"]);
/** Asked for more time than the ten minutes between the ticks. */
const HELD = ["rate_limited_3600", "rate_limited_huge"];

describe("the second probe", () => {
  test("is judged alike, but where the scenario changes", () => {
    const verdicts = (verdictOf: (scenario: Scenario) => object) =>
      PLAYED.filter(({ name }) => !CHANGING.has(name)).map((scenario) => [
        scenario.name,
        verdictOf(scenario),
      ]);
    const seen = verdicts(({ name }) => {
      const { cause, owner, health } = verdictIn(second, name);
      return { cause, owner, health };
    });
    expect(seen).toEqual(verdicts(({ expect: { cause, owner, health } }) => ({ cause, owner, health })));
  });

  test("what failed four times and then answers is up", () => {
    expect(verdictIn(second, "503_four_times")).toMatchObject({ cause: "ok", health: "up", attempts: 1 });
  });

  test("two failures in a row are an incident; one is none", async () => {
    const failing = PLAYED.filter(({ name, expect: { health } }) => {
      return health !== "up" && name !== "503_four_times" && !HELD.includes(name);
    });
    const told = await Promise.all(worlds.map(incidentsOf));
    const opened = told.flat().map(({ incident }) => incident.monitors.join());
    expect(opened.sort()).toEqual(failing.map(({ name }) => monitorIdOf(name)).sort());
  });

  test("the incident and its report can be read", async () => {
    const { incident, report } = monitorIn(second, "balance_402");
    const read = async (path: string) => {
      const answers = await Promise.all(worlds.map((world) => world.get(path)));
      return answers.find(({ status }) => status === 200)?.json;
    };
    const cause = "insufficient_balance";
    const verdict = { cause, owner: "caller", health: "blocked" };
    expect(await read(`/api/v1/incidents/${incident}`)).toMatchObject(verdict);
    const reported = { cause, httpStatus: 402, endpoint: "$GATEWAY_BASE_URL/v1/models" };
    expect(await read(`/api/v1/reports/${report}`)).toMatchObject(reported);
  });
});

describe("nobody suffers for another", () => {
  test("every tick ended, with a result of each gateway", async () => {
    for (const [n, { startMs }] of worlds.entries()) {
      const { lastTickAt, putOff, stale } = first.statuses[n]!;
      expect([lastTickAt, putOff, stale]).toEqual([iso(startMs), 0, false]);
      expect(second.statuses[n]?.lastTickAt).toBe(iso(startMs + 10 * MINUTE_MS));
    }
    const found = await Promise.all(worlds.map(samplesByMonitor));
    const samples = new Map(found.flatMap((byMonitor) => Array.from(byMonitor)));
    expect(PLAYED.map(({ name }) => [name, samples.get(monitorIdOf(name))?.length])).toEqual(
      PLAYED.map(({ name }) => [name, HELD.includes(name) ? 1 : 2]),
    );
  });

  test.each([
    ["first", () => first],
    ["second", () => second],
  ])("in the %s tick each gateway saw as many requests as attempts are reported", (which, round) => {
    const asked = PLAYED.filter(({ place, name }) => {
      return place === "path" && (which === "first" || !HELD.includes(name));
    });
    expect(asked.map(({ name }) => [name, round().requests.get(name)])).toEqual(
      asked.map(({ name }) => [name, monitorIn(round(), name).lastProbe?.attempts]),
    );
  });

  test("the host that redirects lead to saw no request at all", () => {
    expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
  });

  test("a gateway that asked for an hour was left alone ten minutes later", () => {
    expect(HELD.map((name) => second.requests.get(name) ?? 0)).toEqual([0, 0]);
  });

  test("nothing was logged but what the runtime says of broken handshakes and names", () => {
    const expected = /TLS handshake failed|failed to lookup address information/;
    expect(worlds.flatMap(({ logs }) => logs).filter((line) => !expected.test(line))).toEqual([]);
  });
});

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
