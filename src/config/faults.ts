/** Faults of a configuration: each with its path and how to fix it. */
import type * as z from "zod/mini";
import { looksLikeSecret } from "./secret-shape.ts";

/** The nearest word within a third of its length in edits, at least 1; null if none is that near. */
function nearestWord(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment), one row at a time. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substitution, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

export interface Fault {
  /** Where, like `gateways[0].baseUrl`; `(top)` for the whole. */
  readonly path: string;
  readonly problem: string;
  /** What to write instead. */
  readonly fix: string;
}

export type Path = readonly PropertyKey[];

export const LEVELS = [
  "root",
  "gateway",
  "monitor",
  "pointers",
  "prices",
  "maintenance",
  "channel",
  "only",
  "other",
] as const;
export type Level = (typeof LEVELS)[number];

/** What the schema tells of its settings, for "did you mean". */
export interface Settings {
  /** Those of a level, and there of a kind. */
  readonly keys: (level: Level, kind: unknown) => readonly string[];
  /** The kinds of monitors that have this one. */
  readonly kindsWith: (key: string) => readonly string[];
}

/** `gateways[0].baseUrl`. A key that is no plain word may itself be a secret and is shown as `[…]`. */
export function formatPath(path: Path): string {
  const text = path.map(formatKey).join("");
  return text === "" ? "(top)" : text.replace(/^\./, "");
}

export function faultsOfIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  settings: Settings,
): readonly Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const kind = valueAt(input, [
        ...(isInMonitor(issue.path) ? issue.path.slice(0, 4) : issue.path),
        "kind",
      ]);
      return issue.keys.map((key) => unknownKeyFault(issue.path, key, kind, settings));
    }
    return [{ path: formatPath(issue.path), ...wordsOf(issue, valueAt(input, issue.path)) }];
  });
}

function unknownKeyFault(parent: Path, key: string, kind: unknown, settings: Settings): Fault {
  const path = formatPath([...parent, key]);
  const level = levelOf(parent);
  const others = level === "monitor" ? settings.kindsWith(key) : [];
  if (others.length > 0) return { path, ...OF_ANOTHER_KIND, fix: otherKindFix(key, kind, others) };
  const known = settings.keys(level, kind);
  const near = nearestWord(key, known);
  const fix = near === null ? `remove it; known here: ${known.join(", ")}` : `did you mean ${near}?`;
  return { path, problem: "is no known setting", fix };
}

const OF_ANOTHER_KIND = { problem: "is no setting of this kind" };

function otherKindFix(key: string, kind: unknown, others: readonly string[]): string {
  const why = `it is for ${others.join(", ")}`;
  const createsTasks = key === "retry" && (kind === "image" || kind === "video");
  return `remove it: ${createsTasks ? "what may create a task is sent once and never again" : why}`;
}

function isInMonitor(path: Path): boolean {
  return path[0] === "gateways" && path[2] === "monitors";
}

function levelOf(path: Path): Level {
  if (path.length === 0) return "root";
  if (path.length === 2 && path[0] === "gateways") return "gateway";
  if (path.length === 2 && path[0] === "maintenance") return "maintenance";
  if (path.length === 4 && isInMonitor(path)) return "monitor";
  if (path.length === 5 && isInMonitor(path) && path[4] === "pointers") return "pointers";
  if (path.length === 5 && isInMonitor(path) && path[4] === "prices") return "prices";
  if (path.length === 2 && path[0] === "alerts") return "channel";
  if (path.length === 3 && path[2] === "only") return "only";
  return "other";
}

function wordsOf(issue: z.core.$ZodIssue, value: unknown): Pick<Fault, "problem" | "fix"> {
  if (value === undefined) return { problem: "is missing", fix: issue.message };
  switch (issue.code) {
    case "custom":
      return { problem: String(issue.params?.["problem"] ?? "is wrong"), fix: issue.message };
    case "invalid_type":
      return { problem: `is not ${TYPE_WORDS[issue.expected] ?? issue.expected}`, fix: issue.message };
    case "invalid_value":
      return valueWords(value, issue.values, issue);
    case "too_small":
      return {
        problem:
          issue.origin === "array" ? "is empty" : measured(issue.origin, "is too short", "is too small"),
        fix: issue.message,
      };
    case "too_big":
      return { problem: measured(issue.origin, "is too long", "is too big"), fix: issue.message };
    case "invalid_format":
    case "invalid_element":
    case "invalid_key":
    case "invalid_union":
    case "not_multiple_of":
    case "unrecognized_keys":
      return { problem: "has the wrong form", fix: issue.message };
  }
}

/** Text and lists have a length. */
function measured(origin: string, ofLength: string, ofNumber: string): string {
  return origin === "string" || origin === "array" ? ofLength : ofNumber;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function valueWords(
  value: unknown,
  allowed: readonly unknown[],
  { message: fix }: z.core.$ZodIssue,
): Pick<Fault, "problem" | "fix"> {
  const words = allowed.filter((word) => typeof word === "string");
  const near = typeof value === "string" ? nearestWord(value, words) : null;
  return { problem: "is none of the known values", fix: near === null ? fix : `did you mean ${near}?` };
}

function formatKey(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const text = String(key);
  return /^[A-Za-z_$][\w$-]{0,39}$/.test(text) && !looksLikeSecret(text) ? `.${text}` : ".[…]";
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}
