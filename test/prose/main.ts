/** `npm run check:prose`: the documents are plain English and short. Ends with 1 if not, and says where and why. */
import { globSync, readFileSync } from "node:fs";
import { lint } from "./lint.ts";
import { tooLong } from "./length.ts";

const documents = globSync(["*.md", "docs/*.md"]).map((path) => [path, readFileSync(path, "utf8")] as const);
const faults: string[] = tooLong(new Map(documents)).slice();
for (const [path, text] of documents) {
  for (const { line, reason } of await lint(text)) faults.push(`${path}:${line}: ${reason}`);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
