/**
 * The shape of the configuration, field by field. Pure. Every message here is the mend that a person reads; what
 * is wrong is told by the kind of the issue (faults.ts). What one field means for another is in relations.ts.
 */
import * as z from "zod/mini";
import { judgePublicUrl } from "./base-url.ts";
import { MONITOR_KINDS } from "./config.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { parseDuration } from "./duration.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import type { Level } from "./reserved.ts";
import { isSecretName } from "./secret-shape.ts";

const MAX_ID_LENGTH = 40;

/** `min` is 1 for all text: an empty name is a mistake. */
function text(maxLength: number) {
  const mend = `write 1 to ${maxLength} characters in quotes, none of them a control character`;
  return z
    .string(mend)
    .check(
      z.minLength(1, mend),
      z.maxLength(maxLength, mend),
      z.regex(/^[^\p{Cc}]*$/u, mend),
      z.regex(/\S/, mend),
    );
}

const ID_MEND = `use 1 to ${MAX_ID_LENGTH} of a-z, 0-9 and -`;
const id = z.string(ID_MEND).check(z.maxLength(MAX_ID_LENGTH, ID_MEND), z.regex(/^[a-z0-9-]+$/, ID_MEND));

function flag() {
  return z.boolean("write true or false, without quotes");
}

function count(min: number, max: number) {
  const mend = `write a whole number from ${min} to ${max}, without quotes`;
  return z.int(mend).check(z.gte(min, mend), z.lte(max, mend));
}

/** A duration in text; the output is milliseconds. */
function duration(minMs: number, stepMs: number, mend: string) {
  return z.pipe(
    z.string(mend),
    z.transform((value: string, { issues }) => {
      const ms = parseDuration(value);
      if (ms === null) issues.push(fault(value, "is no duration", mend));
      else if (ms < minMs || ms > DAY_MS) issues.push(fault(value, "is out of range", mend));
      else if (ms % stepMs !== 0) issues.push(fault(value, "is not in whole minutes", mend));
      else return ms;
      return z.NEVER;
    }),
  );
}

/** A custom issue as faults.ts reads it: the message is the mend, like everywhere here. */
function fault(input: unknown, problem: string, mend: string) {
  return { code: "custom" as const, input, message: mend, params: { problem } };
}

const MODEL_MEND = "write the model's id as the gateway lists it, like gpt-4o";
const modelId = z
  .string(MODEL_MEND)
  .check(z.minLength(1, MODEL_MEND), z.maxLength(200, MODEL_MEND), z.regex(/^[^\s\p{Cc}]*$/u, MODEL_MEND));

const monitor = z.strictObject(
  {
    kind: z.enum(MONITOR_KINDS, `write one of: ${MONITOR_KINDS.join(", ")}`),
    id: z.optional(id),
    every: z._default(
      duration(MINUTE_MS, MINUTE_MS, 'write whole minutes from "1m" to "24h", like "5m"'),
      MINUTE_MS,
    ),
    expect: z._default(
      z
        .array(modelId, 'write a list of model ids, like ["gpt-4o"]')
        .check(z.maxLength(100, "name at most 100")),
      [],
    ),
    slowerThan: z.optional(duration(1, 1, 'write a duration from "1ms" to "24h", like "5s"')),
    open: z.optional(count(1, 100)),
    close: z.optional(count(1, 100)),
  },
  'write an object like { kind: "models", every: "1m" }',
);

/** Named as a gateway's key, these would be sent to it. */
const OWN_BINDINGS = new Set(["ADMIN_TOKEN", "VIEW_TOKEN", "KV", "LEDGER", "TICK_SECONDS", "RUN_ID"]);

const APIKEY_MEND =
  "write the name of a secret like ACME_API_KEY (A-Z, 0-9 and _) and set its value with `wrangler secret put`";
const apiKey = z.string(APIKEY_MEND).check(
  z.refine(isSecretName, { error: APIKEY_MEND, params: { problem: "is not the name of a secret" } }),
  z.refine((name) => !OWN_BINDINGS.has(name), {
    error: "give the gateway's key a name of its own, like ACME_API_KEY",
    params: { problem: "is a name that Gatepulse uses itself" },
  }),
);

const gateway = z.strictObject(
  {
    id,
    name: z.optional(text(80)),
    // Judged in relations.ts, since insecureHttp beside it decides.
    baseUrl: z.string("write the base address like https://api.example.com"),
    apiKey,
    showEndpoint: z._default(flag(), false),
    publish: z._default(z.enum(["causes", "health"], 'write "causes" or "health"'), "causes"),
    insecureHttp: z._default(flag(), false),
    vendorPrefix: z._default(flag(), false),
    monitors: z._default(
      z
        .array(monitor, 'write a list like [{ kind: "models" }]')
        .check(z.minLength(1, 'add a monitor like { kind: "models" }, or leave monitors out')),
      [{ kind: "models", every: MINUTE_MS, expect: [] }],
    ),
  },
  "write an object with id, baseUrl and apiKey",
);

const INSTANT_MEND = "write a date and time with its offset, like 2026-12-01T02:00:00Z";
// Not z.iso.datetime: the bundle would hold every format of z.iso.
const instant = z
  .string(INSTANT_MEND)
  .check(z.refine(isInstant, { error: INSTANT_MEND, params: { problem: "has the wrong form" } }));

const maintenance = z.strictObject(
  {
    gateways: z._default(z.array(z.string("write a gateway's id"), "write a list of gateway ids"), []),
    from: instant,
    to: instant,
    title: z._default(text(120), "Planned maintenance"),
  },
  "write an object with from, to and title",
);

const publicUrl = z.pipe(
  z.string("write the page's address like https://status.example.com"),
  z.transform((value: string, { issues }) => {
    const judged = judgePublicUrl(value);
    if (judged.ok) return judged.baseUrl;
    for (const { problem, mend } of judged.faults) issues.push(fault(value, problem, mend));
    return z.NEVER;
  }),
);

const TIME_ZONE_MEND = "write an IANA time zone like Asia/Shanghai, or UTC";
const timeZone = z
  .string(TIME_ZONE_MEND)
  .check(z.refine(isTimeZone, { error: TIME_ZONE_MEND, params: { problem: "is no time zone" } }));

/** The schema of ConfigInput; its output has defaults filled in and durations in milliseconds. */
export const configSchema = z.strictObject(
  {
    title: text(120),
    notice: z.optional(text(300)),
    url: z.optional(publicUrl),
    timeZone: z._default(timeZone, "UTC"),
    plan: z._default(z.enum(["free", "paid"], 'write "free" or "paid"'), "free"),
    maxProbesPerTick: z.optional(count(1, PLAN_LIMITS.paid.maxProbesPerTick)),
    open: z._default(count(1, 100), 2),
    close: z._default(count(1, 100), 2),
    shards: z.optional(z.literal(1, "leave it out, or write 1")),
    gateways: z.array(gateway, "write a list of gateways; [] for none yet"),
    alerts: z.optional(
      z
        .array(z.unknown(), "leave alerts out, or write []")
        .check(z.maxLength(0, { error: "leave alerts out, or write []", abort: true })),
    ),
    maintenance: z._default(z.array(maintenance, "write a list of windows"), []),
  },
  "export an object: export default defineConfig({ title, gateways })",
);

/** The settings of each level. */
export function knownKeys(): Readonly<Record<Level, readonly string[]>> {
  return {
    root: Object.keys(configSchema.shape),
    gateway: Object.keys(gateway.shape),
    monitor: Object.keys(monitor.shape),
    maintenance: Object.keys(maintenance.shape),
    other: [],
  };
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
