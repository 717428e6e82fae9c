/** The product and a bare Worker side by side in one workerd, over one KV, each on a socket of its own. */
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, type Miniflare } from "miniflare";
import { bundleWorker } from "../../src/local/bundle.ts";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { withPid } from "./cpu.ts";
import { configOf, readyRuntime } from "./runtime.ts";

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0];

export interface SideBySide {
  readonly kv: Awaited<ReturnType<Miniflare["getKVNamespace"]>>;
  readonly product: URL;
  /** Streams the value of KV that the path names. */
  readonly bare: URL;
  readonly pid: number | null;
  readonly stop: () => Promise<void>;
}

export async function startSideBySide(monitors: number): Promise<SideBySide> {
  const script = await bundleWorker(configOf(monitors, "5m"));
  const bareScript = await bundleWorker({}, fileURLToPath(new URL("worker/bare-entry.ts", import.meta.url)));
  // Without its own socket each would pay for the router that the runtime puts before several Workers.
  const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  const options = { persistDir: null, tickSeconds: 60, secrets: {} };
  const product = runtimeOptions({ ...options, script });
  const { durableObjects: _, ...bareWorker } = runtimeOptions({ ...options, script: bareScript });
  const workers = [
    { ...product, ...socket, name: "product" },
    { ...bareWorker, ...socket, name: "bare" },
  ];
  const { started: miniflare, pid } = await withPid(() =>
    readyRuntime(convertV4MiniflareOptions({ ...product, workers } as RuntimeOptions)),
  );
  return {
    kv: await miniflare.getKVNamespace("KV", "product"),
    product: await miniflare.unsafeGetDirectURL("product"),
    bare: await miniflare.unsafeGetDirectURL("bare"),
    pid,
    stop: () => miniflare.dispose(),
  };
}
