/** Every answer to a list, over real sockets to the real Worker; what readers see is compared with the simulator's table. */
import { beforeAll, expect, test } from "vitest";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import type { Scenario } from "../../src/simulator/scenario.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { hangingIn } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";
import { startWorld, type World } from "./support/world.ts";

const simulator = await simulatorOfFile();
const gatewayOf = ({ name }: Scenario): string => name.replaceAll("_", "-");

const PLAYED = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);
/** Gateways that are slow to answer share six connections: a few worlds are sooner done than one. */
const WORLDS = 4;
const worlds: World[] = [];
/** The one monitor of each gateway after the first tick, by the gateway's id. */
const shown = new Map<string, MonitorDocument | undefined>();

beforeAll(async () => {
  // One after the other: runtimes that start at the same time can block each other forever.
  for (let part = 0; part < WORLDS; part += 1) worlds.push(await startPart(part));
  await Promise.all(worlds.map((world) => world.tick(world.startMs)));
  await Promise.all(worlds.map((world) => world.publish()));
  for (const { gateways } of await Promise.all(worlds.map(statusOf)))
    for (const { id, monitors } of gateways) shown.set(id, monitors[0]);
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

test.each(PLAYED.map((scenario) => [scenario.name, scenario] as const))("%s", (name, scenario) => {
  const { diagnosis, status: health, lastProbe, modelCount } = shown.get(gatewayOf(scenario)) ?? {};
  const { cause, owner, httpStatus, retry } = diagnosis ?? {};
  const attempts = lastProbe?.attempts;
  const verdict = {
    cause,
    owner,
    health,
    attempts,
    httpStatus,
    afterSeconds: retry?.afterSeconds,
    modelCount,
  };
  const { hangs: _, ...expected } = scenario.expect;
  expect(verdict).toEqual(expected);
  if (scenario.place !== "path") return;
  expect(simulator.requests.filter((asked) => asked.scenario === name)).toHaveLength(expected.attempts);
});

test("no redirect was followed, and nothing logged but what the runtime says of broken handshakes and names", () => {
  expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
  const expected = /TLS handshake failed|failed to lookup address information/;
  expect(worlds.flatMap(({ logs }) => logs).filter((line) => !expected.test(line))).toEqual([]);
});
