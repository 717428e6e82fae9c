/**
 * The one entrance of a configuration: any value in, either all its faults or the normalised Config out. Pure.
 */
import type * as z from "zod/mini";
import { judgeBaseUrl } from "./base-url.ts";
import { normaliseChannel } from "./channel-schema.ts";
import { canaryConfig } from "./canary-config.ts";
import type { Config, GatewayConfig, MonitorConfig } from "./config.ts";
import { faultsOfIssues, type Fault } from "./faults.ts";
import { usualMonitorId } from "./monitor-input.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { fullMonitorId, relationFaults, seriesFaults } from "./relations.ts";
import { configSchema, settings } from "./schema.ts";

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** `input`: what gatepulse.config.ts exports, or parsed JSON. All faults at once, by path. */
export function parseConfig(input: unknown): ParsedConfig {
  const parsed = configSchema.safeParse(input);
  const issues = parsed.success ? [] : faultsOfIssues(parsed.error.issues, input, settings);
  const faults = ordered([...relationFaults(input), ...planFaults(input)], issues);
  if (faults.length > 0 || !parsed.success) return { ok: false, faults };
  const config = normalise(parsed.data);
  const tooMany = seriesFaults(config);
  return tooMany.length > 0 ? { ok: false, faults: tooMany } : { ok: true, config };
}

type Output = z.output<typeof configSchema>;
type GatewayOutput = Output["gateways"][number];
type MonitorOutput = GatewayOutput["monitors"][number];

/**
 * Where a relation is at fault, the schema's words for the same value say less. Faults with the same fix are one: a text
 * can be too short in several ways.
 */
function ordered(relations: readonly Fault[], issues: readonly Fault[]): readonly Fault[] {
  const related = new Set(relations.map(({ path }) => path));
  const byFix = new Map<string, Fault>();
  for (const fault of [...relations, ...issues.filter(({ path }) => !related.has(path))]) {
    const key = JSON.stringify([fault.path, fault.fix]);
    if (!byFix.has(key)) byFix.set(key, fault);
  }
  return [...byFix.values()].sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
}

function planFaults(input: unknown): readonly Fault[] {
  const { plan, maxProbesPerTick, shards, heartbeat } = (input ?? {}) as Record<string, unknown>;
  if (plan === "paid") return [];
  return [...probeFaults(maxProbesPerTick, heartbeat), ...shardFaults(shards)];
}

function probeFaults(maxProbesPerTick: unknown, heartbeat: unknown): readonly Fault[] {
  const beat = heartbeat === undefined ? 0 : 1;
  const limit = PLAN_LIMITS.free.maxProbesPerTick - beat;
  if (typeof maxProbesPerTick !== "number" || maxProbesPerTick <= limit) return [];
  const room = `${PLAN_LIMITS.free.subrequests} requests that an invocation of the free plan may send`;
  const problem = `is more than the ${room}${beat > 0 ? ", the heartbeat being one" : ""}`;
  return [{ path: "maxProbesPerTick", problem, fix: `write at most ${limit}, or plan: "paid"` }];
}

function shardFaults(shards: unknown): readonly Fault[] {
  const { mostShards } = PLAN_LIMITS.free;
  if (typeof shards !== "number" || shards <= mostShards) return [];
  const problem = `is more than the queue of the free plan carries: each shard is a message a minute`;
  return [{ path: "shards", problem, fix: `write at most ${mostShards}, or plan: "paid"` }];
}

function normalise(input: Output): Config {
  const gateways = input.gateways.map((gateway) => normaliseGateway(gateway, input));
  return {
    title: input.title,
    notice: input.notice ?? null,
    url: input.url ?? null,
    language: input.language,
    timeZone: input.timeZone,
    plan: input.plan,
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
  const judged = judgeBaseUrl(gateway.baseUrl, { insecureHttp: gateway.insecureHttp });
  return {
    id: gateway.id,
    name: gateway.name ?? gateway.id,
    baseUrl: judged.ok ? judged.baseUrl : gateway.baseUrl,
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
