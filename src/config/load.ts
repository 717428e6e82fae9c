/** The one entrance of a configuration: any value in, either all its faults or the normalised Config out. Pure. */
import * as z from "zod/mini";
import { canaryConfig, usualMonitorId } from "./canary-config.ts";
import { normaliseChannel } from "./channel-schema.ts";
import type { Config, GatewayConfig, MonitorConfig } from "./config.ts";
import type { ConfigInput } from "./define-config.ts";
import { faultsOfIssues, formatPath, type Fault, type Path, type PathFault } from "./faults.ts";
import { REPORTING } from "./fields.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { fullMonitorId, relationFaults, seriesFaults, type Sound } from "./relations.ts";
import { configSchema } from "./schema.ts";
import { secretFaults } from "./secret-shape.ts";

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** `input`: what gatepulse.config.ts exports, or parsed JSON. All faults at once, by path. */
export function parseConfig(input: unknown): ParsedConfig {
  const parsed = z.safeParse(configSchema, input, REPORTING);
  const issues = parsed.success ? [] : faultsOfIssues(parsed.error.issues);
  const sound = soundPart(
    input,
    issues.map(({ path }) => path),
  ) as Sound<ConfigInput> | undefined;
  const faults = ordered(secretFaults(input), [...issues, ...relationFaults(sound ?? {})]);
  if (faults.length > 0 || !parsed.success) return { ok: false, faults };
  const config = normalise(parsed.data);
  const tooMany = ordered([], seriesFaults(config));
  return tooMany.length > 0 ? { ok: false, faults: tooMany } : { ok: true, config };
}

/** @throws with all faults. */
export function readConfig(input: unknown): Config {
  const parsed = parseConfig(input);
  if (parsed.ok) return parsed.config;
  const faults = parsed.faults.map(({ path, problem, fix }) => `${path}: ${problem}; ${fix}`);
  throw new Error(`the configuration has faults:\n${faults.join("\n")}`);
}

/** Without what is at fault. Where a kind is, nothing is known of what stands beside it. */
function soundPart(value: unknown, faulty: readonly Path[]): unknown {
  if (faulty.some(([key]) => key === undefined || key === "kind")) return undefined;
  if (faulty.length === 0 || typeof value !== "object" || value === null) return value;
  const below = (key: PropertyKey): readonly Path[] =>
    faulty.filter(([first]) => first === key).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return Array.from(value, (item: unknown, at) => soundPart(item, below(at)));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, soundPart(inner, below(key))]));
}

/** What looks like a secret has that fault alone. Faults with the same fix are one: a number can be wrong in several ways. */
function ordered(secrets: readonly PathFault[], others: readonly PathFault[]): readonly Fault[] {
  const graver = new Set(secrets.map(({ path }) => formatPath(path)));
  const byFix = new Map<string, Fault>();
  for (const { path: at, problem, fix } of [...secrets, ...others]) {
    const path = formatPath(at);
    const key = `${path}\n${fix}`;
    const isLesser = graver.has(path) && !secrets.some((secret) => secret.fix === fix);
    if (!isLesser && !byFix.has(key)) byFix.set(key, { path, problem, fix });
  }
  return [...byFix.values()].sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
}

type Output = z.output<typeof configSchema>;
type GatewayOutput = Output["gateways"][number];
type MonitorOutput = GatewayOutput["monitors"][number];

function normalise(input: Output): Config {
  const gateways = input.gateways.map((gateway) => normaliseGateway(gateway, input));
  return {
    title: input.title,
    notice: input.notice ?? null,
    url: input.url ?? null,
    language: input.language,
    timeZone: input.timeZone,
    plan: input.plan,
    lanes: input.lanes,
    shards: input.shards,
    maxProbesPerTick: input.maxProbesPerTick ?? PLAN_LIMITS[input.plan].defaultProbesPerTick,
    gateways,
    alerts: input.alerts.map((channel) => normaliseChannel(channel, gateways)),
    heartbeat: input.heartbeat ?? null,
    maintenance: input.maintenance.map((window) => ({
      gateways: window.gateways,
      fromMs: Date.parse(window.from),
      toMs: Date.parse(window.to),
      title: window.title,
    })),
  };
}

function normaliseGateway(gateway: GatewayOutput, input: Output): GatewayConfig {
  return {
    id: gateway.id,
    name: gateway.name ?? gateway.id,
    baseUrl: gateway.baseUrl,
    apiKey: gateway.apiKey,
    showEndpoint: gateway.showEndpoint,
    publish: gateway.publish,
    regions: gateway.regions ?? [],
    monitors: gateway.monitors.map((monitor) => normaliseMonitor(monitor, gateway, input)),
  };
}

function normaliseMonitor(monitor: MonitorOutput, gateway: GatewayOutput, input: Output): MonitorConfig {
  const model = "model" in monitor ? monitor.model : null;
  return {
    id: `${gateway.id}/${monitor.id ?? usualMonitorId(monitor.kind, model)}`,
    gatewayId: gateway.id,
    kind: monitor.kind,
    model,
    canary: monitor.kind === "models" ? null : canaryConfig(monitor, gateway.apiKey),
    everyMs: monitor.every,
    expect: monitor.kind === "models" ? [...new Set(monitor.expect)] : [],
    slowerThanMs: monitor.slowerThan ?? null,
    open: monitor.open ?? input.open,
    close: monitor.close ?? input.close,
    remindEveryMs: (monitor.remindEvery ?? input.remindEvery) || null,
    flapping: (monitor.flapping ?? input.flapping) || null,
    formerly: [...new Set(monitor.formerly.map((former) => fullMonitorId(gateway.id, former)))],
  };
}
