/**
 * Is a request the administrator's? Tokens are compared as digests, in a time that tells nothing.
 */

/** A shorter secret can be guessed: it counts as none. */
const SHORTEST_TOKEN = 16;

export type Bearer = "none" | "right" | "wrong";

/** Where no fit token is set, and for schemes other than Bearer, nobody is asked: `none`. */
export async function judgeBearer(
  authorization: string | undefined,
  adminToken: string | null,
): Promise<Bearer> {
  if (adminToken === null || adminToken.length < SHORTEST_TOKEN) return "none";
  const given = /^bearer +(\S+) *$/iu.exec(authorization ?? "")?.[1];
  if (given === undefined) return "none";
  return (await isEqual(given, adminToken)) ? "right" : "wrong";
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
