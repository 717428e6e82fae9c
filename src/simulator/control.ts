/** The simulator's own routes: the page for people, the list of scenarios, the requests seen, and the control. Pure. */
import { namedGateway } from "./read-request.ts";
import { SCENARIOS, findScenario, overviewPage } from "./catalog.ts";
import type { Gateways } from "./gateways.ts";
import type { RecordedRequest } from "./recorder.ts";
import type { Scenario } from "./scenario.ts";
import { type Wire, json, reply } from "./wire.ts";

export interface Controls {
  readonly gateways: Gateways;
  readonly requests: readonly RecordedRequest[];
  readonly baseUrlOf: (scenario: Scenario) => string;
  readonly clear: () => void;
}

export function control(method: string, path: string, body: string, controls: Controls): Wire {
  switch (`${method} ${path}`) {
    case "GET /":
      return reply(200, overviewPage(controls.baseUrlOf), { "content-type": "text/html; charset=utf-8" });
    case "GET /__scenarios":
      return json(
        200,
        SCENARIOS.map((known) => describe(known, controls.baseUrlOf(known))),
      );
    case "GET /__requests":
      return json(200, controls.requests);
    case "DELETE /__requests":
      controls.clear();
      return reply(204, "");
    case "POST /__control":
      return assign(body, controls.gateways);
    default:
      return json(404, { error: "The simulator has no such page." });
  }
}

function describe(known: Scenario, baseUrl: string): unknown {
  const { play: _play, ...said } = known;
  return { ...said, baseUrl };
}

/** Makes a named gateway play other scenarios; returns what is wrong with the order, or null. */
export function direct(gateways: Gateways, name: string, playlist: readonly string[]): string | null {
  const [first, ...rest] = playlist;
  if (first === undefined) return "No scenario is named.";
  const unknown = playlist.find((scenario) => findScenario(scenario)?.place !== "path");
  if (unknown !== undefined) return `There is no scenario ${unknown} for a gateway.`;
  gateways.change(namedGateway(name), [first, ...rest]);
  return null;
}

function assign(body: string, gateways: Gateways): Wire {
  const order = readOrder(body);
  if (order === null) {
    return json(400, {
      error: 'Expected {"for": name, "scenario": name} or {"for": name, "sequence": [name, …]}.',
    });
  }
  const fault = direct(gateways, order.name, order.playlist);
  return fault === null
    ? json(200, { for: order.name, playing: order.playlist })
    : json(400, { error: fault });
}

function readOrder(body: string): { readonly name: string; readonly playlist: readonly string[] } | null {
  let order: unknown;
  try {
    order = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof order !== "object" || order === null || !("for" in order) || typeof order.for !== "string")
    return null;
  const played = "sequence" in order ? order.sequence : "scenario" in order ? [order.scenario] : null;
  const isPlaylist = Array.isArray(played) && played.every((name) => typeof name === "string");
  return isPlaylist ? { name: order.for, playlist: played } : null;
}
