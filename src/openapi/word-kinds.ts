/** What words are, and those that many schemas have. Pure. */
import type { Json, JsonObject } from "./json.ts";

/** A description, or more keywords beside it. */
type Word = string | Readonly<Record<string, Json>>;

/** Of a schema: `""` is the schema itself, `lastProbe.at` a member of a member (or of a list's items). The obvious has none. */
export type Words = Readonly<Record<string, Word>>;

/** RFC 3339, UTC with milliseconds unless said otherwise. */
export function at(description?: string): JsonObject {
  return { format: "date-time", ...(description !== undefined && { description }) };
}

export function date(): JsonObject {
  return { format: "date" };
}

/** Of every `schemaVersion`. */
export const NUMBER_WORDS = "Of another number, members may be gone or mean something else.";
