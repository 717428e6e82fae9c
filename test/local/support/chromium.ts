/** Debian's chromium, or the one that `CHROMIUM` names; one process for all who connect to it. */
import { existsSync } from "node:fs";
import { type BrowserServer, chromium } from "playwright-core";

/** Where it is; null: nowhere. */
export function chromiumPath(): string | null {
  const path = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return existsSync(path) ? path : null;
}

const ARGS = [
  "--no-sandbox",
  // Whatever a page may ask for, nothing but this machine is ever found.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
  "--force-color-profile=srgb",
];

/** Whoever starts it closes it. */
export async function startChromium(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath, headless: true, host: "127.0.0.1", args: ARGS });
}
