/** Canaries as a configuration has them, and one errand of theirs. */
import { readThrown } from "../../src/protocol/thrown.ts";
import type { CanaryConfig } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/load.ts";
import type { Errand, OpenTask } from "../../src/domain/canary.ts";
import { type CanaryTarget, runCanaryProbe } from "../../src/probe/canary-probe.ts";
import type { RoundsDeps } from "../../src/probe/rounds.ts";
import { handClock } from "./hand-clock.ts";

export const KEY = "sk-test-0123456789abcdef";

export type Written = Readonly<Record<string, unknown>>;

/** A canary as `gatepulse.config.ts` would write it. */
function canaryOf(written: Written): { canary: CanaryConfig; slowerThanMs: number | null } {
  const gateways = [
    { id: "a", name: "A", baseUrl: "https://a.example", apiKey: "A_KEY", monitors: [written] },
  ];
  const monitor = readConfig({ title: "T", gateways }).gateways[0]?.monitors[0];
  if (!monitor?.canary) throw new Error("no canary");
  return { canary: monitor.canary, slowerThanMs: monitor.slowerThanMs };
}

export const errand = (task: OpenTask | null = null, attempts = 1): Errand => ({
  monitorId: "a/canary",
  task,
  attempts,
});

export async function probeCanary(
  written: Written,
  baseUrl: string,
  over: { errand?: Errand; deps?: Partial<RoundsDeps>; target?: Partial<CanaryTarget> } = {},
) {
  return runCanaryProbe(
    { monitor: canaryOf(written), baseUrl, apiKey: KEY, secretName: "A_KEY", ...over.target },
    over.errand ?? errand(),
    { fetch, clock: handClock(), random: () => 0.5, readFailure: readThrown, ...over.deps },
  );
}

/** The outcome and the findings of a canary that was sent. */
export async function askCanary(...args: Parameters<typeof probeCanary>) {
  const probed = await probeCanary(...args);
  if (probed.type !== "probed") throw new Error(probed.type);
  const { outcome, findings } = probed;
  if (findings?.type !== "canary") throw new Error("no findings of a canary");
  return { outcome, diagnosis: outcome.diagnosis, findings };
}
