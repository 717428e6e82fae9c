/** Code for workerd as one script. It imports its configuration as the module `#config`. */
import { readFile } from "node:fs/promises";
import { isCheckout, packagePath } from "../package/root.ts";
import { WORKER_BUILD } from "../package/worker-build.ts";

/** The Worker that `gatepulse start` runs: built of the sources in a checkout; the package brings it built. */
export async function localWorker(): Promise<string> {
  return isCheckout
    ? bundleWorker(packagePath("src/local/worker/entry.ts"))
    : readFile(packagePath("dist/local-worker.js"), "utf8");
}

export async function bundleWorker(entry: string): Promise<string> {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({ ...WORKER_BUILD, entryPoints: [entry], write: false });
  // Otherwise esbuild's process never ends.
  await stop();
  const [script] = outputFiles;
  if (script === undefined) throw new Error("the Worker's bundle is empty");
  return script.text;
}
