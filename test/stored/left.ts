/** What each released version left (`npm run fixture`), and a clone of one that has it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { packagePath } from "../../src/package/root.ts";
import { cloneFiles, writeClone } from "../project/clone.ts";
import { startStory } from "./runtime.ts";
import type { Left } from "./stored.ts";
import { DEPLOYS } from "./story.ts";

const DIRECTORY = packagePath("test/fixtures/stored");

export const VERSIONS = readdirSync(DIRECTORY).map((name) => name.replace(".json.gz", ""));

export function leftBy(version: string): Left {
  return JSON.parse(gunzipSync(readFileSync(join(DIRECTORY, `${version}.json.gz`))).toString()) as Left;
}

const last = DEPLOYS.at(-1);
if (last === undefined) throw new Error("nothing was deployed");
/** The configuration that was deployed last. */
export const LAST = last.config;

/** A clone of 0.2.0 with what it recorded on this machine. */
export async function writeCloneWithData(clone: string): Promise<void> {
  const { ".gatepulse/kv/blob": _, ...files } = cloneFiles();
  const source = `import { defineConfig } from "./src/config/define-config.ts";\nexport default defineConfig(${JSON.stringify(LAST)});\n`;
  writeClone(clone, { ...files, "gatepulse.config.ts": source });
  const story = await startStory(LAST, join(clone, ".gatepulse"));
  await story.ask({ do: "putBack", stored: leftBy("0.2.0").stored });
  await story.stop();
}
