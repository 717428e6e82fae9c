/** Opens one chromium, and every state as a site of this machine, for the whole project; and closes them at its end. */
import { mkdir, rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { startChromium } from "../local/support/chromium.ts";
import { fetchDescribed } from "../local/support/described-fetch.ts";
import { pageBrowserPath } from "../programs.ts";
import { PICTURES, type Site } from "./pages.ts";
import { bringAbout, type StateName, STATES } from "./support/states.ts";

/** What the test files are given; null where there is no chromium. */
export interface Opened {
  readonly chromium: string;
  readonly sites: Readonly<Record<StateName, Site>>;
}

declare module "vitest" {
  interface ProvidedContext {
    opened: Opened | null;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const path = pageBrowserPath();
  if (path === null) {
    project.provide("opened", null);
    return undefined;
  }
  await rm(PICTURES, { recursive: true, force: true });
  await mkdir(PICTURES, { recursive: true });
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => void (await Promise.all(ends.map((end) => end())));
  const server = await startChromium(path);
  ends.push(() => server.close());
  const sites: Partial<Record<StateName, Site>> = {};
  const names = Object.keys(STATES) as StateName[];
  const openInTurn = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift())
      sites[name] = await openSite(name, ends);
  };
  // Two at a time, for two cores.
  const lanes = await Promise.allSettled([openInTurn(), openInTurn()]);
  const failed = lanes.find((lane) => lane.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  project.provide("opened", { chromium: server.wsEndpoint(), sites: sites as Opened["sites"] });
  return stop;
}

async function openSite(name: StateName, ends: (() => Promise<void>)[]): Promise<Site> {
  const simulator = await startSimulator();
  ends.push(() => simulator.close());
  const world = await bringAbout(STATES[name], simulator);
  ends.push(() => world.stop());
  const { origin } = world.url;
  return { origin, nowMs: await world.nowMs(), incidents: await incidentsOf(world.url) };
}

interface ListedIncident {
  readonly id: string;
  readonly gateway: string | null;
  readonly report: string | null;
}

/** None where nothing is readable. */
async function incidentsOf(site: URL): Promise<Site["incidents"]> {
  const answer = await fetchDescribed(new URL("/api/v1/incidents", site));
  const { incidents = [] } = (await answer.json()) as { incidents?: readonly ListedIncident[] };
  return Object.fromEntries(
    incidents.toReversed().map(({ gateway, id, report }) => [gateway ?? "", { id, report }]),
  );
}
