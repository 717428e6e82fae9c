/** What `npm start` monitors if no gateway is configured: simulated gateways with 90 days of history. One fails while you watch. */
import type { Config } from "../config/config.ts";
import type { ConfigInput } from "../config/define-config.ts";
import { readConfig } from "../config/load.ts";
import { instant } from "../domain/calendar.ts";
import { runCanaryProbe } from "../probe/canary-probe.ts";
import { systemClock } from "../probe/clock.ts";
import { runModelsProbe } from "../probe/models-probe.ts";
import type { RoundsDeps } from "../probe/rounds.ts";
import { readThrown } from "../protocol/thrown.ts";
import { PROVIDER, type Simulator, startSimulator } from "../simulator/simulator.ts";
import { SIMULATOR_KEYS, SMALL_CHAT_MODEL } from "../simulator/api.ts";
import {
  type Answer,
  answerKey,
  type Asked,
  GATEWAYS,
  MAINTENANCE,
  type Past,
  scenariosPlayed,
  turnOf,
} from "./story/story.ts";

/** It costs nothing here, so it can run as often as is useful to see. */
const CHAT = { kind: "chat", model: SMALL_CHAT_MODEL, stream: true, every: "5m", perDay: 2000 } as const;

const KEY_NAME = "SIMULATED_API_KEY";

export const DEMO_NOTICE =
  "These gateways and their 90 days of history are simulated on this machine. Add your own to gatepulse.config.ts and start again.";

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Its gateways have the addresses of this start. */
export async function startDemo(port: number, tickMs: number) {
  let startMs = Date.now();
  const simulator = await startSimulator({
    port,
    script: (gateway, route, nowMs) =>
      turnOf(gateway, route === "models" ? "list" : "chat", nowMs - startMs, tickMs),
  });
  const config = readConfig(configOf(simulator, startMs));
  const answers = await Promise.all(
    scenariosPlayed().map(async ([asked, scenario]) => {
      const answer = await probe(asked, simulator.baseUrl(scenario), config);
      return [answerKey(asked, scenario), answer] as const;
    }),
  );
  return {
    config,
    secrets: { [KEY_NAME]: SIMULATOR_KEYS.good } as Readonly<Record<string, string>>,
    url: simulator.url,
    /** Begins the story. Returns what happened before. */
    begin: (): Past => {
      startMs = Date.now();
      return { startMs, tickMs, answers: Object.fromEntries(answers) };
    },
    stop: () => simulator.close(),
  };
}

/** The gateway whose provider has a status page. */
const BEHIND = "upstream-out";

function configOf(simulator: Simulator, startMs: number): ConfigInput {
  const { gateway, fromMs, toMs } = MAINTENANCE;
  const [from, to] = [instant(startMs + fromMs), instant(startMs + toMs)];
  return {
    title: "Gatepulse demo",
    notice: DEMO_NOTICE,
    gateways: GATEWAYS.map(({ id, name, chat }) => ({
      id,
      name,
      baseUrl: simulator.named(id),
      apiKey: KEY_NAME,
      upstream: id === BEHIND ? [{ name: "Simulated provider", status: simulator.url + PROVIDER }] : [],
      showEndpoint: true,
      monitors: [{ kind: "models" }, ...(chat === null ? [] : [CHAT])],
    })),
    maintenance: [{ gateways: [gateway], from, to, title: "Move to another data center" }],
  };
}

/** What a probe finds for a scenario. Waits pass at once but count in full. */
async function probe(asked: Asked, baseUrl: string, config: Config): Promise<Answer> {
  const deps: RoundsDeps = {
    fetch,
    clock: { ...systemClock(), sleep: () => Promise.resolve() },
    random: () => 0.5,
    readFailure: readThrown,
  };
  const watched = { baseUrl, apiKey: SIMULATOR_KEYS.good, secretName: KEY_NAME };
  const list = { ...watched, expect: [], watched: [SMALL_CHAT_MODEL], slowerThanMs: null };
  const monitor = config.gateways.flatMap(({ monitors }) => monitors).find(({ canary }) => canary !== null);
  if (!monitor?.canary) throw new Error("the demonstration has no canary");
  const canary = { ...watched, monitor: { ...monitor, canary: monitor.canary, slowerThanMs: null } };
  const errand = { monitorId: monitor.id, task: null, attempts: 1, differing: 0 };
  const probed = await (asked === "list" ? runModelsProbe(list, deps) : runCanaryProbe(canary, errand, deps));
  if (probed.type !== "probed") throw new Error("a simulated gateway was not asked");
  return probed;
}
