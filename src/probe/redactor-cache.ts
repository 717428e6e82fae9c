/** Redactors of keys that come again with every tick: building one costs more than judging an answer. */
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";

/** More keys than one configuration has; a key that was changed leaves its old redactor behind until then. */
const MAX_REDACTORS = 1_000;

/** Hands out one redactor a key, as long as the cache lives. */
export function createRedactorCache(): (key: string) => Redact {
  const redactors = new Map<string, Redact>();
  return (key) => {
    const known = redactors.get(key);
    if (known !== undefined) return known;
    if (redactors.size >= MAX_REDACTORS) redactors.clear();
    const redact = createRedactor([key]);
    redactors.set(key, redact);
    return redact;
  };
}
