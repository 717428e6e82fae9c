/** The keys that a probe sends: whether one may be sent, and what is redacted in answers. */
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";

type KeyJudgement = "usable" | "secret_missing" | "secret_malformed";

/**
 * Null or blank: the secret is not set. A line end or a control character fits no header, and beyond ASCII runtimes
 * differ in the bytes that they send.
 */
export function judgeKey(key: string | null): KeyJudgement {
  if (key === null || key.trim() === "") return "secret_missing";
  // oxlint-disable-next-line no-control-regex -- these are what a header's value cannot hold
  return /^[\u0020-\u007e]+$/.test(key) ? "usable" : "secret_malformed";
}

/** A login token is no API key (spec 5); it is a signed token, three parts of base64 of which the first is JSON. */
function isTokenShaped(apiKey: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(apiKey.trim());
}

/** More keys than one configuration has; a key that was changed leaves its old redactor behind until then. */
const MAX_REDACTORS = 1_000;

/** Hands out one redactor for the same keys in the same order, as long as the cache lives. */
export function createRedactorCache(): (...keys: readonly string[]) => Redact {
  const redactors = new Map<string, Redact>();
  return (...keys) => {
    // Wherever one ends and the next begins, these are the keys.
    const name = keys.map((key) => `${key.length}:${key}`).join("");
    const known = redactors.get(name);
    if (known !== undefined) return known;
    if (redactors.size >= MAX_REDACTORS) redactors.clear();
    const redact = createRedactor(keys);
    redactors.set(name, redact);
    return redact;
  };
}

/** How a probe's answers are judged: what is taken out of their texts, and whether a login token was sent as the key. */
export function judgeContext(
  apiKey: string | null,
  redactorFor = (key: string) => createRedactor([key]),
): { readonly redact: Redact; readonly key?: "jwt" } {
  const redact = redactorFor(apiKey ?? "");
  return apiKey !== null && isTokenShaped(apiKey) ? { redact, key: "jwt" } : { redact };
}
