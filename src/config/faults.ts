/** Faults of a configuration: each with its path and how to fix it. */
import { t } from "./spoken.ts";
import type * as z from "zod/mini";
import { visibleText } from "../protocol/error-facts.ts";
import { redact } from "../protocol/redaction/redact.ts";
import { isSecretName, looksLikeSecret } from "./secret-shape.ts";
import { namesSecret } from "./secrets.ts";

export interface Fault {
  /** Where, like `gateways[0].baseUrl`; `(top)` for the whole. */
  readonly path: string;
  /** The value there, as you would write it; null: there is none, or it may be a secret. */
  readonly written: string | null;
  readonly problem: string;
  /** What to write instead. */
  readonly fix: string;
}

export type Path = readonly PropertyKey[];

/** One whose path is not formatted yet. */
export type PathFault = Pick<Fault, "problem" | "fix"> & {
  readonly path: Path;
  /** The name at the end of the path is wrong, whatever the value. */
  readonly ofName?: true;
};

/** `plan: "fre" is not a plan`. */
export function faultWords({ path, written, problem }: Omit<Fault, "fix">): string {
  return written === null ? t`${path} ${problem}` : t`${path}: ${written} ${problem}`;
}

/** What a fault repeats of the value at its path; of an object or a list only that it is one, where that is the fault. */
export function writtenAt(input: unknown, { path, problem }: PathFault): string | null {
  const value = path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), input);
  const isOfChannel = path[0] === "alerts" && namesSecret(String(path[2]));
  const isName = typeof value === "string" && isSecretName(value);
  if ((isOfChannel || MAYBE_SECRET.test(formatPath(path))) && !isName) return null;
  if (typeof value === "string") return mayBeSecret(value) ? null : quoted(value);
  if (value === null || /^(?:number|bigint|boolean)$/.test(typeof value)) return String(value);
  if (value === undefined || !problem.startsWith(t`is not `)) return null;
  return Array.isArray(value) ? t`a list` : typeof value === "object" ? t`an object` : t`a ${typeof value}`;
}

/** Where secrets are named, someone may have written the secret. */
const MAYBE_SECRET = /^heartbeat$|\.apiKey$|\.(?:headers|expect)\./;

/** Shorter than what is refused as a secret: not to repeat it costs little. */
const RUN = /(?=(?:[A-Za-z]*\d){3})(?=\d*[A-Za-z])[A-Za-z0-9]{12,}/;

function mayBeSecret(text: string): boolean {
  return (
    RUN.test(text) ||
    looksLikeSecret(text) ||
    redact(text) !== text ||
    (text.includes("://") && /[@?#]/.test(text))
  );
}

const MOST_QUOTED = 60;

function quoted(text: string): string {
  const rest = text.length > MOST_QUOTED ? "…" : "";
  return JSON.stringify(`${visibleText(text.slice(0, MOST_QUOTED))}${rest}`);
}

/** `gateways[0].baseUrl`. A key that is no plain word may itself be a secret and is shown as `[…]`. */
export function formatPath(path: Path): string {
  const text = path.map(formatKey).join("");
  return text === "" ? "(top)" : text.replace(/^\./, "");
}

function formatKey(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const text = String(key);
  return /^[A-Za-z_$][\w$-]{0,39}$/.test(text) && !looksLikeSecret(text) ? `.${text}` : ".[…]";
}

/** Settings of released versions that have another name now. A test finds those that are missing here. */
export const RENAMED: Readonly<Record<string, string>> = {};

/** @param issues with what was written; the message of each is the fix, as `fields.ts` gives it. */
export function faultsOfIssues(
  issues: readonly z.core.$ZodIssue[],
  renamed: Readonly<Record<string, string>> = RENAMED,
): readonly PathFault[] {
  // A check of length may look at what is no list too.
  const mistyped = new Set(
    issues.flatMap(({ code, path }) => (code === "invalid_type" ? formatPath(path) : [])),
  );
  return issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== "invalid_type" && mistyped.has(formatPath(path))) return [];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const now = renamed[[...path, key].filter((part) => typeof part === "string").join(".")];
        if (now !== undefined)
          return {
            path: [...path, key],
            problem: t`has another name now`,
            fix: t`write ${now}`,
            ofName: true,
          };
        const near = nearest(key, message.split(", "));
        const fix = near === null ? t`remove it; allowed here: ${message}` : t`did you mean ${near}?`;
        return { path: [...path, key], problem: t`is not a known setting`, fix, ofName: true };
      });
    if (issue.code === "invalid_value") return [noneOf(issue.values, issue.input, issue)];
    if (issue.code === "invalid_union" && issue.discriminator !== undefined && "options" in issue)
      return [noneOf(issue.options ?? [], Reflect.get(Object(issue.input), issue.discriminator), issue)];
    return [{ path, problem: issue.input === undefined ? MISSING : problemOf(issue), fix: message }];
  });
}

const MISSING = t`is missing`;

/** @param issue its message is what the known values are, like "an owner". */
function noneOf(known: readonly unknown[], written: unknown, { path, message }: z.core.$ZodIssue): PathFault {
  const problem = written === undefined ? MISSING : t`is not ${message}`;
  return { path, problem, fix: choice(known.map(String), written) };
}

/** So that all kinds of channels are listed. */
const MOST_LISTED = 24;

/** All of them if they are few, the nearest one first. */
export function choice(known: readonly string[], written: unknown): string {
  if (known.length === 0) return t`remove it: there are none`;
  const near = nearest(written, known);
  const others = known.filter((word) => word !== near);
  const all = known.length > MOST_LISTED ? `${others.slice(0, 3).join(", ")}, …` : others.join(", ");
  const use = t`use ${all.replace(/, (?=[^,…]+$)/, t` or `)}`;
  if (near === null) return use;
  return all === "" ? t`did you mean ${near}?` : t`did you mean ${near}? Otherwise ${use}`;
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom") return String(issue.params?.["problem"]);
  if (issue.code === "invalid_type") return t`is not ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
  if (issue.code !== "too_small" && issue.code !== "too_big") return t`has the wrong form`;
  const isNumber = issue.origin === "number" || issue.origin === "int";
  if (issue.code === "too_small") return isNumber ? t`is too small` : t`is empty`;
  return isNumber ? t`is too big` : t`is too long`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: t`text`,
  int: t`a whole number`,
  number: t`a number`,
  boolean: t`true or false`,
  array: t`a list`,
  object: t`an object`,
  record: t`an object`,
};

/** The known word that differs by fewest letters, of three one at most; null: there is none so near. */
function nearest(written: unknown, known: readonly string[]): string | null {
  if (typeof written !== "string") return null;
  const [near] = known
    .map((word) => ({ word, letters: differentLetters(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, letters }) => letters <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.letters - b.letters);
  return near?.word ?? null;
}

/** How many letters only one of them has; their order does not count. */
function differentLetters(one: string, other: string): number {
  const rest = one.split("").reduce((left, letter) => left.replace(letter, ""), other);
  return one.length - other.length + 2 * rest.length;
}
