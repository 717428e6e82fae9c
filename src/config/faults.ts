/** Faults of a configuration: each with its path and how to fix it. */
import type * as z from "zod/mini";
import { looksLikeSecret } from "./secret-shape.ts";

export interface Fault {
  /** Where, like `gateways[0].baseUrl`; `(top)` for the whole. */
  readonly path: string;
  readonly problem: string;
  /** What to write instead. */
  readonly fix: string;
}

export type Path = readonly PropertyKey[];

/** One whose path is not formatted yet. */
export type PathFault = Omit<Fault, "path"> & { readonly path: Path };

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

/** @param issues with what was written; the message of each is the fix, as `fields.ts` gives it. */
export function faultsOfIssues(issues: readonly z.core.$ZodIssue[]): readonly PathFault[] {
  return issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const fix = didYouMean(key, message.split(", ")) ?? `remove it; allowed here: ${message}`;
        return { path: [...path, key], problem: "is not a known setting", fix };
      });
    if (issue.code === "invalid_value") return [noneOf(issue.values, issue.input, issue)];
    if (issue.code === "invalid_union" && issue.discriminator !== undefined && "options" in issue)
      return [noneOf(issue.options ?? [], Reflect.get(Object(issue.input), issue.discriminator), issue)];
    return [{ path, problem: issue.input === undefined ? MISSING : problemOf(issue), fix: message }];
  });
}

const MISSING = "is missing";

function noneOf(known: readonly unknown[], written: unknown, { path, message }: z.core.$ZodIssue): PathFault {
  const problem = written === undefined ? MISSING : "is not one of the known values";
  return { path, problem, fix: didYouMean(written, known) ?? message };
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "custom":
      return String(issue.params?.["problem"]);
    case "invalid_type":
      return `is not ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int" ? "is too small" : "is empty";
    case "too_big":
      return issue.origin === "number" || issue.origin === "int" ? "is too big" : "is too long";
    case "unrecognized_keys":
    case "invalid_value":
    case "invalid_format":
    case "invalid_element":
    case "invalid_key":
    case "invalid_union":
    case "not_multiple_of":
      return "has the wrong form";
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** The known word that differs by fewest letters, of three one at most; null: there is none so near. */
function didYouMean(written: unknown, known: readonly unknown[]): string | null {
  if (typeof written !== "string") return null;
  const [nearest] = known
    .filter((word) => typeof word === "string")
    .map((word) => ({ word, letters: differentLetters(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, letters }) => letters <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.letters - b.letters);
  return nearest === undefined ? null : `did you mean ${nearest.word}?`;
}

/** How many letters only one of them has; their order does not count. */
function differentLetters(one: string, other: string): number {
  const rest = one.split("").reduce((left, letter) => left.replace(letter, ""), other);
  return one.length - other.length + 2 * rest.length;
}
