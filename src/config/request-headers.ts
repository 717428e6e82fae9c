/**
 * The headers that a canary may send, as a person writes them over the usual ones. Pure. They hold no key: `{key}` stands
 * for it.
 */
import type { FieldFault } from "./fields.ts";

/** Null takes away what is usual. */
export type HeaderPatch = Readonly<Record<string, string | null>>;

const MOST_HEADERS = 20;
const MEND =
  'write an object of names and values like { "x-api-key": "{key}" }, null for one that is not to be sent';

/** RFC 9110, token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,60}$/;
const VALUE = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,498}[\u0021-\u007e])?$/;

/** They belong to the connection, to the platform or to Gatepulse itself. */
const NOT_OURS =
  /^(?:user-agent|host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|via|date|cookie2?|accept-encoding|proxy-.*|sec-.*|cf-.*|x-forwarded-.*|x-real-ip)$/;
/** What is called so is a credential, whatever it looks like. */
const CREDENTIAL = /(?:^|[-_])(?:authorization|auth|(?:api)?key|token|secret|password)$/;

export function headerFaults(value: unknown): readonly FieldFault[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [{ path: [], problem: "is not an object", mend: MEND }];
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > MOST_HEADERS)
    return [{ path: [], problem: "is too long", mend: `write at most ${MOST_HEADERS}` }];
  const names = entries.map(([name]) => name.toLowerCase());
  return entries.flatMap(([name, content], index) => {
    const words = headerWords(name.toLowerCase(), content) ?? repeated(names, index);
    return words === null ? [] : [{ path: [name], ...words }];
  });
}

type Words = Omit<FieldFault, "path">;

function headerWords(name: string, content: unknown): Words | null {
  if (!NAME.test(name)) return { problem: "is no name of a header", mend: MEND };
  if (NOT_OURS.test(name)) return { problem: "is a header that is not set here", mend: "remove it" };
  if (content === null) return null;
  if (typeof content !== "string") return { problem: "is not text", mend: MEND };
  if (!VALUE.test(content))
    return { problem: "has the wrong form", mend: "write 1 to 500 characters of visible ASCII" };
  if (CREDENTIAL.test(name) && !content.includes("{key}"))
    return {
      problem: "is where a key belongs, and does not name it",
      mend: 'write "{key}" in the place of the key, and name its secret with apiKey',
    };
  return null;
}

function repeated(names: readonly string[], index: number): Words | null {
  if (names.indexOf(names[index] ?? "") === index) return null;
  return { problem: "is written twice", mend: "write it once: upper and lower case are the same" };
}

/** Names in lower case and in their order. */
export function withHeaders(
  usual: Readonly<Record<string, string>>,
  patch: HeaderPatch,
): Readonly<Record<string, string>> {
  const merged = new Map<string, string>(Object.entries(usual));
  for (const [name, content] of Object.entries(patch)) {
    if (content === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), content);
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
}
