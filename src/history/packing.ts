/**
 * CBOR (RFC 8949) and gzip around what is stored in KV. The formats inside are those of `segment.ts` and `snapshot.ts`.
 */
import { type CBORType, decodeCBOR, decodePartialCBOR, encodeCBOR } from "@levischuck/tiny-cbor";

/** What is stored: JSON, and bytes. */
export type Packable =
  | string
  | number
  | boolean
  | null
  | Uint8Array<ArrayBuffer>
  | readonly Packable[]
  | { readonly [name: string]: Packable };

export function pack(value: Packable): Uint8Array<ArrayBuffer> {
  return encodeCBOR(mapped(value)) as Uint8Array<ArrayBuffer>;
}

/** @throws when the bytes are not one packed value. */
export function unpack(bytes: Uint8Array): unknown {
  return unmapped(decodeCBOR(bytes));
}

/** Values that were packed one behind the other. @throws when the last is cut off. */
export function unpackAll(bytes: Uint8Array): unknown[] {
  const values: unknown[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [value, length] = decodePartialCBOR(bytes, at);
    values.push(unmapped(value));
    at += length;
  }
  if (at > bytes.length) throw new Error("the packed values are cut off");
  return values;
}

/** The first of such values, and its length in bytes. @throws when it is cut off. */
export function unpackFirst(bytes: Uint8Array): { readonly value: unknown; readonly length: number } {
  const [value, length] = decodePartialCBOR(bytes, 0);
  if (length <= 0 || length > bytes.length) throw new Error("the packed value is cut off");
  return { value: unmapped(value), length };
}

/** CBOR has maps where JSON has objects. */
function mapped(value: Packable): CBORType {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(mapped);
  return new Map(Object.entries(value).map(([name, member]) => [name, mapped(member)]));
}

function unmapped(value: CBORType): unknown {
  if (Array.isArray(value)) return value.map(unmapped);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, member]) => [name, unmapped(member)]));
}

export async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream("gzip"));
}

export async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream("gzip"));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(bytes).body;
  if (body === null) return new Uint8Array();
  return new Uint8Array(await new Response(body.pipeThrough(stream)).arrayBuffer());
}
