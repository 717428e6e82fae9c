/** Plays a seed the same again: packing, digests and ids are worked out at once and by the seed. The bytes are the same. */
import { createHash, createHmac } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { Random } from "../fixtures/random.ts";

/** @returns puts everything back: other tests of the process need the real parts. */
export function replayChance(seed: number): () => void {
  const { CompressionStream: packing, DecompressionStream: unpacking } = globalThis;
  const random = new Random(seed ^ 0x5eed);
  crypto.randomUUID = () => {
    const hex = createHash("sha256").update(String(random.next())).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  globalThis.CompressionStream = streamOf(gzipSync) as typeof CompressionStream;
  globalThis.DecompressionStream = streamOf(gunzipSync) as typeof DecompressionStream;
  const hash = async (_: string, data: Uint8Array) => whole(createHash("sha256").update(data).digest());
  const importKey = async (_: string, key: Uint8Array) => key;
  const sign = async (_: string, key: Uint8Array, data: Uint8Array) =>
    whole(createHmac("sha256", key).update(data).digest());
  const played = Object.entries({ digest: hash, importKey, sign });
  for (const [name, value] of played)
    Object.defineProperty(crypto.subtle, name, { value, configurable: true });
  return () => {
    Object.assign(globalThis, { CompressionStream: packing, DecompressionStream: unpacking });
    // What is real stands in the prototypes.
    Reflect.deleteProperty(crypto, "randomUUID");
    for (const [name] of played) Reflect.deleteProperty(crypto.subtle, name);
  };
}

function whole(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** What goes in is worked on when all of it is there. */
function streamOf(work: (bytes: Buffer) => Uint8Array): unknown {
  return class extends TransformStream<Uint8Array, Uint8Array> {
    constructor() {
      const parts: Uint8Array[] = [];
      super({
        transform: (part) => void parts.push(part.slice()),
        flush: (controller) => controller.enqueue(new Uint8Array(work(Buffer.concat(parts)))),
      });
    }
  };
}
