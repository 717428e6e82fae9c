/** Where the files of this package are: in a checkout, and where npm installed it. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = rootOf(dirname(fileURLToPath(import.meta.url)));

/** The installed package has no sources, only what was built of them in `dist/`. */
export const isCheckout = existsSync(join(ROOT, "src/index.ts"));

/** @param parts below the root of the package; the same path in both. */
export function packagePath(...parts: readonly string[]): string {
  return join(ROOT, ...parts);
}

function rootOf(directory: string): string {
  return existsSync(join(directory, "package.json")) ? directory : rootOf(dirname(directory));
}
