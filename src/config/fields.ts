/** Fields that several parts of the configuration share: text, durations, ids, secrets by name. */
import * as z from "zod/mini";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { visibleText } from "../protocol/error-facts.ts";
import type { BaseUrlJudgement } from "./base-url.ts";
import { isSecretName } from "./secret-shape.ts";

/** Made when it is first asked for: a Worker starts without the schemas of what its configuration does not have. */
export function later<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Of text or a list. */
export function shortest(length: number, fix: string) {
  return whereMeasurable(z.minLength(length, fix));
}

/** Of text or a list. */
export function longest(length: number, fix: string) {
  return whereMeasurable(z.maxLength(length, fix));
}

/** zod measures whatever has a `length`, though its type was refused already, and throws where that is no number. */
function whereMeasurable<Check extends z.core.$ZodCheck>(check: Check): Check {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}

/** `min` is 1 for all text: an empty name is a mistake, and so is one that nobody can see. */
export function text(maxLength: number) {
  const fix = `write 1 to ${maxLength} characters in quotes, none of them a control character`;
  return z.string(fix).check(
    shortest(1, fix),
    longest(maxLength, fix),
    z.regex(/^[^\p{Cc}]*$/u, fix),
    z.refine((value) => visibleText(value).trim() !== "", {
      error: fix,
      params: { problem: "has nothing that can be seen" },
    }),
  );
}

/** Text of a form that one pattern tells. */
export function pattern(form: RegExp, fix: string) {
  return z.string(fix).check(z.regex(form, fix));
}

export function id() {
  return pattern(/^[a-z0-9-]{1,40}$/, "use 1 to 40 of a-z, 0-9 and -");
}

export function flag() {
  return z.boolean("write true or false, without quotes");
}

export function count(
  min: number,
  max: number,
  fix = `write a whole number from ${min} to ${max}, without quotes`,
) {
  return z.int(fix).check(z.gte(min, fix), z.lte(max, fix));
}

/** A duration in text; the output is milliseconds. */
export function duration(minMs: number, stepMs: number, fix: string, maxMs: number = DAY_MS) {
  return z.pipe(
    z.string(fix),
    z.transform((value: string, { issues }) => {
      const ms = parseDuration(value);
      if (ms === null) issues.push(fault(value, "is no duration", fix));
      else if (ms < minMs || ms > maxMs) issues.push(fault(value, "is out of range", fix));
      else if (ms % stepMs !== 0) issues.push(fault(value, "is not in whole minutes", fix));
      else return ms;
      return z.NEVER;
    }),
  );
}

/** A web address, as `judge` takes and normalises it. */
export function address(judge: (text: string) => BaseUrlJudgement, fix: string) {
  return z.pipe(
    z.string(fix),
    z.transform((value: string, { issues }) => {
      const judged = judge(value);
      if (judged.ok) return judged.baseUrl;
      for (const { problem, fix: its } of judged.faults) issues.push(fault(value, problem, its));
      return z.NEVER;
    }),
  );
}

/** Bindings of Gatepulse itself: named as a secret, their values would be sent to others. */
const OWN_BINDINGS = new Set([
  "ADMIN_TOKEN",
  "VIEW_TOKEN",
  "KV",
  "LEDGER",
  "VANTAGE",
  "TICK_SECONDS",
  "RUN_ID",
]);

/** `example`: a name in the words of a fault. */
export function secretName(example: string) {
  const fix = `write the name of a secret like ${example} (A-Z, 0-9 and _) and set its value with \`wrangler secret put\`, for npm start in .dev.vars`;
  return notOurs(
    z
      .string(fix)
      .check(z.refine(isSecretName, { error: fix, params: { problem: "is not the name of a secret" } })),
    example,
  );
}

/** The name of a binding in wrangler.toml. */
export function bindingName(example: string) {
  return notOurs(pattern(/^[A-Z][A-Z0-9_]{0,63}$/, `write the name of a binding like ${example}`), example);
}

function notOurs(name: z.ZodMiniString, example: string) {
  return name.check(
    z.refine((value) => !OWN_BINDINGS.has(value), {
      error: `give it a name of its own, like ${example}`,
      params: { problem: "is a name that Gatepulse uses itself" },
    }),
  );
}

/** At least one. */
export function listOf<Item extends z.core.SomeType>(item: Item, fix: string) {
  return z.array(item, fix).check(shortest(1, fix));
}

/** One text or a list of such; the output is a list, each once. */
export function oneOrMany(item: z.ZodMiniString, list: z.ZodMiniArray<z.ZodMiniString>) {
  return z.pipe(
    chosen((value) => (Array.isArray(value) ? list : item)),
    z.transform((value) => [...new Set([value].flat())]),
  );
}

/** `false` says that there is none; it matters where a monitor overrides what holds for all. */
function orFalse<Value extends z.core.$ZodType>(value: Value) {
  const none = z.literal(false);
  return chosen((written) => (written === false ? none : value));
}

/**
 * Judged by the schema that the value itself calls for. Not z.union, whose issues say less, and which costs the bundle
 * 0.8 kB.
 */
export function chosen<Schema extends z.core.$ZodType>(choose: (value: unknown) => Schema) {
  return z.pipe(
    z.unknown(),
    z.transform((value: unknown, { issues }): z.output<Schema> => {
      const parsed = z.safeParse(choose(value), value);
      if (parsed.success) return parsed.data;
      issues.push(...(parsed.error.issues as typeof issues));
      return z.NEVER;
    }),
  );
}

/**
 * A custom issue as faults.ts reads it: the message is the fix, like everywhere here.
 * @param path below what is judged.
 */
function fault(input: unknown, problem: string, fix: string, path: readonly PropertyKey[] = []) {
  return { code: "custom" as const, input, message: fix, params: { problem }, path: [...path] };
}

/** Any value, judged by all its faults; `judge` gives none only for a `Value`. */
export function judgedBy<Value>(judge: (value: unknown) => readonly FieldFault[]) {
  return z.pipe(
    z.unknown(),
    z.transform((value: unknown, { issues }): Value => {
      const faults = judge(value);
      for (const { path, problem, fix } of faults) issues.push(fault(value, problem, fix, path));
      return faults.length === 0 ? (value as Value) : z.NEVER;
    }),
  );
}

export interface FieldFault {
  /** Below the value. */
  readonly path: readonly PropertyKey[];
  readonly problem: string;
  readonly fix: string;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A whole number and a unit (`ms`, `s`, `m`, `h`, `d`), nothing between them; null for anything else. */
export function parseDuration(written: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(written);
  const unitMs = UNIT_MS[match?.[2] ?? ""];
  if (match === null || unitMs === undefined) return null;
  return Number(match[1]) * unitMs;
}

/** The same duration in its largest whole unit: 90000 is "90s", 3600000 is "1h". */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m", "s"]) {
    const unitMs = UNIT_MS[unit] ?? 1;
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  }
  return `${ms}ms`;
}

const MODEL_FIX = "write the model's id as the gateway lists it, like gpt-4o";
export const modelId = later(() =>
  z
    .string(MODEL_FIX)
    .check(shortest(1, MODEL_FIX), longest(200, MODEL_FIX), z.regex(/^[^\s\p{Cc}]*$/u, MODEL_FIX)),
);

const REMIND_FIX = 'write whole minutes from "5m" to "24h", like "4h", or false';
export const remindEvery = orFalse(duration(5 * MINUTE_MS, MINUTE_MS, REMIND_FIX));
const FLAPPING_FIX = "write a whole number from 1 to 60, or false, without quotes";
export const flapping = orFalse(count(1, 60, FLAPPING_FIX));

const FORMERLY_FIX = 'write the id that it had before, like "models" or "acme/models", or a list of such';
const formerId = later(() => pattern(/^[a-z0-9-]{1,40}(?:\/[a-z0-9-]{1,40})?$/, FORMERLY_FIX));

export const idField = later(() => ({ id: z.optional(id()) }));

export function everyField(defaultMs: number) {
  const fix = 'write whole minutes from "1m" to "24h", like "5m"';
  return { every: z._default(duration(MINUTE_MS, MINUTE_MS, fix), defaultMs) };
}

export const incidentFields = later(() => ({
  slowerThan: z.optional(duration(1, 1, 'write a duration from "1ms" to "24h", like "5s"')),
  open: z.optional(count(1, 100)),
  close: z.optional(count(1, 100)),
  remindEvery: z.optional(remindEvery),
  flapping: z.optional(flapping),
  formerly: z._default(oneOrMany(formerId(), z.array(formerId(), FORMERLY_FIX)), []),
}));
