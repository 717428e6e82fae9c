/**
 * Tokens are compared as digests, in a time that tells nothing.
 */

/** What `Authorization: Bearer` bears (RFC 6750); undefined for other schemes and malformed ones. */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^bearer +(\S+) *$/iu.exec(authorization ?? "")?.[1];
}

export async function isEqual(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digestOf(a), digestOf(b)]);
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
