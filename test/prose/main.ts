/** `npm run check:prose`: documents and comments are plain English, and documents short. Ends with 1 if not, and says where. */
import { globSync, readFileSync } from "node:fs";
import { commentsOf, lint, tooLong } from "./lint.ts";

const read = (path: string) => [path, readFileSync(path, "utf8")] as const;

/** The English ones. */
const documents = globSync(["*.md", "docs/*.md"], { exclude: ["*.zh.md", "docs/*.zh.md"] }).map(read);
const comments = globSync("{src,test,.ci}/**/*.{ts,tsx,css}")
  .map(read)
  .map(([path, source]) => [path, commentsOf(source)] as const);

const faults: string[] = [...tooLong(new Map(documents))];
for (const [path, text] of [...documents, ...comments]) {
  for (const { line, reason } of await lint(text)) faults.push(`${path}:${line}: ${reason}`);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
