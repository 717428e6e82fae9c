/** The one entrance of a configuration: any value in, either all its faults or the normalised Config out. Pure. */
import * as z from "zod/mini";
import { canaryConfig, usualMonitorId } from "./canary-config.ts";
import { normaliseChannel, otlpChannel, pushChannel } from "./channel-schema.ts";
import type { Config } from "./config.ts";
import type { ConfigInput } from "./define-config.ts";
import {
  faultsOfIssues,
  faultWords,
  formatPath,
  type Fault,
  type Path,
  type PathFault,
  writtenAt,
} from "./faults.ts";
import { partsOf } from "./site-schema.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { costFaults, fullMonitorId, relationFaults, type Sound } from "./relations.ts";
import { configSchema } from "./schema.ts";
import { secretFaults } from "./secret-shape.ts";

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** `input`: what gatepulse.config.ts exports, or parsed JSON. All faults at once, by path. */
export function parseConfig(input: unknown): ParsedConfig {
  const parsed = z.safeParse(configSchema, input, { reportInput: true });
  const issues = parsed.success ? [] : faultsOfIssues(parsed.error.issues);
  const faulty = issues.map(({ path }) => path);
  const sound = soundPart(input, faulty) as Sound<ConfigInput> | undefined;
  const relations = relationFaults(sound ?? {}, !faulty.some(([key]) => key === "plan"));
  const faults = ordered(input, secretFaults(input), [...issues, ...relations]);
  if (faults.length > 0 || !parsed.success) return { ok: false, faults };
  const config = normalise(parsed.data);
  const ofTheWhole = ordered(input, [], costFaults(config));
  return ofTheWhole.length > 0 ? { ok: false, faults: ofTheWhole } : { ok: true, config };
}

/** @throws with all faults. */
export function readConfig(input: unknown): Config {
  const parsed = parseConfig(input);
  if (parsed.ok) return parsed.config;
  const faults = parsed.faults.map((fault) => `${faultWords(fault)}; ${fault.fix}`);
  throw new Error(`the configuration has problems:\n${faults.join("\n")}`);
}

/** The value without its faulty parts. If a `kind` is wrong, nothing beside it can be judged. */
function soundPart(value: unknown, faulty: readonly Path[]): unknown {
  if (faulty.some(([key]) => key === undefined || key === "kind")) return undefined;
  if (faulty.length === 0 || typeof value !== "object" || value === null) return value;
  const below = (key: PropertyKey): readonly Path[] =>
    faulty.filter(([first]) => first === key).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return Array.from(value, (item: unknown, at) => soundPart(item, below(at)));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, soundPart(inner, below(key))]));
}

/** What looks like a secret has that fault alone. Faults with the same fix are one: a number can be wrong in several ways. */
function ordered(
  input: unknown,
  secrets: readonly PathFault[],
  others: readonly PathFault[],
): readonly Fault[] {
  const graver = new Set(secrets.map(({ path }) => formatPath(path)));
  const byFix = new Map<string, Fault>();
  for (const fault of [...secrets, ...others]) {
    const { problem, fix, ofName = false } = fault;
    const path = formatPath(fault.path);
    const key = `${path}\n${fix}`;
    const isLesser = graver.has(path) && !secrets.some((secret) => secret.fix === fix);
    if (!isLesser && !byFix.has(key)) {
      const written = ofName || graver.has(path) ? null : writtenAt(input, fault);
      byFix.set(key, { path, written, problem, fix });
    }
  }
  return [...byFix.values()].sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
}

type Output = z.output<typeof configSchema>;
type GatewayOutput = Output["gateways"][number];
type MonitorOutput = GatewayOutput["monitors"][number];

export function normalise(input: Output) {
  const { open: _, close: _close, remindEvery: _remind, flapping: _flapping, ...own } = input;
  const gateways = input.gateways.map((gateway) => normaliseGateway(gateway, input));
  return {
    ...own,
    maxProbesPerTick: input.maxProbesPerTick ?? PLAN_LIMITS[input.plan].defaultProbesPerTick,
    parts: partsOf(input.parts, input.push !== null),
    gateways,
    alerts: [
      ...input.alerts.map((channel) => normaliseChannel(channel, gateways)),
      ...(input.otlp === null ? [] : [otlpChannel(input.otlp)]),
      ...(input.push === null ? [] : [pushChannel(input.push)]),
    ],
    maintenance: input.maintenance.flatMap((one) => {
      if ("rrule" in one) return [];
      const { from, to, ...window } = one;
      return [{ ...window, fromMs: Date.parse(from), toMs: Date.parse(to) }];
    }),
    /** Maintenance by rules. */
    recurring: input.maintenance.flatMap((one) => {
      if (!("rrule" in one)) return [];
      const { duration: durationMs, timeZone = input.timeZone, ...rule } = one;
      return [{ ...rule, timeZone, durationMs }];
    }),
  };
}

export function normaliseGateway(gateway: GatewayOutput, input: Output) {
  const { insecureHttp: _, vendorPrefix: _prefix, ...own } = gateway;
  const pages = new Set(gateway.upstream.map(({ status }) => status));
  const siblings = (pages.size === 0 ? [] : input.gateways)
    .filter(({ upstream }) => upstream.some(({ status }) => pages.has(status)))
    // One incident is as public as each of its gateways.
    .filter(({ id, publish }) => id !== gateway.id && publish === gateway.publish)
    .map(({ id }) => id);
  return {
    ...own,
    name: gateway.name ?? gateway.id,
    monitors: gateway.monitors.map((monitor) => ({ ...normaliseMonitor(monitor, gateway, input), siblings })),
  };
}

function normaliseMonitor(monitor: MonitorOutput, gateway: GatewayOutput, input: Output) {
  const model = "model" in monitor ? monitor.model : null;
  return {
    /** `<gateway>/<monitor>`; names the monitor everywhere. */
    id: `${gateway.id}/${monitor.id ?? usualMonitorId(monitor.kind, model)}`,
    gatewayId: gateway.id,
    operator: gateway.operator,
    kind: monitor.kind,
    model,
    /** Null: it is no canary. */
    canary: monitor.kind === "models" ? null : canaryConfig(monitor, gateway.apiKey),
    everyMs: monitor.every,
    /** Model ids that the list must hold; of a canary none. */
    expect: monitor.kind === "models" ? [...new Set(monitor.expect)] : [],
    /** An `ok` answer slower than this is `slow`; null: no limit. */
    slowerThanMs: monitor.slowerThan ?? null,
    /** Failed probes in a row that open an incident, and good ones that close it. */
    open: monitor.open ?? input.open,
    close: monitor.close ?? input.close,
    /** How often a reminder of an open incident is sent; null: never. */
    remindEveryMs: (monitor.remindEvery ?? input.remindEvery) || null,
    /** More changes of state an hour than this are one flapping incident; null: they never are. */
    flapping: (monitor.flapping ?? input.flapping) || null,
    runbook: monitor.runbook,
    runbooks: monitor.runbooks,
    contact: monitor.contact,
    /** Full ids that this monitor had before, in no order: it carries their history on. */
    formerly: [...new Set(monitor.formerly.map((former) => fullMonitorId(gateway.id, former)))],
  };
}
