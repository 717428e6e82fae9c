/** Each route of the product, and a bare Worker that streams the same bytes from KV. */
import { snapshotKey } from "../../src/history/keys.ts";
import { freshMetadata, type Published } from "./history.ts";
import { startSideBySide } from "./side-by-side.ts";

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
  const { kv, product, bare, pid, stop } = await startSideBySide(monitors);
  await kv.put(snapshotKey(0), published.bytes.buffer, { metadata: freshMetadata(published) });
  for (const [key, value] of published.segments) await kv.put(key, value);
  const at = (path: string) => new URL(path, product);
  return {
    pid,
    product: at,
    bare: async (path) => {
      const answer = await fetch(at(path));
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      const url = new URL(`/bare${path.replaceAll(/\W/g, "-")}`, bare);
      await kv.put(url.pathname, await answer.arrayBuffer());
      return url;
    },
    stop,
  };
}
