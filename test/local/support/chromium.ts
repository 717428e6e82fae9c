/** Chromium for tests: one process for all who connect to it. */
import { type BrowserServer, chromium } from "playwright-core";

const ARGS = [
  "--no-sandbox",
  // Whatever a page may ask for, nothing but this machine is ever found.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
  "--force-color-profile=srgb",
];

/** The caller closes it. */
export async function startChromium(executablePath: string): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath, headless: true, host: "127.0.0.1", args: ARGS });
}
