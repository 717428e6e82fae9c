/** The Ledger evicted or aborted between any two steps of a tick: what was recorded stays, the rest is probed again. */
import { expect, test } from "vitest";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { serveHttp } from "../probe/small-server.ts";
import { incidentsBy } from "./support/incidents-by.ts";
import { incidentsOf, sampleCounts, samplesByMonitor } from "./support/readings.ts";
import { endingWithTest, freshSimulator } from "./support/playing.ts";
import { MINUTE_MS, type Order, startWorld, type Step, type World } from "./support/world.ts";

const GOOD = "healthy";
const BAD = "envelope_5000";
/** Opens an incident, closes it, opens another; between them single failures that open none. */
const FLAPPING = [GOOD, BAD, BAD, GOOD, BAD, GOOD, GOOD, BAD, GOOD, BAD, BAD, BAD, GOOD, GOOD];
const GATEWAYS = ["bad", "flapping", "good", "slow"] as const;
const MONITORS = GATEWAYS.map((id) => `${id}/models`);

const simulator = await freshSimulator();

/** What was asked of the slow gateway, and awaits its answer. */
const waiting = new Set<() => void>();

/** Call it once results of others are on their way, so that a tick has several batches. */
function answerSlow(): void {
  for (const answer of waiting) answer();
}

function startSlow(): Promise<string> {
  return serveHttp(({ url, headers: { authorization = "" } }, response) => {
    const pass = async (): Promise<void> => {
      const given = await fetch(`${simulator.named("slow")}${url}`, { headers: { authorization } });
      response.writeHead(given.status, { "content-type": "application/json" }).end(await given.text());
    };
    const answer = (): void => {
      waiting.delete(answer);
      void pass();
    };
    waiting.add(answer);
    // The caller is dead.
    response.once("close", () => waiting.delete(answer));
  });
}

async function start(onStep: (step: Step) => Promise<Order> | Order): Promise<World> {
  simulator.play("bad", BAD);
  simulator.play("flapping", ...FLAPPING, ...FLAPPING, ...FLAPPING);
  const slowUrl = await startSlow();
  const world = await startWorld({
    secrets: { KEY: SIMULATOR_KEYS.good },
    gateways: GATEWAYS.map((id) => ({
      id,
      baseUrl: id === "slow" ? slowUrl : simulator.named(id),
      apiKey: "KEY",
    })),
    // Each stretch of failures is an incident of its own here.
    config: { flapping: false },
    stands: true,
    onStep,
  });
  return endingWithTest(world);
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

test("the Ledger dies in every tick, at each step in turn: nothing is lost, nothing comes twice, and every gateway is probed in each tick", async () => {
  const offered = new Set<ProbeName>();
  const acknowledged = new Set<ProbeName>();
  let died = 0;
  let death: Death | null = null;
  let seen = 0;
  const world = await start(async (step) => {
    if (step.name === "record:before") {
      answerSlow();
      probesIn(step).forEach((probe) => offered.add(probe));
    }
    if (step.name === "record:after") probesIn(step).forEach((probe) => acknowledged.add(probe));
    if (step.name !== death?.at || (seen += 1) !== death.nth) return "go";
    died += 1;
    if (death.at.startsWith("put")) return "abort";
    await (death.by === "abort" ? world.abortLedger() : world.evictLedger());
    return "go";
  });
  const plan = [null, ...DEATHS];
  for (const [n, planned] of plan.entries()) {
    death = planned;
    seen = 0;
    const before = simulator.requests.length;
    await world.tick(world.startMs + n * MINUTE_MS);
    const asked = simulator.requests.slice(before).map(({ gateway }) => gateway.slice("g/".length));
    expect([n, ...new Set(asked.toSorted())]).toEqual([n, ...GATEWAYS]);
  }
  death = null;
  // A tick without news publishes nothing, and so survives a death at its publish.
  expect(died).toBeGreaterThanOrEqual(plan.filter((of) => of && !of.at.startsWith("put")).length);
  await world.publish();
  expect(await sampleCounts(world)).toEqual(Object.fromEntries(MONITORS.map((id) => [id, plan.length])));
  const samples = await samplesByMonitor(world);
  const names = namesOf(samples);
  expect([...acknowledged].filter((probe) => !names.includes(probe))).toEqual([]);
  expect(names.filter((probe) => !offered.has(probe))).toEqual([]);
  const incidents = await incidentsOf(world);
  expect(incidents.length).toBeGreaterThan(1);
  for (const monitorId of MONITORS) {
    const own = incidents.filter(({ incident }) => incident.monitors.includes(monitorId));
    const spans = own.map(({ incident: { openedAt, resolvedAt } }) => [openedAt, resolvedAt]);
    expect([monitorId, ...spans]).toEqual([monitorId, ...incidentsBy(samples.get(monitorId) ?? [])]);
  }
});
