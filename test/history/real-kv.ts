/** The KV that runs in production, on this machine. */
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { KvReader } from "../../src/history/reader.ts";

export interface RealKv extends KvReader {
  put(key: string, value: Uint8Array<ArrayBuffer> | string, options?: { metadata?: unknown }): Promise<void>;
  delete(key: string): Promise<void>;
  list(): Promise<{ keys: { name: string }[] }>;
}

interface StartedKv {
  readonly kv: RealKv;
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

/** One of the test file's own, empty before each of its tests. */
export function useKv(): Pick<StartedKv, "kv" | "clear"> {
  let started: StartedKv | null = null;
  const present = (): StartedKv => {
    if (started === null) throw new Error("the KV begins with the first test");
    return started;
  };
  beforeAll(async () => {
    started = await startKv();
  });
  afterAll(() => present().dispose());
  beforeEach(() => present().clear());
  return {
    get kv() {
      return present().kv;
    },
    clear: () => present().clear(),
  };
}

async function startKv(): Promise<StartedKv> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch() { return new Response() } }",
      compatibilityDate: "2026-10-01",
      kvNamespaces: ["KV"],
    }),
  );
  const kv = (await miniflare.getKVNamespace("KV")) as unknown as RealKv;
  return {
    kv,
    async clear() {
      const { keys } = await kv.list();
      await Promise.all(keys.map(({ name }) => kv.delete(name)));
    },
    dispose: () => miniflare.dispose(),
  };
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
