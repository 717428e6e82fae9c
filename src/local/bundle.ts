/** The Worker's code as one script. It imports its configuration as the module `#config`. */
import { build, stop } from "esbuild";
import { WORKER_BUILD } from "../package/worker-build.ts";

export async function bundleWorker(entry: string): Promise<string> {
  const { outputFiles } = await build({ ...WORKER_BUILD, entryPoints: [entry], write: false });
  // Otherwise esbuild's process never ends.
  await stop();
  const [script] = outputFiles;
  if (script === undefined) throw new Error("the Worker's bundle is empty");
  return script.text;
}
