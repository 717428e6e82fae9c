/** The lists of small faults beside this file: each names the text of a source file that it changes. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const HERE = fileURLToPath(new URL(".", import.meta.url));

const mutantSchema = z.strictObject({
  file: z.string(),
  from: z.string(),
  to: z.string(),
  /** What is wrong then. */
  fault: z.string(),
});
export type Mutant = z.output<typeof mutantSchema>;

export async function readMutants(): Promise<readonly Mutant[]> {
  const all: Mutant[] = [];
  for await (const path of glob("*.json", { cwd: HERE })) {
    const parsed: unknown = JSON.parse(await readFile(join(HERE, path), "utf8"));
    all.push(...z.array(mutantSchema).parse(parsed));
  }
  return all;
}
