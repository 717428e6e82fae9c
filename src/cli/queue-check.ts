/** Whether the wrangler.toml beside a configuration, or else where the command runs, has the queues that several shards need. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Fault } from "../config/faults.ts";

export interface QueueFault extends Fault {
  /** Else it may be that something else says what is bound: nothing is refused for it. */
  readonly isSure: boolean;
}

/** @param folders the first that has such a file is looked at. Null: no queues are needed, or they are there. */
export async function queueFault({ shards }: Config, folders: readonly string[]): Promise<QueueFault | null> {
  if (shards === 1) return null;
  const texts = await Promise.all(
    folders.map((folder) => readFile(join(folder, "wrangler.toml"), "utf8").catch(() => null)),
  );
  const text = texts.find((of) => of !== null);
  const problem = text === undefined ? NOT_FOUND : problemIn(text, shards);
  if (problem === null) return null;
  return { path: "wrangler.toml", ...problem, isSure: problem !== NOT_FOUND };
}

const NOT_FOUND = {
  problem: "is neither beside the configuration nor here: whether its queues are there is not known",
  mend: "run this where wrangler.toml is, or see that the queues are bound as docs/scale.md says",
} as const;

/** Who sends, and who is sent to. Read as lines: a wrong guess would only cost or spare a warning. */
function problemIn(toml: string, shards: number): Pick<Fault, "problem" | "mend"> | null {
  const written = toml.replace(/^\s*#.*$/gm, "");
  const hasTicks =
    /\bbinding\s*=\s*(["'])TICKS\1/.test(written) &&
    /\[\[\s*queues\.consumers\s*\]\]|\bconsumers\s*=/.test(written);
  if (!hasTicks) {
    return {
      problem: `has no queue for the ${shards} shards: their ticks would never come`,
      mend: "make the queues, and take the comment signs from their sections, as docs/scale.md says",
    };
  }
  const queues = namesOf(written, /(?<![\w-])queue\s*=\s*["']([^"']+)["']/g);
  const letters = namesOf(written, /\bdead_letter_queue\s*=\s*["']([^"']+)["']/g);
  if ([...queues].some((name) => queues.has(`${name}-dead`) && letters.has(`${name}-dead`))) return null;
  return {
    problem:
      "names no queue of dead letters, or nobody takes from it: ticks that are lost would be told to nobody",
    mend: "give the consumer of the ticks a dead_letter_queue with the name of its own and -dead behind it, and that a consumer too, as docs/scale.md says",
  };
}

function namesOf(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(pattern), ([, name = ""]) => name));
}
