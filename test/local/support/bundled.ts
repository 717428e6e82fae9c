/** The Worker's script with a configuration in it. All that the code takes is done once a process and entry. */
import { bundleWorker } from "../../../src/local/bundle.ts";

/** Stands for the configuration until there is one. */
const PLACE = "the configuration of the world";

const scripts = new Map<string, Promise<string>>();
/** One at a time: at its end each bundling stops esbuild's own process, which all share. */
let bundling: Promise<unknown> = Promise.resolve();

/** @param config it must survive JSON. */
export async function bundled(config: unknown, entry: string): Promise<string> {
  const known = scripts.get(entry);
  const script = known ?? bundling.then(() => bundleWorker(PLACE, entry));
  if (known === undefined) {
    scripts.set(entry, script);
    bundling = script.catch(() => undefined);
  }
  const parts = (await script).split(JSON.stringify(PLACE));
  if (parts.length !== 2) throw new Error(`the configuration stands ${parts.length - 1} times in the script`);
  return parts.join(`(${JSON.stringify(config)})`);
}
