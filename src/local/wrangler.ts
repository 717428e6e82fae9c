/** wrangler as the project has it, and with it the runtime of this machine: both are then of one version. */
import { createRequire } from "node:module";

export class NoWranglerError extends Error {
  override readonly name = "NoWranglerError";
}

/** Loads packages that wrangler depends on, wherever the package manager put them. @throws NoWranglerError */
export function requireOfWrangler(): NodeJS.Require {
  return createRequire(wranglerFile());
}

function wranglerFile(): string {
  try {
    return createRequire(import.meta.url).resolve("wrangler/package.json");
  } catch {
    throw new NoWranglerError("wrangler is not installed in this project");
  }
}
