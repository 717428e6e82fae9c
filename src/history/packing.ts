/**
 * MessagePack and gzip around what is stored in KV. The formats inside are those of `segment.ts` and `snapshot.ts`.
 */
import { decode, decodeMulti, encode } from "@msgpack/msgpack";

export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  return encode(value);
}

export function unpack(bytes: Uint8Array): unknown {
  return decode(bytes);
}

/** Values that were packed one behind the other. */
export function unpackAll(bytes: Uint8Array): unknown[] {
  return [...decodeMulti(bytes)];
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
