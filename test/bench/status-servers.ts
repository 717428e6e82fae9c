/** The product and a bare Worker side by side in one workerd, over one KV, each on a socket of its own. */
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions } from "miniflare";
import { bundleWorker } from "../../src/local/bundle.ts";
import { launchRuntime } from "../../src/local/runtime-process.ts";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { workerdProcesses } from "./cpu.ts";
import type { Published } from "./history.ts";
import { configOf } from "./runtime.ts";

export interface StatusServers {
  readonly product: URL;
  readonly bare: URL;
  readonly pid: number | null;
  /** What the product serves from now on. */
  publish(published: Published): Promise<void>;
  /** What the bare Worker streams from now on. */
  setBareValue(bytes: Uint8Array): Promise<void>;
  stop(): Promise<void>;
}

export async function startStatusServers(monitors: number): Promise<StatusServers> {
  const entry = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const bare = await bundleWorker({}, entry("worker/bare-entry.ts"));
  const product = runtimeOptions({
    script: await bundleWorker(configOf(monitors, "5m")),
    persistDir: null,
    tickSeconds: 60,
    secrets: {},
  });
  const socket = [{ host: "127.0.0.1", port: 0 }];
  const { modules, compatibilityDate, compatibilityFlags, kvNamespaces, durableObjects, bindings } =
    product as never;
  const shared = { modules, compatibilityDate, compatibilityFlags, unsafeDirectSockets: socket };
  const before = workerdProcesses();
  const miniflare = launchRuntime(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: product.log,
      workers: [
        { ...shared, name: "product", script: product.script, kvNamespaces, durableObjects, bindings },
        { ...shared, name: "bare", script: bare, kvNamespaces },
      ],
    } as never),
  );
  await miniflare.ready;
  const kv = await miniflare.getKVNamespace("KV", "product");
  return {
    product: new URL("/api/v1/status", await miniflare.unsafeGetDirectURL("product")),
    bare: await miniflare.unsafeGetDirectURL("bare"),
    pid: workerdProcesses().find((pid) => !before.includes(pid)) ?? null,
    publish: ({ bytes, metadata }) => kv.put("v1/0/snapshot", bytes.buffer as ArrayBuffer, { metadata }),
    setBareValue: (bytes) => kv.put("value", new Uint8Array(bytes).buffer),
    stop: () => miniflare.dispose(),
  };
}
