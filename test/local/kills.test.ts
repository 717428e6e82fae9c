/**
 * The Ledger evicted or aborted, the invocation or the whole runtime killed, between any two steps: what was recorded
 * stays, the rest is probed again, and no incident is doubled. Real Worker, Ledger and KV in workerd.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { serveHttp } from "../probe/small-server.ts";
import { chance } from "./support/chance.ts";
import { incidentsBy } from "./support/incidents-by.ts";
import { incidentsOf, sampleCounts, samplesByMonitor, statusOf } from "./support/readings.ts";
import { endingWithTest, freshSimulator } from "./support/playing.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import {
  MINUTE_MS,
  type Order,
  startWorld,
  type Step,
  type World,
  type WorldOptions,
} from "./support/world.ts";

const GOOD = "healthy";
const BAD = "envelope_5000";
/** Opens an incident, closes it, opens another; between them single failures that open none. */
const FLAPPING = [GOOD, BAD, BAD, GOOD, BAD, GOOD, GOOD, BAD, GOOD, BAD, BAD, BAD, GOOD, GOOD];
const GATEWAYS = ["good", "bad", "flapping", "slow"] as const;
const MONITORS = GATEWAYS.map((id) => `${id}/models`).sort();

const simulator = await freshSimulator();
let world: World;
let persistDir: string;
let slowUrl: string;
let isSlow = true;
beforeEach(async () => {
  persistDir = await temporaryDirectory();
  simulator.play("bad", BAD);
  simulator.play("flapping", ...FLAPPING, ...FLAPPING, ...FLAPPING);
  simulator.play("slow", GOOD);
  slowUrl = await startSlow();
  isSlow = true;
});

/** What was asked of the slow gateway, and awaits its answer. */
const waiting = new Set<() => void>();

/** Call it once results of others are on their way, so that a tick has several batches. */
function answerSlow(): void {
  for (const answer of waiting) answer();
}

async function startSlow(): Promise<string> {
  waiting.clear();
  return serveHttp(({ url, headers: { authorization = "" } }, response) => {
    const pass = async (): Promise<void> => {
      const given = await fetch(`${simulator.named("slow")}${url}`, { headers: { authorization } });
      response.writeHead(given.status, { "content-type": "application/json" }).end(await given.text());
    };
    const answer = (): void => {
      waiting.delete(answer);
      void pass();
    };
    if (!isSlow) return answer();
    waiting.add(answer);
    // The caller is dead.
    response.once("close", () => waiting.delete(answer));
  });
}

async function start(startMs: number | null, onStep: (step: Step) => Promise<Order> | Order): Promise<void> {
  const baseUrlOf = (id: string) => (id === "slow" ? slowUrl : simulator.named(id));
  const options: WorldOptions = {
    secrets: { KEY: SIMULATOR_KEYS.good },
    gateways: GATEWAYS.map((id) => ({ id, baseUrl: baseUrlOf(id), apiKey: "KEY" })),
    // Each stretch of failures is an incident of its own here.
    config: { flapping: false },
    persistDir,
    stands: true,
    onStep,
  };
  world = endingWithTest(await startWorld({ ...options, ...(startMs !== null && { startMs }) }));
}

/** `<monitor>@<instant>`, which names one probe. */
type ProbeName = string;

/** The probes that a batch brings. */
function probesIn({ batch }: Step): readonly ProbeName[] {
  return (batch?.results ?? []).map(({ monitorId, outcome }) => `${monitorId}@${outcome.startedAtMs}`);
}

function namesOf(samples: ReadonlyMap<string, readonly Sample[]>): readonly ProbeName[] {
  return [...samples].flatMap(([id, found]) => found.map(({ atMs }) => `${id}@${atMs}`)).sort();
}

async function expectIncidentsToFollowFromTheSamples(): Promise<void> {
  const samples = await samplesByMonitor(world);
  const told = await incidentsOf(world);
  for (const monitorId of MONITORS) {
    const ofMonitor = told.filter(({ incident }) => incident.monitors.includes(monitorId));
    const spans = ofMonitor.map(({ incident: { openedAt, resolvedAt } }) => [openedAt, resolvedAt]);
    expect([monitorId, ...spans]).toEqual([monitorId, ...incidentsBy(samples.get(monitorId) ?? [])]);
  }
}

interface Death {
  readonly at: Step["name"];
  /** At which of the tick's steps of that name. */
  readonly nth: number;
  readonly by: "eviction" | "abort";
}

/** Every place where the Ledger can die in a tick; a publish can only be aborted, as it keeps the object awake. */
const DEATHS: readonly Death[] = [
  ...(["begin:before", "begin:after"] as const).map((at) => ({ at, nth: 1 })),
  ...[1, 2].flatMap((nth) => (["record:before", "record:after"] as const).map((at) => ({ at, nth }))),
]
  .flatMap(({ at, nth }) => (["eviction", "abort"] as const).map((by): Death => ({ at, nth, by })))
  .concat((["put:before", "put:after"] as const).map((at) => ({ at, nth: 1, by: "abort" })));

const RANDOM_DEATHS = rounds(3, 24);

describe("the Ledger dies in every tick, at each step in turn and then at random ones", () => {
  test("nothing is lost, nothing comes twice, and every gateway is probed in each tick", async () => {
    const { pick, seed } = chance("deaths of the Ledger");
    const offered = new Set<ProbeName>();
    const acknowledged = new Set<ProbeName>();
    const died: string[] = [];
    let death: Death | null = null;
    let seen = 0;
    await start(null, async (step) => {
      if (step.name === "record:before") {
        answerSlow();
        probesIn(step).forEach((probe) => offered.add(probe));
      }
      if (step.name === "record:after") probesIn(step).forEach((probe) => acknowledged.add(probe));
      if (step.name !== death?.at || (seen += 1) !== death.nth) return "go";
      died.push(`${death.at} ${death.nth} by ${death.by}`);
      if (death.at.startsWith("put")) return "abort";
      await (death.by === "abort" ? world.abortLedger() : world.evictLedger());
      return "go";
    });
    const plan = [null, ...DEATHS, ...Array.from({ length: RANDOM_DEATHS }, () => pick(DEATHS))];
    for (const [n, planned] of plan.entries()) {
      death = planned;
      seen = 0;
      expect([seed, await askedIn([n])]).toEqual([seed, { [n]: ALL }]);
    }
    death = null;
    // A tick without news publishes nothing, and so survives a death at its publish.
    expect(died.length).toBeGreaterThanOrEqual(plan.filter((of) => of && !of.at.startsWith("put")).length);
    await world.publish();
    // One that dies before it was started again dies once.
    expect(await world.ledgerStarts()).toBeGreaterThan((2 / 3) * plan.length);
    expect(await sampleCounts(world)).toEqual(Object.fromEntries(MONITORS.map((id) => [id, plan.length])));
    const names = namesOf(await samplesByMonitor(world));
    expect([...acknowledged].filter((probe) => !names.includes(probe))).toEqual([]);
    expect(names.filter((probe) => !offered.has(probe))).toEqual([]);
    await expectIncidentsToFollowFromTheSamples();
    expect((await incidentsOf(world)).length).toBeGreaterThan(3);
  });
});

/** The slow gateway answers once results of others are recorded. */
function answering({ name }: Step): Order {
  if (name === "record:after") answerSlow();
  return "go";
}

/** Which gateways are asked in each of the minutes. */
async function askedIn(minutes: readonly number[]): Promise<Record<number, readonly string[]>> {
  const asked: Record<number, readonly string[]> = {};
  for (const minute of minutes) {
    const before = simulator.requests.length;
    await world.tick(world.startMs + minute * MINUTE_MS);
    const gateways = simulator.requests.slice(before).map(({ gateway }) => gateway.slice("g/".length));
    asked[minute] = [...new Set(gateways)].sort();
  }
  return asked;
}

const ALL = [...GATEWAYS].sort();

/** The first tick, in which it is killed; then another runtime is started on its directory. */
async function killedInTick(killed: readonly Promise<void>[]): Promise<void> {
  const { startMs } = world;
  await expect(world.tick(startMs)).rejects.toThrow();
  await Promise.all(killed);
  isSlow = false;
  await start(startMs, () => "go");
}

describe("the runtime is killed in the middle of a tick and started again on its directory", () => {
  /** Which gateways still have their lease, and so rest until it ends. */
  const MOMENTS: readonly (readonly [string, Step["name"], number, readonly string[]])[] = [
    ["before the tick began", "begin:before", 1, []],
    ["before any result was recorded", "record:before", 1, ALL],
    ["after the first results were recorded", "record:after", 1, ["slow"]],
    ["during the publish of the first results", "put:before", 1, ["slow"]],
    ["before the last result was recorded", "record:before", 2, ["slow"]],
    ["after the last result was recorded", "record:after", 2, []],
  ];

  test.each(MOMENTS)("%s", async (_moment, at, nth, leased) => {
    const acknowledged: ProbeName[] = [];
    let seen = 0;
    const killed: Promise<void>[] = [];
    await start(null, async (step) => {
      if (step.name === "record:after") acknowledged.push(...probesIn(step));
      if (step.name !== at || (seen += 1) !== nth) {
        // A publish of the first results may take longer than the record.
        return at === "put:before" ? "go" : answering(step);
      }
      killed.push(world.kill());
      return new Promise<Order>(() => undefined);
    });
    await killedInTick(killed);
    const free = ALL.filter((id) => !leased.includes(id));
    const asked = await askedIn([1, 2, 3, 4, 6, 7]);
    expect(asked).toEqual({ 1: free, 2: free, 3: free, 4: free, 6: ALL, 7: ALL });
    await world.publish();
    const names = namesOf(await samplesByMonitor(world));
    expect(acknowledged.filter((probe) => !names.includes(probe))).toEqual([]);
    expect((await statusOf(world)).summary).toMatchObject({ unknown: 0 });
    await expectIncidentsToFollowFromTheSamples();
  });
});
