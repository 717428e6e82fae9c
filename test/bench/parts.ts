/** What can be measured, part by part. What several parts look at is made once a run. */
import { deployedScript, measureBundle } from "./bundle-size.ts";
import { measureExplaining } from "./explain-cost.ts";
import { measureGrowth } from "./growth.ts";
import { type Histories, makeHistories, makeHistory } from "./history.ts";
import { measureInvocations } from "./invocation-cpu.ts";
import { measureAlerts, measureDay, measureTicks } from "./ledger-cost.ts";
import { measureMemory } from "./memory.ts";
import { measurePageCost } from "./page-cost.ts";
import { measureProbing } from "./probe-cpu.ts";
import { measureRedaction } from "./redaction-speed.ts";
import { measureRoutes } from "./route-speed.ts";
import type { Row } from "./row.ts";
import { measureSamples } from "./sample-size.ts";
import { measureStartUp } from "./start-up.ts";
import { measureMonitorSize, measureStatusSize } from "./status-size.ts";
import { measureStatusBeside, measureStatusSpeed } from "./status-speed.ts";
import { measureTickTimes } from "./tick-time.ts";

export interface Part {
  /** In the table; it is the heading in docs/performance.md too. */
  readonly title: string;
  measure(shared: Shared): Promise<readonly Row[]>;
}

/** Made when it is first asked for. */
export interface Shared {
  readonly histories: () => Promise<Histories>;
}

export function sharedOfRun(): Shared {
  let histories: Promise<Histories> | null = null;
  return {
    histories: () => {
      return (histories ??= makeHistories(MONITORS));
    },
  };
}

const MONITORS = 100;

/** By the name that `--only` takes, in the order of the document. */
export const PARTS: Readonly<Record<string, Part>> = {
  status: { title: "The status", measure: measureStatus },
  routes: { title: "Pages and routes", measure: measureFaces },
  probe: { title: "A probe", measure: measureProbing },
  invocations: { title: "CPU of one invocation", measure: measureInvocations },
  ticks: { title: "A tick", measure: measureTickTimes },
  redaction: { title: "Redaction", measure: measureRedaction },
  ledger: { title: "The Ledger, in rows and writes as the platform counts them", measure: measureLedger },
  bytes: { title: "Bytes", measure: measureBytes },
  growth: { title: "Growth with history", measure: measureGrowth },
  memory: { title: "Memory", measure: measureMemory },
  worker: { title: "The Worker", measure: measureWorker },
};

async function measureStatus({ histories }: Shared): Promise<readonly Row[]> {
  const { byDays, troubled } = await histories();
  const rows = [...(await measureStatusSpeed(MONITORS, byDays, troubled))];
  for (const monitors of [10, 50, 200]) {
    rows.push(...(await measureStatusBeside(monitors, await makeHistory(monitors))));
  }
  return rows;
}

async function measureFaces({ histories }: Shared): Promise<readonly Row[]> {
  const { good, tenth } = await histories();
  return [
    ...(await measureRoutes(MONITORS, { good, "one in ten in trouble": tenth })),
    ...(await measurePageCost(MONITORS, tenth)),
    ...(await measureExplaining(MONITORS, tenth)),
  ];
}

async function measureLedger(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const monitors of [10, 100, 500, 2000]) rows.push(...(await measureTicks(monitors)));
  for (const channels of [0, 1, 3]) rows.push(...(await measureAlerts(100, channels)));
  rows.push(...(await measureDay("mixed", "three in ten in trouble")));
  rows.push(...(await measureDay("mixed", "three in ten in trouble", 3)));
  rows.push(...(await measureDay("restless", "news at every probe")));
  return rows;
}

async function measureBytes({ histories }: Shared): Promise<readonly Row[]> {
  const { byDays, good, troubled, longest } = await histories();
  const samples = new Map([
    ["always good", good],
    ["in trouble", troubled],
    ["in trouble for 90 days, its texts as long as they can be", longest],
  ]);
  return [...(await measureSamples()), ...measureMonitorSize(samples), ...measureStatusSize(byDays)];
}

async function measureWorker({ histories }: Shared): Promise<readonly Row[]> {
  const { troubled } = await histories();
  const script = await deployedScript();
  return [...measureBundle(script), ...(await measureStartUp(script, troubled))];
}
