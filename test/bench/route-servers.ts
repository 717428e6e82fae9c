/** Each route of the product, and a bare Worker that streams the same bytes from KV, side by side in one workerd. */
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions } from "miniflare";
import { snapshotKey } from "../../src/history/keys.ts";
import { bundleWorker } from "../../src/local/bundle.ts";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { withPid } from "./cpu.ts";
import type { Published } from "./history.ts";
import { configOf, readyRuntime } from "./runtime.ts";

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0];

export interface RouteServers {
  readonly pid: number | null;
  /** An address of the product. */
  product(path: string): URL;
  /** Where the bare Worker has what the product answers there now. @throws where that is no 200. */
  bare(path: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Whatever was published is all that these servers ever have. */
export async function startRouteServers(monitors: number, published: Published): Promise<RouteServers> {
  const script = await bundleWorker(configOf(monitors, "5m"));
  const bareScript = await bundleWorker({}, fileURLToPath(new URL("worker/bare-entry.ts", import.meta.url)));
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
  const kv = await miniflare.getKVNamespace("KV", "product");
  await kv.put(snapshotKey(0), published.bytes.buffer, { metadata: published.metadata });
  for (const [key, value] of published.segments) await kv.put(key, value);
  const productUrl = await miniflare.unsafeGetDirectURL("product");
  const bareUrl = await miniflare.unsafeGetDirectURL("bare");
  const at = (path: string) => new URL(path, productUrl);
  return {
    pid,
    product: at,
    bare: async (path) => {
      const answer = await fetch(at(path));
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      const url = new URL(`/bare${path.replaceAll(/\W/g, "-")}`, bareUrl);
      await kv.put(url.pathname, await answer.arrayBuffer());
      return url;
    },
    stop: () => miniflare.dispose(),
  };
}
