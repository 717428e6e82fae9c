/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1.2).
 */
import type { Body } from "./respond.ts";

/** A strong tag of the bytes. */
export async function tagOf(body: Body): Promise<string> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${[...digest.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/** Whether an If-None-Match names the tag: a list, or any by `*`. Its comparison is the weak one: `W/` is no matter. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[^"]*"/gu)?.includes(tag) ?? false;
}
