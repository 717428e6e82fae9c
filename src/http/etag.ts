/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1.2).
 */
import { sha256Hex } from "../history/digest.ts";

/** A strong tag of the bytes. */
export async function tagOf(body: string | Uint8Array): Promise<string> {
  return `"${await sha256Hex(body, 12)}"`;
}

/** Whether an If-None-Match names the tag: a list, or any by `*`. Its comparison is the weak one: `W/` is no matter. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[^"]*"/gu)?.includes(tag) ?? false;
}
