/**
 * Every answer that must be survived, given by the simulated gateways over real sockets to the real Worker in workerd, one
 * gateway a scenario, many in one tick. What readers then see is compared with the simulator's own table.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import type { Expectation, Scenario } from "../../src/simulator/scenario.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { askedOf, canaryFor, EVERY_KIND, minutes } from "./support/canaries.ts";
import { hangingIn } from "./support/playing.ts";
import { incidentsOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const simulator = await simulatorOfFile();
const gatewayOf = ({ name }: Scenario): string => name.replaceAll("_", "-");

/** The one monitor of each gateway, by the gateway's id. */
async function monitorsIn(worlds: readonly World[]): Promise<ReadonlyMap<string, MonitorDocument>> {
  await Promise.all(worlds.map((world) => world.publish()));
  const statuses = await Promise.all(worlds.map(statusOf));
  const gateways = statuses.flatMap((status) => status.gateways);
  return new Map(
    gateways.flatMap(({ id, monitors: [monitor] }) => (monitor ? [[id, monitor] as const] : [])),
  );
}

function verdictOf(monitor: MonitorDocument | undefined) {
  const { diagnosis, status: health, lastProbe } = monitor ?? {};
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

describe("lists", () => {
  const PLAYED = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);
  const NAMED = PLAYED.map((scenario) => [scenario.name, scenario] as const);
  /** Gateways that are slow to answer share six connections: a few worlds are sooner done than one. */
  const WORLDS = 4;
  /** Asked for more time than the ten minutes between the ticks. */
  const HELD = ["rate_limited_3600", "rate_limited_huge"];
  const worlds: World[] = [];

  beforeAll(async () => {
    // One after the other: runtimes that start at the same time can block each other forever.
    for (let part = 0; part < WORLDS; part += 1) worlds.push(await startPart(part));
    return () => Promise.all(worlds.map((world) => world.stop()));
  });

  function startPart(part: number): Promise<World> {
    return startWorld({
      stands: true,
      speed: 15,
      hangs: hangingIn(simulator),
      secrets: { SIMULATED_API_KEY: SIMULATOR_KEYS.good },
      gateways: PLAYED.filter((_, n) => n % WORLDS === part).map((scenario) => ({
        id: gatewayOf(scenario),
        baseUrl: simulator.baseUrl(scenario.name),
        apiKey: "SIMULATED_API_KEY",
      })),
    });
  }

  /** What is shown after a tick, and how often each scenario was asked for in it. */
  async function tickAt(afterMs: number) {
    const before = simulator.requests.length;
    await Promise.all(worlds.map((world) => world.tick(world.startMs + afterMs)));
    const sent = Map.groupBy(simulator.requests.slice(before), ({ scenario }) => scenario);
    return { shown: await monitorsIn(worlds), asked: (name: string) => sent.get(name)?.length ?? 0 };
  }

  describe("at the first tick", () => {
    let first: Awaited<ReturnType<typeof tickAt>>;
    beforeAll(async () => void (first = await tickAt(0)));

    test.each(NAMED)("%s", (name, scenario) => {
      const monitor = first.shown.get(gatewayOf(scenario));
      expect(verdictOf(monitor)).toEqual(verdictBy(scenario.expect));
      expect(monitor?.modelCount).toBe(scenario.expect.modelCount);
      if (scenario.place === "path") expect(first.asked(name)).toBe(scenario.expect.attempts);
    });
  });

  test("ten minutes later two failures in a row are incidents, and a gateway that asked for an hour is left alone", async () => {
    const second = await tickAt(10 * MINUTE_MS);
    expect(HELD.map(second.asked)).toEqual([0, 0]);
    const failing = PLAYED.filter(({ name, expect: { health } }) => {
      return health !== "up" && name !== "503_four_times" && !HELD.includes(name);
    });
    const opened = (await Promise.all(worlds.map(incidentsOf))).flat();
    expect(opened.map(({ incident }) => String(incident.gateway)).toSorted()).toEqual(
      failing.map(gatewayOf).toSorted(),
    );
    const found = (await Promise.all(worlds.map(samplesByMonitor))).flatMap((byMonitor) =>
      Array.from(byMonitor),
    );
    const counts = new Map(found.map(([id, samples]) => [id, samples.length]));
    for (const scenario of PLAYED) {
      const expected = HELD.includes(scenario.name) ? 1 : 2;
      expect([scenario.name, counts.get(`${gatewayOf(scenario)}/models`)]).toEqual([scenario.name, expected]);
    }
  });

  test("no redirect was followed, and nothing logged but what the runtime says of broken handshakes and names", () => {
    expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
    const expected = /TLS handshake failed|failed to lookup address information/;
    expect(worlds.flatMap(({ logs }) => logs).filter((line) => !expected.test(line))).toEqual([]);
  });
});

describe("canaries", () => {
  const PLAYED = SCENARIOS.filter(({ kind }) => kind !== "models");
  const WITH_TASKS = PLAYED.filter(({ outcome }) => outcome !== null);
  const DEADLINE_MINUTES = 6;
  /** Questions that are refused come ever more seldom. */
  const LAST_MINUTE = DEADLINE_MINUTES + 16;
  let world: World;
  let created: ReadonlyMap<string, MonitorDocument>;
  let over: ReadonlyMap<string, MonitorDocument>;

  beforeAll(async () => {
    const gateways = PLAYED.map((scenario) => {
      const id = gatewayOf(scenario);
      simulator.play(id, scenario.name);
      const canary = EVERY_KIND[canaryFor(scenario)];
      const hasTask = canary.kind === "image" || canary.kind === "video";
      // Nothing is due a second time while the tasks are asked about.
      const rarely = {
        every: "24h",
        perDay: 1,
        ...(hasTask && { deadline: `${DEADLINE_MINUTES}m` }),
      } as const;
      return { id, baseUrl: simulator.named(id), apiKey: "KEY", monitors: [{ ...canary, ...rarely }] };
    });
    // At noon, so that all of it is one day.
    const startMs = Date.UTC(2026, 10, 20, 12);
    const secrets = { KEY: SIMULATOR_KEYS.good };
    world = await startWorld({ stands: true, startMs, hangs: hangingIn(simulator), secrets, gateways });
    await world.tick(startMs);
    created = await monitorsIn([world]);
    for (const minute of minutes(3, LAST_MINUTE)) await world.tick(startMs + minute * MINUTE_MS);
    over = await monitorsIn([world]);
    return () => world.stop();
  });

  test.each(PLAYED.map((scenario) => [scenario.name, scenario] as const))("%s", (_name, scenario) => {
    expect(verdictOf(created.get(gatewayOf(scenario)))).toEqual(verdictBy(scenario.expect));
  });

  test.each(WITH_TASKS.map((scenario) => [scenario.name, scenario] as const))(
    "%s, asked about to its end",
    (_name, scenario) => {
      const monitor = over.get(gatewayOf(scenario));
      expect({ ...verdictOf(monitor), task: monitor?.canary?.task }).toEqual({
        ...(scenario.outcome && verdictBy(scenario.outcome)),
        task: null,
      });
    },
  );

  test("what costs was sent once and counted once, and every verdict left one sample", async () => {
    const samples = await samplesByMonitor(world);
    for (const scenario of PLAYED) {
      const id = gatewayOf(scenario);
      const canary = canaryFor(scenario);
      const posts = askedOf(simulator, id).filter((what) => what.startsWith("POST "));
      const { requests } = over.get(id)?.canary?.today ?? {};
      const causes = samples.get(`${id}/${canary}`)?.map(({ cause }) => cause);
      const expected = [canary === "console" ? 0 : 1, 1, [(scenario.outcome ?? scenario.expect).cause]];
      expect([id, posts.length, requests, causes]).toEqual([id, ...expected]);
    }
  });

  test("what nobody can ask about is not asked about", () => {
    for (const what of ["creation-lost", "creation-hangs", "without-id", "id-is-key"]) {
      expect([what, ...askedOf(simulator, `video-${what}`)]).toEqual([what, "POST /v1/videos"]);
    }
  });
});
