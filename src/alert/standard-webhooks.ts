/** Signatures as Standard Webhooks asks for them: HMAC-SHA256 over `id.timestamp.body`. By WebCrypto; no other I/O. */

export type SigningKey = Uint8Array<ArrayBuffer>;

/** `whsec_` and the standard, padded base64 of 24 to 64 bytes; null for anything else. */
export function signingKeyOf(secret: string): SigningKey | null {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return null;
  const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return key.length >= FEWEST_BYTES && key.length <= MOST_BYTES ? key : null;
}

const SECRET = /^whsec_([A-Za-z0-9+/]{2,}={0,2})$/;
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;

export interface Signed {
  /** The same on every try. */
  readonly id: string;
  /** The time of this try. */
  readonly nowMs: number;
  readonly body: string;
}

/** The three headers; the signature has one part for each key, so that a secret can be rotated. */
export async function signatureHeaders(
  { id, nowMs, body }: Signed,
  keys: readonly SigningKey[],
): Promise<Readonly<Record<string, string>>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(keys.map((key) => signature(key, content)));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.map((one) => `v1,${one}`).join(" "),
  };
}

async function signature(key: SigningKey, content: Uint8Array): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", imported, content));
  return btoa(String.fromCharCode(...bytes));
}
