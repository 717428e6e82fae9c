/**
 * What `npm start` watches while nobody has configured a gateway: a simulated service whose gateways are well, or not
 * well in ways that ordinary monitors get wrong.
 */
import type { ConfigInput } from "../config/define-config.ts";
import { SIMULATOR_KEYS } from "./simulator/keys.ts";
import { type Simulator, startSimulator } from "./simulator/simulator.ts";

/** The same address at every start, where it is free, so that the demonstration keeps its history. */
const USUAL_PORT = 8789;

const GATEWAYS = [
  { id: "healthy", name: "A gateway that is well", scenario: "healthy" },
  { id: "empty-account", name: "An account without balance", scenario: "balance_402" },
  { id: "error-in-200", name: "A 200 with an error inside", scenario: "envelope_5000" },
  { id: "wrong-address", name: "A web page at a wrong address", scenario: "html_200" },
  { id: "rate-limited", name: "A limit that passes by itself", scenario: "rate_limited_31" },
  { id: "upstream-out", name: "An upstream that is out", scenario: "html_502" },
] as const;

const KEY_NAME = "SIMULATED_API_KEY";

export interface Demo {
  readonly config: ConfigInput;
  readonly secrets: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const simulator = await startSimulator({ port: USUAL_PORT }).catch(() => startSimulator());
  return {
    config: demoConfig(simulator),
    secrets: { [KEY_NAME]: SIMULATOR_KEYS.good },
    stop: () => simulator.close(),
  };
}

function demoConfig(simulator: Simulator): ConfigInput {
  return {
    title: "Gatepulse demonstration",
    notice:
      "These gateways are simulated on this machine. Name your own in gatepulse.config.ts and start again.",
    gateways: GATEWAYS.map(({ id, name, scenario }) => ({
      id,
      name,
      baseUrl: simulator.baseUrl(scenario),
      apiKey: KEY_NAME,
      showEndpoint: true,
    })),
  };
}
