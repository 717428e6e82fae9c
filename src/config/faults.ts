/**
 * Turns the schema's issues into faults that a person can mend: a path, what is wrong, what to do. Pure. No fault
 * repeats a value of the configuration: it may be a secret in the wrong place.
 */
import type * as z from "zod/mini";
import { RESERVED_KEYS, RESERVED_KINDS, type Level } from "./reserved.ts";
import { looksLikeSecret } from "./secret-shape.ts";
import { nearestWord } from "./suggest.ts";

export interface Fault {
  /** Where, like `gateways[0].baseUrl`; `(top)` for the whole. */
  readonly path: string;
  readonly problem: string;
  /** What to write instead. */
  readonly mend: string;
}

export type Path = readonly PropertyKey[];

/** `gateways[0].baseUrl`. A key that is no plain word may itself be a secret and is shown as `[…]`. */
export function formatPath(path: Path): string {
  const text = path.map(formatKey).join("");
  return text === "" ? "(top)" : text.replace(/^\./, "");
}

/** `knownKeys` tells the keys of a level, and there of a kind, for "did you mean". */
export function faultsOfIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  knownKeys: (level: Level, kind: unknown) => readonly string[],
): readonly Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const kind = valueAt(input, [...issue.path, "kind"]);
      if (isKindToCome(kind)) return [];
      const known = knownKeys(levelOf(issue.path), kind);
      return issue.keys.map((key) => unknownKeyFault(issue.path, key, known));
    }
    return [{ path: formatPath(issue.path), ...wordsOf(issue, valueAt(input, issue.path)) }];
  });
}

const NOT_YET = { problem: "is not supported yet", mend: "leave it out" };

/** A monitor of a kind to come is one fault, whatever else it holds. */
function isKindToCome(kind: unknown): boolean {
  return typeof kind === "string" && RESERVED_KINDS.includes(kind);
}

function unknownKeyFault(parent: Path, key: string, known: readonly string[]): Fault {
  const path = formatPath([...parent, key]);
  if (RESERVED_KEYS[levelOf(parent)].includes(key)) return { path, ...NOT_YET };
  const near = nearestWord(key, known);
  const mend = near === null ? `remove it; known here: ${known.join(", ")}` : `did you mean ${near}?`;
  return { path, problem: "is no known setting", mend };
}

function levelOf(path: Path): Level {
  if (path.length === 0) return "root";
  if (path.length === 2 && path[0] === "gateways") return "gateway";
  if (path.length === 2 && path[0] === "maintenance") return "maintenance";
  if (path.length === 4 && path[2] === "monitors") return "monitor";
  if (path.length === 2 && path[0] === "alerts") return "channel";
  if (path.length === 3 && path[2] === "only") return "only";
  return "other";
}

function wordsOf(issue: z.core.$ZodIssue, value: unknown): Pick<Fault, "problem" | "mend"> {
  if (value === undefined) return { problem: "is missing", mend: issue.message };
  switch (issue.code) {
    case "custom":
      return { problem: String(issue.params?.["problem"] ?? "is wrong"), mend: issue.message };
    case "invalid_type":
      return { problem: `is not ${TYPE_WORDS[issue.expected] ?? issue.expected}`, mend: issue.message };
    case "invalid_value":
      return valueWords(value, issue.values, issue);
    case "too_small":
      return {
        problem: issue.origin === "array" ? "is empty" : "is too small or too short",
        mend: issue.message,
      };
    case "too_big":
      return { problem: "is too big or too long", mend: issue.message };
    case "invalid_format":
    case "invalid_element":
    case "invalid_key":
    case "invalid_union":
    case "not_multiple_of":
    case "unrecognized_keys":
      return { problem: "has the wrong form", mend: issue.message };
  }
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
  { path, message: mend }: z.core.$ZodIssue,
): Pick<Fault, "problem" | "mend"> {
  const isMonitor = levelOf(path.slice(0, -1)) === "monitor";
  const isToCome = isMonitor ? isKindToCome(value) : path[0] === "shards" && typeof value === "number";
  if (isToCome) return { problem: NOT_YET.problem, mend };
  const words = allowed.filter((word) => typeof word === "string");
  const near = typeof value === "string" ? nearestWord(value, words) : null;
  return { problem: "is none of the known values", mend: near === null ? mend : `did you mean ${near}?` };
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
