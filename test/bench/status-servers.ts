/** The status as the product serves it, and a bare Worker that streams values of the same sizes. */
import { setTimeout as delay } from "node:timers/promises";
import { snapshotKey } from "../../src/history/keys.ts";
import { freshMetadata, type Published } from "./history.ts";
import { startSideBySide } from "./side-by-side.ts";

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
  const { kv, product, bare, pid, stop } = await startSideBySide(monitors);
  const status = new URL("/api/v1/status", product);
  return {
    product: status,
    bare: new URL("/whole", bare),
    bareAnswer: new URL("/answer", bare),
    pid,
    publish: async (published) => {
      const { bytes, metadata } = published;
      await kv.put(snapshotKey(0), bytes.buffer, { metadata: freshMetadata(published) });
      await kv.put("/whole", bytes.buffer);
      await kv.put("/answer", bytes.slice(0, metadata.bytes).buffer);
      await untilServed(status, metadata.digest);
    },
    stop,
  };
}
