/** Whether fewer answers of an audit are right than before, or than at a reference, by Fisher's exact test, one-sided. Pure. */
import * as z from "zod/mini";
import { addDays } from "./calendar.ts";
import { objectOnce } from "./schema.ts";
import { addedLater, instantMs, type Stored } from "./stored.ts";

export const auditSchema = objectOnce(() => ({
  /** Of all questions that were ever answered: the next one's number. */
  next: z.int(),
  /** By day of the configured time zone, the newest first. */
  days: z.array(z.object({ day: z.string(), right: z.int(), asked: z.int() })),
  /** Null: there is no evidence of a difference. */
  differs: addedLater(z.object({ from: z.enum(["reference", "past"]), p: z.number(), sinceMs: instantMs() })),
}));
export type AuditState = Stored<typeof auditSchema>;
export type Difference = NonNullable<AuditState["differs"]>;

export const NEW_AUDIT: AuditState = { next: 0, days: [], differs: null };

export interface Tally {
  readonly right: number;
  readonly asked: number;
}

type Days = AuditState["days"];

/** A week and its end, so that each question was asked as often. */
const RECENT_DAYS = 7;
const DAYS_KEPT = 60;

/** Low, since it is judged again after each answer. `TEST_FULL=1 npm test -- domain/audit` prints how often it is wrong, and how late. */
const DIFFERS_BELOW = 0.0002;
/** Between both, what was found stays. */
const ENDS_ABOVE = 0.05;

/** With one more answer. @param reference of the same time; null: there is none. */
export function afterAnswer(
  { next, days, differs }: AuditState,
  { isRight, day, nowMs }: { readonly isRight: boolean; readonly day: string; readonly nowMs: number },
  reference: Days | null,
): AuditState {
  const { right, asked } = days.find((of) => of.day === day) ?? { right: 0, asked: 0 };
  const today = { day, right: right + Number(isRight), asked: asked + 1 };
  const kept = [today, ...days.filter((of) => of.day !== day)]
    .toSorted((a, b) => (a.day < b.day ? 1 : -1))
    .slice(0, DAYS_KEPT);
  const found = comparisons(kept, day, reference);
  return { next: next + 1, days: kept, differs: judged(found, differs, nowMs) };
}

export interface Comparison {
  readonly from: Difference["from"];
  readonly other: Tally;
  readonly p: number;
}

/** Of the week that ends with `day`. */
export function recentTally(days: Days, day: string): Tally {
  const first = addDays(day, 1 - RECENT_DAYS);
  return sumOf(days, (of) => of >= first && of <= day);
}

/** The week that ends with `day`, against the reference's and against all before it. */
export function comparisons(days: Days, day: string, reference: Days | null): readonly Comparison[] {
  const recent = recentTally(days, day);
  const others = [
    { from: "reference", other: recentTally(reference ?? [], day) },
    { from: "past", other: sumOf(days, (of) => of < addDays(day, 1 - RECENT_DAYS)) },
  ] as const;
  return others
    .filter(({ other }) => other.asked > 0)
    .map(({ from, other }) => ({ from, other, p: fisher(recent, other) }));
}

function sumOf(days: Days, isIn: (day: string) => boolean): Tally {
  const counted = days.filter(({ day }) => isIn(day));
  return {
    right: counted.reduce((sum, { right }) => sum + right, 0),
    asked: counted.reduce((sum, { asked }) => sum + asked, 0),
  };
}

function judged(found: readonly Comparison[], before: Difference | null, nowMs: number): Difference | null {
  const limit = (from: Difference["from"]) => (before?.from === from ? ENDS_ABOVE : DIFFERS_BELOW);
  const [clearest] = found.filter(({ from, p }) => p < limit(from)).toSorted((a, b) => a.p - b.p);
  return clearest === undefined
    ? null
    : { from: clearest.from, p: clearest.p, sinceMs: before?.sinceMs ?? nowMs };
}

/** The chance of so few right answers among the first, or fewer, if both had the same. */
export function fisher(few: Tally, other: Tally): number {
  const right = few.right + other.right;
  const all = few.asked + other.asked;
  const least = Math.max(0, right - other.asked);
  let p = 0;
  for (let count = least; count <= few.right; count += 1)
    p += Math.exp(
      logChoices(few.asked, count) + logChoices(other.asked, right - count) - logChoices(all, right),
    );
  return Math.min(1, p);
}

/** The logarithm of how many ways there are to choose `count` of `all`. */
function logChoices(all: number, count: number): number {
  return logFactorial(all) - logFactorial(count) - logFactorial(all - count);
}

const LOG_FACTORIALS = [0];

function logFactorial(of: number): number {
  for (let next = LOG_FACTORIALS.length; next <= of; next += 1)
    LOG_FACTORIALS.push((LOG_FACTORIALS.at(-1) ?? 0) + Math.log(next));
  return LOG_FACTORIALS[of] ?? 0;
}
