/** Which declarations a published entry leads to, and how they name each other once they are published. Pure. */
import { posix } from "node:path";

const RELATIVE = /(?<=\b(?:from|import)\s*\(?\s*")(\.{1,2}\/[^"]+)\.ts(?=")/g;

/** By path; `entries` and all that they import, by way of relative addresses. */
export async function declarationsOf(
  entries: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    const text = (await read(path)).replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");
    found.set(path, text);
    for (const [, module = ""] of text.matchAll(RELATIVE)) {
      open.push(posix.join(posix.dirname(path), `${module}.d.ts`));
    }
  }
  return found;
}

/** The same declarations for modules whose names end in `extension`. */
export function retarget(text: string, extension: ".js" | ".cjs"): string {
  return text.replaceAll(RELATIVE, `$1${extension}`);
}
