/** The product and a bare Worker side by side in one workerd, over one KV, each on a socket of its own. */
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions } from "miniflare";
import { snapshotKey } from "../../src/history/keys.ts";
import { bundleWorker } from "../../src/local/bundle.ts";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { withPid } from "./cpu.ts";
import type { Published } from "./history.ts";
import { configOf, readyRuntime } from "./runtime.ts";

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0];

export interface StatusServers {
  readonly product: URL;
  /** Streams the value as large as the whole snapshot. */
  readonly bare: URL;
  /** Streams the value as large as the answer alone. */
  readonly bareAnswer: URL;
  readonly pid: number | null;
  /** What the product serves from now on, and the bare Worker's values of its size. */
  publish(published: Published): Promise<void>;
  stop(): Promise<void>;
}

/** The product remembers what it served before for two seconds. */
async function untilServed(product: URL, digest: string): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    const answer = await fetch(product);
    await answer.arrayBuffer();
    if (answer.headers.get("etag") === `"${digest}"`) return;
    await delay(100);
  }
  throw new Error("what was published is not served");
}

export async function startStatusServers(monitors: number): Promise<StatusServers> {
  const script = await bundleWorker(configOf(monitors, "5m"));
  const bare = await bundleWorker({}, fileURLToPath(new URL("worker/bare-entry.ts", import.meta.url)));
  // Without its own socket each would pay for the router that the runtime puts before several Workers.
  const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  const options = { persistDir: null, tickSeconds: 60, secrets: {} };
  const product = runtimeOptions({ ...options, script });
  const { durableObjects: _, ...bareWorker } = runtimeOptions({ ...options, script: bare });
  const workers = [
    { ...product, ...socket, name: "product" },
    { ...bareWorker, ...socket, name: "bare" },
  ];
  const { started: miniflare, pid } = await withPid(() =>
    readyRuntime(convertV4MiniflareOptions({ ...product, workers } as RuntimeOptions)),
  );
  const kv = await miniflare.getKVNamespace("KV", "product");
  const bareUrl = await miniflare.unsafeGetDirectURL("bare");
  const status = new URL("/api/v1/status", await miniflare.unsafeGetDirectURL("product"));
  return {
    product: status,
    bare: new URL("/whole", bareUrl),
    bareAnswer: new URL("/answer", bareUrl),
    pid,
    publish: async ({ bytes, metadata }) => {
      await kv.put(snapshotKey(0), bytes.buffer, { metadata });
      await kv.put("/whole", bytes.buffer);
      await kv.put("/answer", bytes.slice(0, metadata.bytes).buffer);
      await untilServed(status, metadata.digest);
    },
    stop: () => miniflare.dispose(),
  };
}
