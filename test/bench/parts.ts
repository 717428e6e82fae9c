/** What can be measured, part by part, in the order of the document. What several parts look at is made once a run. */
import { measureBytes } from "./bytes.ts";
import { deployedScript, measureBundle } from "./bundle-size.ts";
import { measureExplaining } from "./explain-cost.ts";
import { measureGrowth } from "./growth.ts";
import { type Histories, makeHistories } from "./history.ts";
import { measureInvocations } from "./invocation-cpu.ts";
import { measureLedger } from "./ledger-cost.ts";
import { measureMemory } from "./memory.ts";
import { measureProbing } from "./probe-cpu.ts";
import { measureRedaction } from "./redaction-speed.ts";
import { measureRoutes } from "./routes.ts";
import type { Row } from "./row.ts";
import { measureStartUp } from "./start-up.ts";
import { measureStatus } from "./status.ts";
import { measureTickTimes } from "./tick-time.ts";

export interface Part {
  /** In the table; it is the heading in docs/performance.md too. */
  readonly title: string;
  measure(): Promise<readonly Row[]>;
}

const MONITORS = 100;

let made: Promise<Histories> | null = null;
const histories = () => (made ??= makeHistories(MONITORS));

/** By the name that `--only` takes. */
export const PARTS: Readonly<Record<string, Part>> = {
  status: { title: "The status", measure: async () => measureStatus(MONITORS, await histories()) },
  routes: { title: "Pages and routes", measure: measureFaces },
  probe: { title: "A probe", measure: measureProbing },
  invocations: { title: "CPU of one invocation", measure: measureInvocations },
  ticks: { title: "A tick", measure: measureTickTimes },
  redaction: { title: "Redaction", measure: measureRedaction },
  ledger: { title: "The Ledger, in rows and writes as the platform counts them", measure: measureLedger },
  bytes: { title: "Bytes", measure: async () => measureBytes(await histories()) },
  growth: { title: "Growth with history", measure: measureGrowth },
  memory: { title: "Memory", measure: measureMemory },
  worker: { title: "The Worker", measure: measureWorker },
};

async function measureFaces(): Promise<readonly Row[]> {
  const { good, tenth } = await histories();
  return [...(await measureRoutes(MONITORS, good, tenth)), ...(await measureExplaining(MONITORS, tenth))];
}

async function measureWorker(): Promise<readonly Row[]> {
  const { troubled } = await histories();
  const script = await deployedScript();
  return [...measureBundle(script), ...(await measureStartUp(script, troubled))];
}
