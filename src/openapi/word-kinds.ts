/** Words of strings that have a format. Pure. */
import type { JsonObject } from "./json.ts";

/** RFC 3339, UTC with milliseconds unless said otherwise. */
export function at(description?: string): JsonObject {
  return { format: "date-time", ...(description !== undefined && { description }) };
}

export function date(): JsonObject {
  return { format: "date" };
}

/** Of every `schemaVersion`. */
export const NUMBER_WORDS = "Of another number, members may be gone or mean something else.";
