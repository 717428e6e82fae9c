/** Every state as a site on this machine, for one run of tests, pictures or measurements. */
import { startSimulator } from "../../../src/simulator/simulator.ts";
import { bringAbout, type StateName, STATES } from "./states.ts";
import { fetchDescribed } from "../../local/support/described-fetch.ts";

/** What a test process is told of a site; it survives being sent there. */
export interface Site {
  readonly origin: string;
  /** Its clock stands. */
  readonly nowMs: number;
  /** Each gateway's newest incident. */
  readonly incidents: Readonly<Record<string, { readonly id: string; readonly report: string | null }>>;
}

export interface Sites {
  readonly byState: Readonly<Record<StateName, Site>>;
  stop(): Promise<void>;
}

export async function openSites(): Promise<Sites> {
  const opened: Partial<Record<StateName, Site>> = {};
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => void (await Promise.all(ends.splice(0).map((end) => end())));
  const names = Object.keys(STATES) as StateName[];
  const openInTurn = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift())
      opened[name] = await openSite(name, ends);
  };
  // Two at a time, for two cores.
  const lanes = await Promise.allSettled([openInTurn(), openInTurn()]);
  const failed = lanes.find((lane) => lane.status === "rejected");
  if (failed === undefined) return { byState: opened as Record<StateName, Site>, stop };
  await stop();
  throw failed.reason;
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
