/** The Worker that `gatepulse start` runs: built of the sources in a checkout; the package brings it built. */
import { readFile } from "node:fs/promises";
import { isCheckout, packagePath } from "../package/root.ts";

export async function localWorker(): Promise<string> {
  if (!isCheckout) return readFile(packagePath("dist/local-worker.js"), "utf8");
  const { bundleWorker } = await import("./bundle.ts");
  return bundleWorker(packagePath("src/local/worker/entry.ts"));
}
