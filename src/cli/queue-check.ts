/** Whether the wrangler.toml beside a configuration has the queues that several shards need. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Fault } from "../config/faults.ts";

/** Null: none are needed, they are there, or there is no such file: others may say what is bound. */
export async function queueFault({ shards }: Config, folder: string): Promise<Fault | null> {
  if (shards === 1) return null;
  const text = await readFile(join(folder, "wrangler.toml"), "utf8").catch(() => null);
  if (text === null || hasQueues(text)) return null;
  return {
    path: "wrangler.toml",
    problem: `has no queue for the ${shards} shards: their ticks would never come`,
    mend: "make the queues, and take the comment signs from their sections, as docs/scale.md says",
  };
}

/** Who sends, and who is sent to. Read as lines: a wrong guess would only cost or spare a warning. */
function hasQueues(toml: string): boolean {
  const written = toml.replace(/^\s*#.*$/gm, "");
  return (
    /\bbinding\s*=\s*(["'])TICKS\1/.test(written) &&
    /\[\[\s*queues\.consumers\s*\]\]|\bconsumers\s*=/.test(written)
  );
}
