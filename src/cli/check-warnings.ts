/** What a valid configuration will do that its writer may not have meant, each with its mend. Pure. */
import type { CanaryConfig, Config, GatewayConfig, MonitorConfig } from "../config/config.ts";
import { formatDuration } from "../config/duration.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { dayOf } from "../plan/day.ts";
import { latenessOf, latenessWords } from "../plan/lateness.ts";
import { QUIET_DAY } from "../plan/ledger-day.ts";
import { mendOf } from "../plan/mends.ts";
import { adviceWords, shardAdvice } from "../plan/shard-advice.ts";
import { freeVerdict } from "../plan/verdict.ts";
import { passedWords } from "../plan/words.ts";

export interface Warning {
  readonly problem: string;
  readonly mend: string;
}

export function warningsOf(config: Config): readonly Warning[] {
  return [
    ...overloadWarnings(config),
    ...shardWarnings(config),
    ...config.gateways.flatMap(listWarnings),
    ...config.gateways.flatMap(({ monitors }) => monitors.flatMap(capWarnings)),
    ...planWarnings(config),
  ];
}

/** Of what costs money. */
export function requestsADay(config: Config): number {
  return canariesOf(config).reduce(
    (sum, { canary }) => sum + (canary.isGeneration ? (canary.perDay ?? 0) : 0),
    0,
  );
}

export function canariesOf({ gateways }: Config): readonly (MonitorConfig & { canary: CanaryConfig })[] {
  return gateways
    .flatMap(({ monitors }) => monitors)
    .flatMap((monitor) => {
      const { canary } = monitor;
      return canary === null ? [] : [{ ...monitor, canary }];
    });
}

function overloadWarnings(config: Config): readonly Warning[] {
  const lateness = latenessOf(config, QUIET_DAY);
  return lateness === null ? [] : [latenessWords(config, lateness)];
}

function shardWarnings(config: Config): readonly Warning[] {
  const advice = shardAdvice(config);
  return advice === null ? [] : [adviceWords(advice, config)];
}

/** Held against what a quiet day uses: `gatepulse plan` tells all of it. */
function planWarnings(config: Config): readonly Warning[] {
  if (config.plan !== "free") return [];
  const { held } = freeVerdict(dayOf(config, QUIET_DAY));
  return held
    .filter(({ share }) => share > 1)
    .map((passed) => ({
      problem: `The free plan is not enough. ${passedWords(passed)}`,
      mend: mendOf(passed.quantity, config, QUIET_DAY),
    }));
}

/** Whoever writes a canary writes the whole list of monitors, and may leave the first one out. */
function listWarnings({ id, monitors }: GatewayConfig): readonly Warning[] {
  const isListed = monitors.some(({ kind }) => kind === "models");
  if (isListed || !monitors.some(({ canary }) => canary?.isGeneration === true)) return [];
  const problem = `${id} has canaries and no monitor of its models: nobody sees whether a model is listed, and nothing keeps canaries from spending while the gateway is down.`;
  return [{ problem, mend: `add { kind: "models" } to the monitors of ${id}` }];
}

function capWarnings({ id, everyMs, canary }: MonitorConfig): readonly Warning[] {
  const perDay = canary?.perDay ?? null;
  const slots = Math.floor(DAY_MS / everyMs);
  if (perDay === null || slots <= perDay) return [];
  const every = formatDuration(Math.ceil(DAY_MS / perDay / MINUTE_MS) * MINUTE_MS);
  const problem = `${id} falls due ${slots} times a day and may send ${perDay} requests: for the rest of each day it is skipped.`;
  return [{ problem, mend: `write every: "${every}", or perDay: ${slots}` }];
}
