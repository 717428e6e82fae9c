/** Fields that several parts of the configuration share. The message of every issue is what to write instead. */
import { t } from "./spoken.ts";
import * as z from "zod/mini";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { once } from "../domain/schema.ts";
import { CAUSES_DOCUMENT } from "../protocol/causes.ts";
import { CAUSES } from "../protocol/diagnosis.ts";
import { visibleText } from "../protocol/error-facts.ts";
import { type BaseUrlJudgement, isWebAddress } from "./base-url.ts";
import { isSecretName, PASTED_ADDRESS } from "./secret-shape.ts";

/** An object with these settings and no other. The message of an unknown one is the list of those that there are. */
export function settings<Shape extends z.core.$ZodLooseShape>(shape: Shape, fix: string) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? Object.keys(shape).join(", ") : fix),
  });
}

/** @param below where, below the value that is read. */
export type Report = (problem: string, fix: string, ...below: readonly PropertyKey[]) => void;

/** What `parse` makes of a value, unless it reports a fault. */
function read<Schema extends z.core.$ZodType, Output>(
  schema: Schema,
  parse: (value: z.output<Schema>, report: Report) => Output,
) {
  return z.pipe(
    schema,
    z.transform((input: z.output<Schema>, { issues }) =>
      parse(input, (problem, message, ...path) => {
        // A union prefers the branch whose faults are all of this sort.
        issues.push({ code: "custom", input, message, params: { problem }, path: [...path], continue: true });
      }),
    ),
  );
}

/** The same value, unless `judge` reports a fault. */
export function judged<Schema extends z.core.$ZodType>(
  schema: Schema,
  judge: (value: z.output<Schema>, report: Report) => void,
) {
  return read(schema, (value, report) => {
    judge(value, report);
    return value;
  });
}

type Kinded = z.ZodMiniObject<{ readonly kind: z.ZodMiniLiteral<string> }, z.core.$strict>;

/**
 * One of these by its `kind`.
 * @param what each kind is, like "a kind of channel".
 */
export function byKind<const Options extends readonly [Kinded, ...Kinded[]]>(
  options: Options,
  what: string,
  fix: string,
) {
  return z.discriminatedUnion("kind", options, {
    error: (issue) => (issue.code === "invalid_union" ? what : fix),
  });
}

/** `min` is 1 for all text: an empty name is a mistake, and so is one that nobody can see. */
export function text(maxLength: number) {
  const fix = t`write 1 to ${maxLength} characters in quotes, none of them a control character`;
  return z.string(fix).check(
    z.minLength(1, fix),
    z.maxLength(maxLength, fix),
    // Half a surrogate pair is no character.
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, fix),
    must((value) => visibleText(value).trim() !== "", t`has no visible characters`, fix),
  );
}

/** Null where it is not written. */
export function orNull<Value extends z.core.$ZodType>(value: Value) {
  return z.pipe(
    z.optional(value),
    z.transform((given) => given ?? null),
  );
}

/** A rule with words of its own, for what has no other fault. */
export function must<Value>(holds: (value: Value) => boolean, problem: string, error: string) {
  return z.refine<Value>(holds, { error, params: { problem }, when: ({ issues }) => issues.length === 0 });
}

export function pattern(form: RegExp, fix: string) {
  return z.string(fix).check(z.regex(form, fix));
}

export const id = once(() => pattern(/^[a-z0-9-]{1,40}$/, t`use 1 to 40 of a-z, 0-9 and -`));

export const flag = () => z.boolean(t`write true or false, without quotes`);

/** @param what each of them is, like "an owner". */
export function oneOf<const Word extends string>(words: readonly Word[], what: string) {
  return z.enum(words, what);
}

export function number(
  min: number,
  max: number,
  fix = t`write a number from ${min} to ${max}, without quotes`,
) {
  return z.number(fix).check(z.gte(min, fix), z.lte(max, fix));
}

export function count(
  min: number,
  max: number,
  fix = t`write a whole number from ${min} to ${max}, without quotes`,
) {
  return z.int(fix).check(z.gte(min, fix), z.lte(max, fix));
}

interface DurationLimits {
  readonly minMs: number;
  readonly stepMs: number;
  readonly maxMs: number;
}

/** A duration as it is written. */
export function durationText(limits: DurationLimits, fix: string) {
  return z.string(fix).check(z.refine((value) => durationProblem(value, limits) === null, fix));
}

/** The same in milliseconds. */
export function duration(minMs: number, stepMs: number, fix: string, maxMs: number = DAY_MS) {
  return read(z.string(fix), (value, report) => {
    const problem = durationProblem(value, { minMs, stepMs, maxMs });
    if (problem !== null) report(problem, fix);
    return parseDuration(value) ?? 0;
  });
}

function durationProblem(value: string, { minMs, stepMs, maxMs }: DurationLimits): string | null {
  const ms = parseDuration(value);
  if (ms === null) return t`is not a duration`;
  if (ms < minMs || ms > maxMs) return t`is out of range`;
  return ms % stepMs === 0 ? null : t`is not in whole minutes`;
}

export function address(judge: (text: string) => BaseUrlJudgement, fix: string) {
  return read(z.string(fix), (value, report) => {
    const judgement = judge(value);
    if (judgement.ok) return judgement.baseUrl;
    for (const { problem, fix: its } of judgement.faults) report(problem, its);
    return value;
  });
}

/** Bindings of Gatepulse itself: named as a secret, their values would be sent to others. */
const OWN_BINDINGS = new Set([
  "ADMIN_TOKEN",
  "VIEW_TOKEN",
  "KV",
  "LEDGER",
  "VANTAGE",
  "TICK_SECONDS",
  "LOGINS",
]);

export const SET_SECRET = t`set its value with \`wrangler secret put\`, for npm start in .dev.vars`;

/**
 * @param example a name in the words of a fault.
 * @param isAddress it holds an address that nobody else knows: one that is pasted here is given away.
 */
export function secretName(example: string, isAddress = false) {
  const fix = t`write the name of a secret like ${example} (A-Z, 0-9 and _) and ${SET_SECRET}`;
  return judged(z.string(fix), (name, report) => {
    if (isAddress && name.includes("://")) report(...PASTED_ADDRESS);
    else if (!isSecretName(name)) report(t`is not the name of a secret`, fix);
    else judgeOwn(name, example, report);
  });
}

export function bindingName(example: string) {
  const fix = t`write the name of a binding like ${example}`;
  return judged(pattern(/^[A-Z][A-Z0-9_]{0,63}$/, fix), (name, report) => judgeOwn(name, example, report));
}

function judgeOwn(name: string, example: string, report: Report): void {
  if (OWN_BINDINGS.has(name))
    report(t`is a name that Gatepulse uses`, t`choose another name, like ${example}`);
}

/** One at least; in the output each is there once. */
export function setOf<Item extends z.core.$ZodType>(item: Item, fix: string) {
  return read(z.array(item, fix).check(z.minLength(1, fix)), (values) => [...new Set(values)]);
}

/** One text or a list of them; the output is a list, each once. */
export function oneOrMany(
  item: z.ZodMiniType<string, string>,
  list: z.ZodMiniType<string[], string[]>,
  fix: string,
) {
  return read(z.union([item, list], fix), (value) => [...new Set([value].flat())]);
}

/** `false` says that there is none; it matters where a monitor overrides what holds for all. */
function orFalse<Value extends z.core.$ZodType>(value: Value, fix: string) {
  return z.union([z.literal(false), value], fix);
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
  return match === null || unitMs === undefined ? null : Number(match[1]) * unitMs;
}

/** The same duration in its largest whole unit: 90000 is "90s", 3600000 is "1h". */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m", "s"]) {
    const unitMs = UNIT_MS[unit] ?? 1;
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  }
  return `${ms}ms`;
}

export const modelId = () =>
  pattern(/^[^\s\p{Cc}]{1,200}$/u, t`write the model's id as the gateway lists it, like gpt-4o`);

const REMIND_FIX = t`write whole minutes from "5m" to "24h", like "4h", or false`;
export const remindEvery = () => orFalse(duration(5 * MINUTE_MS, MINUTE_MS, REMIND_FIX), REMIND_FIX);

const FLAPPING_FIX = t`write a whole number from 1 to 60, or false, without quotes`;
export const flapping = () => orFalse(count(1, 60, FLAPPING_FIX), FLAPPING_FIX);

const FORMERLY_FIX = t`write its former id, like "models" or "acme/models", or a list of them`;

export function monitorFields(defaultEveryMs: number) {
  const formerId = pattern(/^[a-z0-9-]{1,40}(?:\/[a-z0-9-]{1,40})?$/, FORMERLY_FIX);
  const everyFix = t`write whole minutes from "1m" to "24h", like "5m"`;
  return {
    /** 1 to 40 of `a-z`, `0-9` and `-`, unique within the gateway. Default: the kind, and the model where there is one. */
    id: z.optional(id()),
    /** Whole minutes from `"1m"` to `"24h"`. Default `"1m"` of `models`, `"30m"` of canaries. */
    every: z._default(duration(MINUTE_MS, MINUTE_MS, everyFix), defaultEveryMs),
    /** A good answer that took longer is `slow`. From `"1ms"` to `"24h"`; default: no limit. Example: `"5s"`. */
    slowerThan: z.optional(duration(1, 1, t`write a duration from "1ms" to "24h", like "5s"`)),
    /** Overrides the configuration's `open` for this monitor. */
    open: z.optional(count(1, 100)),
    /** Overrides the configuration's `close` for this monitor. */
    close: z.optional(count(1, 100)),
    /** Overrides the configuration's `remindEvery` for this monitor. */
    remindEvery: z.optional(remindEvery()),
    /** Overrides the configuration's `flapping` for this monitor. */
    flapping: z.optional(flapping()),
    ...onCallFields(),
    /**
     * All ids that this monitor had before; it carries their history on for as long as they are named here. No monitor may
     * have them any more. Of the same gateway, or full. Examples: `"models"`, `["oldgateway/models"]`.
     */
    formerly: z._default(oneOrMany(formerId, z.array(formerId, FORMERLY_FIX), FORMERLY_FIX), []),
  };
}

const RUNBOOK_FIX = t`write an http or https address, or a text of 1 to 500 characters`;

/** One word with a scheme is an address, and must be one that a browser opens. */
const runbook = () =>
  text(500).check(
    must(
      (value) => !/^[a-z][a-z0-9+.-]*:\S*$/i.test(value) || isWebAddress(value),
      t`is not an http or https address`,
      RUNBOOK_FIX,
    ),
  );

const CAUSE = t`a cause of ${CAUSES_DOCUMENT}`;

/** For the person whom an alert wakes. */
export const onCallFields = () => ({
  /** What to do, for alerts and administrators: an address, or at most 500 characters. Example: `"https://wiki.example/acme"`. */
  runbook: orNull(runbook()),
  /** A runbook of its own for a cause. Example: `{ insufficient_balance: "https://wiki.example/top-up" }`. */
  runbooks: z._default(
    z.partialRecord(
      oneOf(CAUSES, CAUSE),
      runbook(),
      t`write an object like { timeout: "https://wiki.example/acme" }`,
    ),
    {},
  ),
  /** Whom to ask, for alerts and administrators: 1 to 200 characters. Example: `"Anna, +44 20 7946 0000"`. */
  contact: orNull(text(200)),
});

const INSTANT_FIX = t`write a date and time with its offset, like 2026-12-01T02:00:00Z`;
// Not z.iso.datetime: the bundle would hold every format of z.iso.
export const instant = once(() =>
  z.string(INSTANT_FIX).check(must(isInstant, t`has the wrong form`, INSTANT_FIX)),
);

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** RFC 3339, upper case, seconds and offset written. Date takes a day that the month does not have for another one. */
function isInstant(value: string): boolean {
  const date = INSTANT.exec(value)?.[1];
  if (date === undefined) return false;
  const startMs = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(date);
}
