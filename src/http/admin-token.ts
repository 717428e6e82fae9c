/**
 * Is a request the administrator's? Tokens are compared as digests, in a time that tells nothing.
 */
import { SHORTEST_ADMIN_TOKEN } from "../config/secret-forms.ts";

export type Bearer = "none" | "right" | "wrong";

/** The token, without the white space that a shell left around it; null: nobody administers. */
export function fitToken(adminToken: string | null): string | null {
  const token = adminToken?.trim() ?? "";
  return token.length >= SHORTEST_ADMIN_TOKEN ? token : null;
}

/** Where no fit token is set, and for schemes other than Bearer, nobody is asked: `none`. */
export async function judgeBearer(
  authorization: string | null | undefined,
  adminToken: string | null,
): Promise<Bearer> {
  const token = fitToken(adminToken);
  if (token === null) return "none";
  const given = /^bearer +(\S+) *$/iu.exec(authorization ?? "")?.[1];
  if (given === undefined) return "none";
  return (await isEqual(given, token)) ? "right" : "wrong";
}

async function isEqual(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digestOf(a), digestOf(b)]);
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
