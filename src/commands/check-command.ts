/** `gatepulse check`: every fault of a configuration, and what it will do. */
import { t } from "../config/spoken.ts";
import { dirname } from "node:path";
import type { CanaryConfig, ChannelConfig, Config, GatewayConfig, MonitorConfig } from "../config/config.ts";
import { formatDuration } from "../config/fields.ts";
import { type SecretFault, secretFaults, secretNames } from "../config/secrets.ts";
import { DAY_MS, MINUTE_MS, timeWords } from "../domain/calendar.ts";
import { nextStart } from "../domain/recurrence.ts";
import {
  adviceFor,
  dollars,
  freeAdvice,
  freeVerdict,
  latenessOf,
  latenessWords,
  monthlyPrice,
  type Advice,
} from "../plan/advice.ts";
import { dayOf, QUIET_DAY } from "../plan/usage.ts";
import { EXIT, command, type Io } from "../cli/command.ts";
import { CONFIG, readNamedConfig, readSecrets, type SecretValues } from "../cli/config-file.ts";
import { harmless, painterFor, table, type Paint } from "../cli/terminal.ts";

function warningsOf(config: Config): readonly Advice[] {
  const lateness = latenessOf(config);
  return [
    ...(lateness === null ? [] : [latenessWords(config, lateness)]),
    ...adviceFor(config),
    ...config.gateways.flatMap(listWarnings),
    ...config.gateways.flatMap(({ monitors }) => monitors.flatMap(capWarnings)),
    ...linkWarnings(config),
    ...planWarnings(config),
  ];
}

function canariesOf({ gateways }: Config): readonly (MonitorConfig & { canary: CanaryConfig })[] {
  return gateways
    .flatMap(({ monitors }) => monitors)
    .flatMap((monitor) => {
      const { canary } = monitor;
      return canary === null ? [] : [{ ...monitor, canary }];
    });
}

/** Held against what a quiet day uses: `gatepulse plan` shows all of it. */
function planWarnings(config: Config): readonly Advice[] {
  return freeAdvice(config, freeVerdict(dayOf(config, QUIET_DAY))).map(({ problem, fix }) => ({
    problem: t`The free plan is not enough. ${problem}`,
    fix,
  }));
}

/** If you write a canary, you write the whole list of monitors, and may forget the first one. */
function listWarnings({ id, monitors }: GatewayConfig): readonly Advice[] {
  const isListed = monitors.some(({ kind }) => kind === "models");
  if (isListed || !monitors.some(({ canary }) => canary?.isGeneration === true)) return [];
  const problem = t`${id} has canaries, but its list of models is not checked. Canaries then keep spending while the gateway is down.`;
  return [{ problem, fix: t`add { kind: "models" } to the monitors of ${id}, unless it has no such list` }];
}

function linkWarnings({ alerts, url, parts }: Config): readonly Advice[] {
  if (alerts.length === 0 || url !== null || !parts.includes("pages")) return [];
  const problem = t`Alerts do not link to their incidents, because url is not set.`;
  return [
    { problem, fix: t`set url to the address of your status page, such as "https://status.example.com"` },
  ];
}

function capWarnings({ id, everyMs, canary }: MonitorConfig): readonly Advice[] {
  const perDay = canary?.perDay ?? null;
  const slots = Math.floor(DAY_MS / everyMs);
  if (perDay === null || slots <= perDay) return [];
  const every = formatDuration(Math.ceil(DAY_MS / perDay / MINUTE_MS) * MINUTE_MS);
  const problem = t`${id} is due ${slots} times a day, but perDay allows ${perDay} requests: it is skipped for the rest of each day.`;
  return [{ problem, fix: t`write every: "${every}", or perDay: ${slots}` }];
}

export const check = command("check", CONFIG, async (line) => {
  const { io } = line;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const read = await readNamedConfig(line);
  const { config, name, path } = read;
  const { here, isWrong, text } = await judgeSecrets(config, path, io.env);
  io.stdout.write(summaryText(name, config, here, paint) + text);
  return isWrong ? EXIT.others : EXIT.ok;
});

/** Those that are set on this machine. */
export async function judgeSecrets(config: Config, path: string, env: Io["env"]) {
  const here = await readSecrets(config, dirname(path), env);
  const wrong = secretFaults(config, (secret) => here.secrets[secret] ?? null);
  const faults = wrong.map(
    (fault) =>
      `\n${t`On this machine ${harmless(fault.problem)}.`}\n${t`fix: `}${harmless(fixOf(fault, config))}\n`,
  );
  return { here, isWrong: wrong.length > 0, text: faults.join("") };
}

function summaryText(file: string, config: Config, here: SecretValues, paint: Paint): string {
  const monitors = config.gateways.flatMap((gateway) => gateway.monitors);
  const canaries = canariesOf(config).map(({ id }) => id);
  const bindings = config.alerts.flatMap((channel) => (channel.kind === "email" ? [channel.binding] : []));
  const rows: (readonly [string, string])[] = [
    ["gateways", listed(config.gateways.map((gateway) => gateway.id))],
    ["monitors", String(monitors.length)],
    ...(canaries.length === 0 ? [] : [["canaries", canariesText(canaries, config)] as const]),
    ["alerts", listed(config.alerts.filter(isConfigured).map((channel) => channel.id))],
    ["secrets", listed(secretNames(config))],
    ...config.recurring.map((rule) => ["maintenance", nextText(rule, Date.now())] as const),
    ...(here.missing.length === 0
      ? []
      : [["not set here", t`${listed(here.missing)}; npm start needs them`] as const]),
    ...(bindings.length === 0 ? [] : [["bindings", listed([...new Set(bindings)])] as const]),
    ...(config.plan === "paid" ? [["paid plan", priceText(config)] as const] : []),
  ];
  return `${paint(t`${file} is valid`, "green")}\n\n${table(rows, paint)}${warningsText(config)}`;
}

/** Those of `alerts`: `otlp` and `push` stand for themselves. */
function isConfigured({ kind }: ChannelConfig): boolean {
  return kind !== "otlp" && kind !== "push";
}

function nextText(rule: Config["recurring"][number], nowMs: number): string {
  const startMs = nextStart(rule, nowMs);
  const when = startMs === null ? t`never again: the rule is over` : t`next at ${timeWords(startMs)}`;
  return `${harmless(rule.title)}: ${when}`;
}

function canariesText(ids: readonly string[], config: Config): string {
  const costly = canariesOf(config).filter(({ canary }) => canary.isGeneration);
  const requests = costly.reduce((sum, { canary }) => sum + (canary.perDay ?? 0), 0);
  return t`${listed(ids)}; at most ${requests} requests a day that cost money`;
}

function priceText(config: Config): string {
  const { totalMicros } = monthlyPrice(dayOf(config, QUIET_DAY));
  return t`${dollars(totalMicros)} a month without views and incidents; gatepulse plan shows the details`;
}

export function warningsText(config: Config): string {
  return warningsOf(config)
    .map(({ problem, fix }) => `\n${problem}\n${t`fix: `}${fix}\n`)
    .join("");
}

function fixOf({ name }: SecretFault, { alerts }: Config): string {
  const signs = alerts.some((channel) => channel.kind === "webhook" && channel.secret?.includes(name));
  const made = signs ? t`make one with echo "whsec_$(openssl rand -base64 32)", and ` : "";
  return t`${made}set ${name} in .dev.vars or the environment`;
}

const MOST_LISTED = 20;

function listed(names: readonly string[]): string {
  if (names.length === 0) return t`none`;
  const more = names.length - MOST_LISTED;
  const shown = names.slice(0, MOST_LISTED).map(harmless).join(", ");
  return `${names.length} (${shown}${more > 0 ? t` and ${more} more` : ""})`;
}
