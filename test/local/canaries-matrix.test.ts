/**
 * Every way in which the simulated gateways generate, or fail to, met by a canary of its kind: the real Worker in workerd,
 * real sockets, one gateway a scenario. What readers then see is compared with the simulator's own table.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import type { Expectation, Scenario } from "../../src/simulator/scenario.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { askedOf, canaryFor, EVERY_KIND, Minutes, minutes, startCanaries } from "./support/canaries.ts";
import { samplesByMonitor, statusOf } from "./support/readings.ts";
import type { World } from "./support/world.ts";

const PLAYED = SCENARIOS.filter(({ kind }) => kind !== "models");
const WITH_TASKS = PLAYED.filter(({ outcome }) => outcome !== null);
const gatewayOf = (scenario: string): string => scenario.replaceAll("_", "-");
const monitorIdOf = (scenario: Scenario): string => `${gatewayOf(scenario.name)}/${canaryFor(scenario)}`;

/** Noon, so that all of it is one day. */
const START_MS = Date.UTC(2026, 10, 20, 12);
/** Nothing is due a second time while the tasks are asked about. */
const RARELY = { every: "24h", perDay: 1 } as const;
const DEADLINE_MINUTES = 6;
/** Questions that are refused come ever more seldom. */
const LAST_MINUTE = DEADLINE_MINUTES + 16;

const simulator = await simulatorOfFile();
const asked = new Minutes(simulator);
let world: World;
let created: StatusDocument;

beforeAll(async () => {
  const ofScenarios = PLAYED.map((scenario) => {
    const canary = EVERY_KIND[canaryFor(scenario)];
    const hasTask = canary.kind === "image" || canary.kind === "video";
    const monitor = { ...canary, ...RARELY, ...(hasTask && { deadline: `${DEADLINE_MINUTES}m` }) };
    return [gatewayOf(scenario.name), { plays: [scenario.name], monitors: [monitor] }] as const;
  });
  // However long so many take, a deadline is reached in its minute.
  world = await startCanaries(simulator, Object.fromEntries(ofScenarios), { startMs: START_MS });
  await asked.pass(world, [0]);
  await world.publish();
  created = await statusOf(world);
  await asked.pass(world, minutes(3, LAST_MINUTE));
  await world.publish();
  return () => world.stop();
});

function monitorIn(status: StatusDocument, id: string): MonitorDocument {
  const found = status.gateways.flatMap(({ monitors }) => monitors).find((monitor) => monitor.id === id);
  if (found === undefined) throw new Error(`the status does not show ${id}`);
  return found;
}

function verdictOf({ status: health, diagnosis, lastProbe }: MonitorDocument) {
  const { cause, owner, httpStatus, retry } = diagnosis ?? {};
  return {
    cause,
    owner,
    health,
    attempts: lastProbe?.attempts,
    httpStatus,
    afterSeconds: retry?.afterSeconds,
  };
}

function verdictBy({ cause, owner, health, attempts, httpStatus, afterSeconds }: Expectation) {
  return { cause, owner, health, attempts, httpStatus, afterSeconds };
}

describe("the first probe", () => {
  test.each(PLAYED.map((scenario) => [scenario.name, scenario] as const))("%s", (_name, scenario) => {
    expect(verdictOf(monitorIn(created, monitorIdOf(scenario)))).toEqual(verdictBy(scenario.expect));
  });
});

describe("the task, asked about to its end", () => {
  test.each(WITH_TASKS.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_name, scenario) => {
      const monitor = monitorIn(await statusOf(world), monitorIdOf(scenario));
      if (scenario.outcome === null) throw new Error("it has no task");
      expect(verdictOf(monitor)).toEqual(verdictBy(scenario.outcome));
      expect(monitor.canary?.task).toBeNull();
    },
  );

  test("every creation was sent once, and nothing else of what costs was sent twice", () => {
    const countOf = (name: string) =>
      askedOf(simulator, gatewayOf(name)).filter((what) => what.startsWith("POST ")).length;
    const posts = PLAYED.map(({ name }) => [name, countOf(name)]);
    const expected = PLAYED.map((scenario) => [scenario.name, canaryFor(scenario) === "console" ? 0 : 1]);
    expect(posts).toEqual(expected);
  });

  test("each was counted once, and no question about a task was", async () => {
    const status = await statusOf(world);
    const counted = PLAYED.map((scenario) => {
      return [scenario.name, monitorIn(status, monitorIdOf(scenario)).canary?.today.requests];
    });
    expect(counted).toEqual(PLAYED.map(({ name }) => [name, 1]));
  });

  test("each tick asks once while the task is open, and none when it is over", () => {
    expect(asked.of("video-upper", "GET /v1/videos/")).toEqual([3, 4, 5]);
    expect(asked.of("video-failed", "GET /v1/videos/")).toEqual([3, 4, 5]);
    expect(asked.of("video-job-made", "GET /v1/video/generations/")).toEqual([3, 4, 5, 6]);
    expect(asked.of("video-stuck", "GET /v1/videos/")).toEqual([3, 4, 5, 6]);
    expect(asked.of("video-question-410", "GET /v1/videos/")).toEqual([3]);
  });

  test("what nobody can ask about is not asked about", () => {
    for (const what of ["creation_lost", "creation_hangs", "without_id", "id_is_key"]) {
      const name = `video_${what}`;
      expect([name, ...askedOf(simulator, gatewayOf(name))]).toEqual([name, "POST /v1/videos"]);
    }
  });
});

test("what was pending left no sample, and every verdict left one", async () => {
  const samples = await samplesByMonitor(world);
  const seen = PLAYED.map((scenario) => {
    const own = samples.get(monitorIdOf(scenario)) ?? [];
    return [scenario.name, ...own.map(({ cause }) => cause)];
  });
  expect(seen).toEqual(
    PLAYED.map(({ name, expect: expected, outcome }) => [name, (outcome ?? expected).cause]),
  );
});
