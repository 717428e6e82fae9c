/**
 * Gateways that publish their health alone, whose canaries meet every scenario: nothing that everybody may read says why
 * they fail, what their tasks are called, or what they answered. Real Worker in workerd, real sockets.
 */
import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { canaryFor, EVERY_KIND } from "./support/canaries.ts";
import { hangingIn } from "./support/playing.ts";
import { incidentsOf, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const PLAYED = SCENARIOS.filter(({ kind }) => kind !== "models");
const gatewayOf = (scenario: string): string => scenario.replaceAll("_", "-");
const ADMIN_TOKEN = "an-administrators-token-of-tests";

/** Those that no other word of the documents holds. */
const CAUSES = [
  ...new Set(PLAYED.flatMap(({ expect: expected, outcome }) => [expected.cause, outcome?.cause ?? "ok"])),
].filter((cause) => cause.includes("_"));
/** Of tasks, answers and errors, as the simulated gateways have them. */
const WORDS = ["_sim_0", "no_channel", "gave up", "warming_up", "Too many", "broke off", "invalid_api_key"];

const simulator = await simulatorOfFile();
let world: World;
beforeAll(async () => {
  for (const { name } of PLAYED) simulator.play(gatewayOf(name), name);
  world = await startWorld({
    stands: true,
    startMs: Date.UTC(2026, 10, 20, 12),
    hangs: hangingIn(simulator),
    config: { open: 1 },
    secrets: { KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN },
    gateways: PLAYED.map((scenario) => ({
      id: gatewayOf(scenario.name),
      name: "A gateway",
      baseUrl: simulator.named(gatewayOf(scenario.name)),
      apiKey: "KEY",
      publish: "health",
      monitors: [{ ...EVERY_KIND[canaryFor(scenario)], every: "24h" }],
    })),
  });
  for (const minute of [0, 1, 2, 3]) await world.tick(world.startMs + minute * MINUTE_MS);
  await world.publish();
  return () => world.stop();
});

/** The gateways' ids are made of such words. */
function withoutIds(text: string): string {
  return PLAYED.toSorted((a, b) => b.name.length - a.name.length).reduce(
    (rest, { name }) => rest.replaceAll(gatewayOf(name), ""),
    text,
  );
}

function told(text: string): readonly string[] {
  const plain = withoutIds(text);
  return [...CAUSES, ...WORDS].filter((word) => plain.includes(word));
}

test("what is not told is there: the administrator sees causes, tasks and words", async () => {
  const incidents = await incidentsOf(world);
  expect(incidents.length).toBeGreaterThan(40);
  const seen = JSON.stringify(incidents.flatMap(({ fullReports }) => fullReports));
  expect(told(seen).length).toBeGreaterThan(8);
  const { gateways } = await statusOf(world);
  expect(gateways.flatMap(({ monitors }) => monitors).filter(({ canary }) => canary?.task)).not.toEqual([]);
});

test.each([
  ["/api/v1/status", "application/json"],
  ["/api/v1/incidents", "application/json"],
  ["/", "text/html"],
  ["/feed.atom", "application/atom+xml"],
  ["/metrics", "text/plain"],
  ["/api/v2/summary.json", "application/json"],
  ["/api/v2/incidents.json", "application/json"],
])("%s tells none of it", async (path, accept) => {
  const { status, text } = await world.get(path, { accept });
  expect(status).toBe(200);
  expect(told(text)).toEqual([]);
});

test("no gateway's page, no history, no incident and no report tells any of it", async () => {
  for (const { incident } of await incidentsOf(world)) {
    const [monitor = ""] = incident.monitors;
    const [gateway = "", name = ""] = monitor.split("/");
    const api = `/api/v1/gateways/${gateway}/monitors/${name}`;
    const paths = [`/gateways/${gateway}`, api, `${api}/history?step=probe`, `/incidents/${incident.id}`];
    for (const path of [...paths, `/api/v1/incidents/${incident.id}`]) {
      const accept = path.startsWith("/api") ? "application/json" : "text/html";
      const { text } = await world.get(path, { accept });
      expect([path, ...told(text)]).toEqual([path]);
    }
    for (const path of [`/api/v1/reports/${incident.report}`, `/reports/${incident.report}`]) {
      expect([path, (await world.get(path)).status]).toEqual([path, 404]);
    }
  }
});
