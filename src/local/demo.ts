/**
 * What `npm start` watches while nobody has configured a gateway: a simulated service whose gateways work, or fail in
 * ways that ordinary monitors get wrong.
 */
import type { ConfigInput } from "../config/define-config.ts";
import { SIMULATOR_KEYS } from "../simulator/keys.ts";
import { SMALL_CHAT_MODEL } from "../simulator/models.ts";
import { startSimulator } from "../simulator/simulator.ts";

/** The same address at every start, where it is free, so that the demonstration keeps its history. */
const USUAL_PORT = 8789;

/** Nobody pays for it here, so that it may be asked as often as is instructive. */
const CHAT = { kind: "chat", model: SMALL_CHAT_MODEL, stream: true, every: "5m", perDay: 288 } as const;

const GATEWAYS = [
  { id: "healthy", name: "A gateway that is well", scenario: "healthy", canaries: [CHAT] },
  {
    id: "listed-only",
    name: "A model that is listed and does not answer",
    scenario: "chat_no_channel",
    canaries: [CHAT],
  },
  { id: "empty-account", name: "An account without balance", scenario: "balance_402" },
  { id: "error-in-200", name: "A 200 with an error inside", scenario: "envelope_5000" },
  { id: "wrong-address", name: "A web page at a wrong address", scenario: "html_200" },
  { id: "rate-limited", name: "A limit that passes by itself", scenario: "rate_limited_31" },
  { id: "upstream-out", name: "An upstream that is out", scenario: "html_502" },
];

const KEY_NAME = "SIMULATED_API_KEY";

export type Demo = Awaited<ReturnType<typeof startDemo>>;

export async function startDemo() {
  const simulator = await startSimulator({ port: USUAL_PORT }).catch(() => startSimulator());
  const config: ConfigInput = {
    title: "Gatepulse demonstration",
    notice:
      "These gateways are simulated on this machine. Name your own in gatepulse.config.ts and start again.",
    gateways: GATEWAYS.map(({ id, name, scenario, canaries = [] }) => ({
      id,
      name,
      baseUrl: simulator.baseUrl(scenario),
      apiKey: KEY_NAME,
      showEndpoint: true,
      monitors: [{ kind: "models" }, ...canaries],
    })),
  };
  return { config, secrets: { [KEY_NAME]: SIMULATOR_KEYS.good }, stop: () => simulator.close() };
}
