/** The product and a bare Worker side by side in one workerd, over one KV, each on a socket of its own. */
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions } from "miniflare";
import { readConfig } from "../../src/config/load.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { bundleWorker } from "../../src/local/bundle.ts";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { eventually } from "../local/program.ts";
import { freshMetadata, type Published } from "./history.ts";
import { type Loaded, loaded, summaryOf, takeTurns, withPid } from "./measure.ts";
import { configOf, readyRuntime } from "./runtime.ts";

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0];

export interface Servers {
  readonly pid: number;
  /** An address of the product. */
  readonly product: (path: string) => URL;
  /** Where the bare Worker streams from KV what the product answers at the path now. */
  readonly bare: (path: string) => Promise<URL>;
}

/** The servers with something to show, stopped when `measure` is over. */
export async function withServers<Measured>(
  monitors: number,
  published: Published,
  measure: (servers: Servers) => Promise<Measured>,
): Promise<Measured> {
  const script = await bundleWorker(fileURLToPath(new URL("../../src/index.ts", import.meta.url)));
  const bareScript = await bundleWorker(fileURLToPath(new URL("worker/bare-entry.ts", import.meta.url)));
  // Without its own socket each would pay for the router that the runtime puts before several Workers.
  const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  const options = { persistDir: null, tickSeconds: 60, secrets: {} };
  const ours = runtimeOptions({ ...options, script, config: readConfig(configOf(monitors, "5m")) });
  const { durableObjects: _, ...bareWorker } = runtimeOptions({ ...options, script: bareScript });
  const workers = [
    { ...ours, ...socket, name: "product" },
    { ...bareWorker, ...socket, name: "bare" },
  ];
  const { started: miniflare, pid } = await withPid(() =>
    readyRuntime(convertV4MiniflareOptions({ ...ours, workers } as RuntimeOptions)),
  );
  const kv = await miniflare.getKVNamespace("KV", "product");
  const [productUrl, bareUrl] = [
    await miniflare.unsafeGetDirectURL("product"),
    await miniflare.unsafeGetDirectURL("bare"),
  ];
  const product = (path: string) => new URL(path, productUrl);
  try {
    for (const [key, value] of published.segments) await kv.put(key, value);
    await kv.put(snapshotKey(0), published.bytes.buffer, { metadata: freshMetadata(published) });
    await untilServed(product("/api/v1/status"), published.metadata.digest);
    return await measure({
      pid,
      product,
      bare: async (path) => {
        const url = new URL(`/bare${path.replaceAll(/\W/g, "-")}`, bareUrl);
        await kv.put(url.pathname, await bytesOf(product(path)));
        return url;
      },
    });
  } finally {
    await miniflare.dispose();
  }
}

/** @throws where it is no 200. */
export async function bytesOf(url: URL): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url.pathname}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** Loads the product and the bare Worker in turns, each for so long. */
export async function besideBare(
  { pid, product }: Servers,
  path: string,
  bare: URL,
  { rounds, loadMs }: { readonly rounds: number; readonly loadMs: number },
): Promise<{ readonly product: Loaded; readonly bare: Loaded }> {
  const taken = await takeTurns(rounds, {
    product: () => loaded(pid, product(path), loadMs),
    bare: () => loaded(pid, bare, loadMs),
  });
  return { product: summaryOf(taken.product), bare: summaryOf(taken.bare) };
}

/** The product remembers what it served before for two seconds. */
async function untilServed(status: URL, digest: string): Promise<void> {
  await eventually(async () => {
    const answer = await fetch(status);
    await answer.arrayBuffer();
    return answer.headers.get("etag") === `"${digest}"`;
  });
}
