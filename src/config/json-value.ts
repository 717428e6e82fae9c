/** Whether a value of the configuration is JSON, small enough to be sent with every request. Pure. */

const MAX_JSON_LENGTH = 16_384;
const MAX_DEPTH = 32;

/** What is wrong with it; null: it is JSON of at most 16,384 characters. */
export function jsonProblem(value: unknown): string | null {
  // A cycle is endless, and objects that are shared are written anew at each place.
  const room = { values: MAX_JSON_LENGTH };
  const problem = shapeProblem(value, MAX_DEPTH, room);
  if (problem !== null) return problem;
  return JSON.stringify(value).length > MAX_JSON_LENGTH ? TOO_LONG : null;
}

const TOO_LONG = "is longer than 16,384 characters as JSON";

function shapeProblem(value: unknown, depth: number, room: { values: number }): string | null {
  room.values -= 1;
  if (room.values < 0) return TOO_LONG;
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : NO_JSON;
  if (typeof value !== "object" || !isPlain(value)) return NO_JSON;
  if (depth === 0) return "is nested too deeply, or holds itself";
  if (Array.isArray(value)) {
    // Its own length is what it says; a list of holes has few members and a long text.
    if (value.length > room.values) return TOO_LONG;
    return firstProblem(Array.from(value), depth, room);
  }
  return firstProblem(Object.values(value), depth, room);
}

const NO_JSON = "holds what JSON cannot say";

function firstProblem(inner: readonly unknown[], depth: number, room: { values: number }): string | null {
  for (const value of inner) {
    const problem = shapeProblem(value, depth - 1, room);
    if (problem !== null) return problem;
  }
  return null;
}

/** Dates, maps and their like are written as something else, or as nothing. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
