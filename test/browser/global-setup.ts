/** Opens one chromium and every site for the whole project, and closes them at its end. */
import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startChromium } from "../local/support/chromium.ts";
import { programPath } from "../programs.ts";
import { openSites, type Sites } from "./support/sites.ts";

/** Every page as it was seen in this run, for people to look at. */
export const PICTURES = fileURLToPath(new URL("../../test-results/screenshots/", import.meta.url));

/** What the test files are given; null where there is no chromium. */
export interface Opened {
  readonly chromium: string;
  readonly sites: Sites["byState"];
}

declare module "vitest" {
  interface ProvidedContext {
    opened: Opened | null;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const path = programPath("chromium");
  if (path === null) {
    project.provide("opened", null);
    return undefined;
  }
  await rm(PICTURES, { recursive: true, force: true });
  await mkdir(PICTURES, { recursive: true });
  const [server, sites] = await Promise.all([startChromium(path), openSites()]);
  project.provide("opened", { chromium: server.wsEndpoint(), sites: sites.byState });
  return async () => void (await Promise.all([server.close(), sites.stop()]));
}
