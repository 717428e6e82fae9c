/** The configuration as a schema: what may be written, and what is meant where nothing is. */
import * as z from "zod/mini";
import { MINUTE_MS } from "../domain/calendar.ts";
import { judgePublicUrl } from "./base-url.ts";
import { CANARY_SCHEMAS, pointerKeys, prices } from "./canary-schema.ts";
import { channel, channelKeys, only } from "./channel-schema.ts";
import { LANGUAGES, MONITOR_KINDS, REGIONS, type MonitorKind } from "./config.ts";
import type { Level, Settings } from "./faults.ts";
import {
  address,
  chosen,
  count,
  everyField,
  flag,
  flapping,
  id,
  idField,
  incidentFields,
  later,
  longest,
  modelId,
  remindEvery,
  secretName,
  shortest,
  text,
} from "./fields.ts";
import { MOST_SHARDS } from "./placement.ts";
import { MOST_CHANNELS, PLAN_LIMITS } from "./plan-limits.ts";

const KINDS = {
  models: later(() =>
    z.strictObject({
      kind: z.literal("models"),
      ...idField(),
      ...everyField(MINUTE_MS),
      expect: z._default(
        z
          .array(modelId(), 'write a list of model ids, like ["gpt-4o"]')
          .check(longest(100, "name at most 100")),
        [],
      ),
      ...incidentFields(),
    }),
  ),
  ...CANARY_SCHEMAS,
} satisfies Record<MonitorKind, unknown>;

/** Where the kind is none of them, only what all have in common can be judged. Nothing passes it. */
const anyKind = later(() =>
  z.object(
    {
      kind: z.enum(MONITOR_KINDS as unknown as never[], `write one of: ${MONITOR_KINDS.join(", ")}`),
      ...idField(),
      ...everyField(MINUTE_MS),
      ...incidentFields(),
    },
    'write an object like { kind: "models", every: "1m" }',
  ),
);

const monitor = chosen((value) => schemaOf((value as { kind?: unknown } | null)?.kind) ?? anyKind());

function schemaOf(kind: unknown) {
  return MONITOR_KINDS.some((name) => name === kind) ? KINDS[kind as MonitorKind]() : null;
}

/** The settings of a monitor of this kind; none if there is no such kind. */
function monitorKeys(kind: unknown): readonly string[] {
  return Object.keys(schemaOf(kind)?.shape ?? {});
}

/** The kinds of monitors that have this setting. */
function kindsWith(key: string): readonly MonitorKind[] {
  return MONITOR_KINDS.filter((kind) => Object.hasOwn(KINDS[kind]().shape, key));
}

const REGIONS_FIX = `write regions out of ${REGIONS.join(", ")}`;
// Said twice, one would count twice where the majority counts.
const regions = z.array(z.enum(REGIONS, REGIONS_FIX), 'write a list like ["weur", "apac"]').check(
  shortest(1, "name a region, or leave regions out"),
  z.refine((named) => !Array.isArray(named) || new Set(named).size === named.length, {
    error: "name each region once",
    params: { problem: "names a region twice" },
    // Also where one of them is none.
    when: ({ value }) => Array.isArray(value),
  }),
);

const gateway = z.strictObject(
  {
    id: id(),
    name: z.optional(text(80)),
    // Judged in relations.ts, since insecureHttp beside it decides.
    baseUrl: z.string("write the base address like https://api.example.com"),
    apiKey: secretName("ACME_API_KEY"),
    showEndpoint: z._default(flag(), false),
    publish: z._default(z.enum(["causes", "health"], 'write "causes" or "health"'), "causes"),
    insecureHttp: z._default(flag(), false),
    vendorPrefix: z._default(flag(), false),
    regions: z.optional(regions),
    monitors: z._default(
      z
        .array(monitor, 'write a list like [{ kind: "models" }]')
        .check(shortest(1, 'add a monitor like { kind: "models" }, or leave monitors out')),
      [{ kind: "models", every: MINUTE_MS, expect: [], formerly: [] }],
    ),
  },
  "write an object with id, baseUrl and apiKey",
);

const INSTANT_FIX = "write a date and time with its offset, like 2026-12-01T02:00:00Z";
// Not z.iso.datetime: the bundle would hold every format of z.iso.
export const instant = z
  .string(INSTANT_FIX)
  .check(z.refine(isInstant, { error: INSTANT_FIX, params: { problem: "has the wrong form" } }));

const maintenance = z.strictObject(
  {
    gateways: z._default(z.array(z.string("write a gateway's id"), "write a list of gateway ids"), []),
    from: instant,
    to: instant,
    title: z._default(text(120), "Planned maintenance"),
  },
  "write an object with from, to and title",
);

const TIME_ZONE_FIX = "write an IANA time zone like Asia/Shanghai, or UTC";
const timeZone = z
  .string(TIME_ZONE_FIX)
  .check(z.refine(isTimeZone, { error: TIME_ZONE_FIX, params: { problem: "is no time zone" } }));

/** The schema of ConfigInput; its output has defaults filled in and durations in milliseconds. */
export const configSchema = z.strictObject(
  {
    title: text(120),
    notice: z.optional(text(300)),
    url: z.optional(address(judgePublicUrl, "write the page's address like https://status.example.com")),
    language: z._default(z.enum(LANGUAGES, `write one of: ${LANGUAGES.join(", ")}`), "en"),
    timeZone: z._default(timeZone, "UTC"),
    plan: z._default(z.enum(["free", "paid"], 'write "free" or "paid"'), "free"),
    maxProbesPerTick: z.optional(count(1, PLAN_LIMITS.paid.maxProbesPerTick)),
    open: z._default(count(1, 100), 2),
    close: z._default(count(1, 100), 2),
    remindEvery: z._default(remindEvery, false),
    flapping: z._default(flapping, 4),
    heartbeat: z.optional(secretName("HEARTBEAT_URL")),
    shards: z._default(count(1, MOST_SHARDS), 1),
    gateways: z.array(gateway, "write a list of gateways; [] for none yet"),
    alerts: z._default(
      z
        .array(channel, "write a list of channels")
        .check(longest(MOST_CHANNELS, `name at most ${MOST_CHANNELS}: one may tell of several gateways`)),
      [],
    ),
    maintenance: z._default(z.array(maintenance, "write a list of windows"), []),
  },
  "export an object: export default defineConfig({ title, gateways })",
);

/** What it tells of itself. */
export const settings: Settings = { keys: knownKeys, kindsWith };

/** The settings of a level; those of a monitor, of its pointers and of a channel are told by its `kind`. */
export function knownKeys(level: Level, kind: unknown): readonly string[] {
  switch (level) {
    case "root":
      return Object.keys(configSchema.shape);
    case "gateway":
      return Object.keys(gateway.shape);
    case "monitor":
      return monitorKeys(kind);
    case "pointers":
      return pointerKeys(kind);
    case "prices":
      return Object.keys(prices().shape);
    case "maintenance":
      return Object.keys(maintenance.shape);
    case "channel":
      return channelKeys(kind);
    case "only":
      return Object.keys(only().shape);
    case "other":
      return [];
  }
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** RFC 3339, upper case, seconds and offset written. Date takes a day that the month does not have for another one. */
function isInstant(value: string): boolean {
  const date = INSTANT.exec(value)?.[1];
  if (date === undefined) return false;
  const startMs = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(date);
}

/** Intl takes offsets like +08:00 too; those are no names of zones. */
function isTimeZone(value: string): boolean {
  // The default needs no look-up: the first use of the time zones costs an isolate 10 ms.
  if (value === "UTC") return true;
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
