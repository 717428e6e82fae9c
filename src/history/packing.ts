/** Bytes of what is stored: packed as CBOR (RFC 8949), compressed with gzip, and digests of them. Pure. */
import { decode, decodeFirst, encode, type EncodeOptions } from "cborg";

/** What is stored: JSON, and bytes. */
type Packable =
  | string
  | number
  | boolean
  | null
  | Uint8Array<ArrayBuffer>
  | readonly Packable[]
  | { readonly [name: string]: Packable };

/** Members stay in their order. */
const AS_IT_IS: EncodeOptions = { mapSorter: () => 0 };

export function pack(value: Packable): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encode(value, AS_IT_IS));
}

/** @throws when the bytes are not one packed value. */
export function unpack(bytes: Uint8Array): unknown {
  return decode(bytes);
}

/** Values that were packed one after the other. @throws when the last is cut off. */
export function unpackAll(bytes: Uint8Array): unknown[] {
  const values: unknown[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const [value, behind] = decodeFirst(rest);
    values.push(value);
    rest = behind;
  }
  return values;
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export async function compress(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(content, new CompressionStream("gzip"));
}

export async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream("gzip"));
}

async function through(
  content: string | Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(content).body;
  if (body === null) return new Uint8Array();
  return new Uint8Array(await new Response(body.pipeThrough(stream)).arrayBuffer());
}

/** @param bytes how many bytes of the digest, 1 to 32. */
export async function sha256Hex(content: string | Uint8Array, bytes: number): Promise<string> {
  const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest.subarray(0, bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
