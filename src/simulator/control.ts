/** The simulator's own routes: the list of scenarios, the requests seen, and the control. Pure. */
import * as z from "zod/mini";
import { namedGateway, type RecordedRequest } from "./read-request.ts";
import { SCENARIOS, findScenario } from "./catalog.ts";
import type { Gateways } from "./gateways.ts";
import type { Scenario } from "./scenario.ts";
import { type Wire, json, parseJson, reply } from "./wire.ts";

export interface Controls {
  readonly gateways: Gateways;
  readonly requests: readonly RecordedRequest[];
  readonly baseUrlOf: (scenario: Scenario) => string;
  readonly clear: () => void;
}

export function control(method: string, path: string, body: string, controls: Controls): Wire {
  switch (`${method} ${path}`) {
    case "GET /":
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

const orderSchema = z.union([
  z.object({ for: z.string(), sequence: z.array(z.string()) }),
  z.object({ for: z.string(), scenario: z.string() }),
]);
const EXPECTED = 'Expected {"for": name, "scenario": name} or {"for": name, "sequence": [name, …]}.';

function assign(body: string, gateways: Gateways): Wire {
  const { data: order } = orderSchema.safeParse(parseJson(body));
  if (order === undefined) return json(400, { error: EXPECTED });
  const playing = "sequence" in order ? order.sequence : [order.scenario];
  const fault = direct(gateways, order.for, playing);
  return fault === null ? json(200, { for: order.for, playing }) : json(400, { error: fault });
}
