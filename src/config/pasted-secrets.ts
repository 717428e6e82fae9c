/** Finds secrets that were pasted anywhere into a configuration. Pure. No fault repeats one. */
import { formatPath, type Fault, type Path } from "./faults.ts";
import { hasSecretMark, looksLikeSecret } from "./secret-shape.ts";

const SECRET_WORDS = {
  problem: "looks like a secret itself",
  mend: "remove it and renew it: it may be in this file's history. Set the new one with `wrangler secret put NAME` (for npm start in .dev.vars); only NAME may stand here",
};

/** Deeper nothing is read: the schema has refused what is. */
const MAX_DEPTH = 64;

export function secretFaults(input: unknown): readonly Fault[] {
  return faultsIn(input, [], new Set());
}

/** @param seen what was looked into already: an object may hold itself, or stand in several places. */
function faultsIn(value: unknown, path: Path, seen: Set<unknown>): readonly Fault[] {
  if (typeof value === "string") {
    const isSecret = isLongByNature(value, path) ? hasSecretMark(value) : looksLikeSecret(value);
    return isSecret ? [{ path: formatPath(path), ...SECRET_WORDS }] : [];
  }
  if (typeof value !== "object" || value === null || path.length >= MAX_DEPTH || seen.has(value)) return [];
  seen.add(value);
  const faults: Fault[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = [...path, Array.isArray(value) ? Number(key) : key];
    if (looksLikeSecret(key)) faults.push({ path: formatPath(innerPath), ...SECRET_WORDS });
    faults.push(...faultsIn(inner, innerPath, seen));
  }
  return faults;
}

/** Addresses, paths and pictures in a request may rightly have long runs without meaning. */
function isLongByNature(value: string, path: Path): boolean {
  const key = path.at(-1);
  if (key === "baseUrl" || key === "endpoint") return true;
  // What a channel calls url is the name of a secret.
  if (key === "url" && path.length === 1) return true;
  if (path[0] !== "gateways" || path[2] !== "monitors") return false;
  const isPath = path.length === 5 && (key === "path" || key === "taskPath");
  return isPath || (path[4] === "body" && /^data:[a-z]+\/[a-z0-9.+-]+;base64,/.test(value));
}
