/** The KV that runs in production, on this machine. */
import "../local/support/files-in-memory.ts";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { beforeAll, beforeEach } from "vitest";
import type { KvReader } from "../../src/history/reader.ts";

export interface RealKv extends KvReader {
  put(key: string, value: Uint8Array<ArrayBuffer> | string, options?: { metadata?: unknown }): Promise<void>;
  delete(key: string): Promise<void>;
}

interface OwnKv {
  readonly kv: RealKv;
  clear(): Promise<void>;
}

/** Starts with the first test that needs it, and lives as long as the process: a start takes a second. */
let shared: Promise<RealKv> | null = null;
let places = 0;

/** Empty before each test of the file: each has keys of its own in the one store. */
export function useKv(): OwnKv {
  let store: RealKv | null = null;
  let own: RealKv | null = null;
  const clear = (): Promise<void> => {
    if (store === null) throw new Error("the KV begins with the first test");
    places += 1;
    own = placeIn(store, `${places}/`);
    return Promise.resolve();
  };
  beforeAll(async () => {
    shared ??= startKv();
    store = await shared;
  });
  beforeEach(clear);
  return {
    get kv() {
      if (own === null) throw new Error("the KV begins with the first test");
      return own;
    },
    clear,
  };
}

/** All of it under one prefix. */
function placeIn(kv: RealKv, prefix: string): RealKv {
  return {
    getWithMetadata: (key, options) => kv.getWithMetadata(prefix + key, options),
    put: (key, value, options) => kv.put(prefix + key, value, options),
    delete: (key) => kv.delete(prefix + key),
  };
}

async function startKv(): Promise<RealKv> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch() { return new Response() } }",
      compatibilityDate: "2026-10-01",
      kvNamespaces: ["KV"],
    }),
  );
  return miniflare.getKVNamespace("KV");
}

/** Counts what is read, and can refuse to answer for chosen keys. */
export function watched(
  kv: KvReader,
  refused: readonly string[] = [],
): KvReader & { readonly keys: string[] } {
  const keys: string[] = [];
  return {
    keys,
    getWithMetadata(key, options) {
      keys.push(key);
      if (refused.includes(key)) return Promise.reject(new Error("KV GET failed: 500"));
      return kv.getWithMetadata(key, options);
    },
  };
}
