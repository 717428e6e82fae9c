/**
 * The shape of the configuration, field by field. Pure. Every message here is the mend that a person reads; what
 * is wrong is told by the kind of the issue (faults.ts). What one field means for another is in relations.ts.
 */
import * as z from "zod";
import { judgePublicUrl } from "./base-url.ts";
import { MONITOR_KINDS } from "./config.ts";
import { DAY_MS, MINUTE_MS, parseDuration } from "./duration.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { isSecretName } from "./secret-shape.ts";

const MAX_ID_LENGTH = 40;

/** `min` is 1 for all text: an empty name is a mistake. */
function text(maxLength: number) {
  const mend = `write 1 to ${maxLength} characters in quotes, none of them a control character`;
  return z
    .string(mend)
    .min(1, mend)
    .max(maxLength, mend)
    .regex(/^[^\p{Cc}]*$/u, mend)
    .regex(/\S/, mend);
}

const ID_MEND = `use 1 to ${MAX_ID_LENGTH} of a-z, 0-9 and -`;
const id = z
  .string(ID_MEND)
  .max(MAX_ID_LENGTH, ID_MEND)
  .regex(/^[a-z0-9-]+$/, ID_MEND);

function flag() {
  return z.boolean("write true or false, without quotes");
}

function count(min: number, max: number) {
  const mend = `write a whole number from ${min} to ${max}, without quotes`;
  return z.int(mend).min(min, mend).max(max, mend);
}

/** A duration in text; the output is milliseconds. */
function duration(minMs: number, stepMs: number, mend: string) {
  return z.string(mend).transform((value, context) => {
    const ms = parseDuration(value);
    if (ms === null) context.addIssue(fault("is no duration", mend));
    else if (ms < minMs || ms > DAY_MS) context.addIssue(fault("is out of range", mend));
    else if (ms % stepMs !== 0) context.addIssue(fault("is not in whole minutes", mend));
    else return ms;
    return z.NEVER;
  });
}

/** A custom issue as faults.ts reads it: the message is the mend, like everywhere here. */
function fault(problem: string, mend: string) {
  return { code: "custom" as const, message: mend, params: { problem } };
}

const MODEL_MEND = "write the model's id as the gateway lists it, like gpt-4o";
const modelId = z
  .string(MODEL_MEND)
  .min(1, MODEL_MEND)
  .max(200, MODEL_MEND)
  .regex(/^[^\s\p{Cc}]*$/u, MODEL_MEND);

const monitor = z.strictObject(
  {
    kind: z.enum(MONITOR_KINDS, `write one of: ${MONITOR_KINDS.join(", ")}`),
    id: id.optional(),
    every: duration(MINUTE_MS, MINUTE_MS, 'write whole minutes from "1m" to "24h", like "5m"').default(
      MINUTE_MS,
    ),
    expect: z
      .array(modelId, 'write a list of model ids, like ["gpt-4o"]')
      .max(100, "name at most 100")
      .default([]),
    slowerThan: duration(1, 1, 'write a duration from "1ms" to "24h", like "5s"').optional(),
    open: count(1, 100).optional(),
    close: count(1, 100).optional(),
  },
  'write an object like { kind: "models", every: "1m" }',
);

/** Named as a gateway's key, these would be sent to it. */
const OWN_BINDINGS = new Set(["ADMIN_TOKEN", "VIEW_TOKEN", "KV", "LEDGER", "TICK_SECONDS"]);

const APIKEY_MEND =
  "write the name of a secret like ACME_API_KEY (A-Z, 0-9 and _) and set its value with `wrangler secret put`";
const apiKey = z
  .string(APIKEY_MEND)
  .refine(isSecretName, { error: APIKEY_MEND, params: { problem: "is not the name of a secret" } })
  .refine((name) => !OWN_BINDINGS.has(name), {
    error: "give the gateway's key a name of its own, like ACME_API_KEY",
    params: { problem: "is a name that Gatepulse uses itself" },
  });

const gateway = z.strictObject(
  {
    id,
    name: text(80).optional(),
    // Judged in relations.ts, since insecureHttp beside it decides.
    baseUrl: z.string("write the base address like https://api.example.com"),
    apiKey,
    showEndpoint: flag().default(false),
    publish: z.enum(["causes", "health"], 'write "causes" or "health"').default("causes"),
    insecureHttp: flag().default(false),
    vendorPrefix: flag().default(false),
    monitors: z
      .array(monitor, 'write a list like [{ kind: "models" }]')
      .min(1, 'add a monitor like { kind: "models" }, or leave monitors out')
      .default([{ kind: "models", every: MINUTE_MS, expect: [] }]),
  },
  "write an object with id, baseUrl and apiKey",
);

const INSTANT_MEND = "write a date and time with its offset, like 2026-12-01T02:00:00Z";
const instant = z.iso.datetime({ offset: true, error: INSTANT_MEND });

const maintenance = z.strictObject(
  {
    gateways: z.array(z.string("write a gateway's id"), "write a list of gateway ids").default([]),
    from: instant,
    to: instant,
    title: text(120).default("Planned maintenance"),
  },
  "write an object with from, to and title",
);

const publicUrl = z
  .string("write the page's address like https://status.example.com")
  .transform((value, context) => {
    const judged = judgePublicUrl(value);
    if (judged.ok) return judged.baseUrl;
    context.addIssue(fault(judged.fault.problem, judged.fault.mend));
    return z.NEVER;
  });

const TIME_ZONE_MEND = "write an IANA time zone like Asia/Shanghai, or UTC";
const timeZone = z.string(TIME_ZONE_MEND).refine(isTimeZone, {
  error: TIME_ZONE_MEND,
  params: { problem: "is no time zone" },
});

/** The schema of ConfigInput; its output has defaults filled in and durations in milliseconds. */
export const configSchema = z.strictObject(
  {
    title: text(120),
    notice: text(300).optional(),
    url: publicUrl.optional(),
    timeZone: timeZone.default("UTC"),
    plan: z.enum(["free", "paid"], 'write "free" or "paid"').default("free"),
    maxProbesPerTick: count(1, PLAN_LIMITS.paid.maxProbesPerTick).optional(),
    open: count(1, 100).default(2),
    close: count(1, 100).default(2),
    shards: z.literal(1, "leave it out, or write 1").optional(),
    gateways: z.array(gateway, "write a list of gateways; [] for none yet"),
    alerts: z
      .array(z.unknown(), "leave alerts out, or write []")
      .max(0, {
        error: "leave alerts out, or write []",
        abort: true,
      })
      .optional(),
    maintenance: z.array(maintenance, "write a list of windows").default([]),
  },
  "export an object: export default defineConfig({ title, gateways })",
);

/** Intl takes offsets like +08:00 too; those are no names of zones. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
