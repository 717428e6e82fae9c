/**
 * `npm run bench`: figures of the product beside floors of the same run, on this machine. No test: it ends with 0
 * whatever it finds. `npm run bench -- --json` prints the rows as data.
 */
import { parseArgs } from "node:util";
import { deployedScript, measureBundle } from "./bundle-size.ts";
import { measureExplaining } from "./explain-cost.ts";
import { type Histories, makeHistories } from "./history.ts";
import { measureAlerts, measureDay, measureTicks } from "./ledger-cost.ts";
import { measurePageCost } from "./page-cost.ts";
import { measureProbing } from "./probe-cpu.ts";
import { measureRedaction } from "./redaction-speed.ts";
import { measureRoutes } from "./route-speed.ts";
import { holds, type Row, type Section } from "./row.ts";
import { measureSamples } from "./sample-size.ts";
import { measureStartUp } from "./start-up.ts";
import { measureMonitorSize, measureStatusSize } from "./status-size.ts";
import { measureStatusSpeed } from "./status-speed.ts";
import { tableOf } from "./table.ts";

const MONITORS = 100;

/** What is counted may run side by side; what is timed runs alone. */
async function measureAll(): Promise<readonly Section[]> {
  const [histories, ledger] = await step("plays days and months of history", () =>
    Promise.all([makeHistories(MONITORS), measureLedger()]),
  );
  return [
    { title: "The status", rows: await step("serves the status", () => measureStatus(histories)) },
    {
      title: "Pages and routes",
      rows: await step("serves every page and route", () => measureFaces(histories)),
    },
    { title: "A probe", rows: await step("probes gateways", measureProbing) },
    { title: "Redaction", rows: await step("redacts hostile texts", measureRedaction) },
    { title: "The Ledger, in rows and writes as the platform counts them", rows: ledger },
    { title: "Bytes", rows: [...(await measureSamples()), ...measureBytes(histories)] },
    { title: "The Worker", rows: await step("bundles and starts", () => measureWorker(histories)) },
  ];
}

async function measureLedger(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const monitors of [10, 100, 500]) rows.push(...(await measureTicks(monitors)));
  for (const channels of [0, 1, 3]) rows.push(...(await measureAlerts(100, channels)));
  rows.push(...(await measureDay("mixed", "three in ten in trouble")));
  rows.push(...(await measureDay("mixed", "three in ten in trouble", 3)));
  rows.push(...(await measureDay("restless", "news at every probe")));
  return rows;
}

function measureStatus({ byDays, troubled }: Histories): Promise<readonly Row[]> {
  return measureStatusSpeed(MONITORS, byDays, troubled);
}

async function measureFaces({ good, tenth }: Histories): Promise<readonly Row[]> {
  return [
    ...(await measureRoutes(MONITORS, { good, "one in ten in trouble": tenth })),
    ...(await measurePageCost(MONITORS, tenth)),
    ...(await measureExplaining(MONITORS, tenth)),
  ];
}

function measureBytes({ byDays, good, troubled, longest }: Histories): readonly Row[] {
  const samples = new Map([
    ["always good", good],
    ["in trouble", troubled],
    ["in trouble for 90 days, its texts as long as they can be", longest],
  ]);
  return [...measureMonitorSize(samples), ...measureStatusSize(byDays)];
}

async function measureWorker({ troubled }: Histories): Promise<readonly Row[]> {
  const script = await deployedScript();
  return [...measureBundle(script), ...(await measureStartUp(script, troubled))];
}

async function step<Value>(what: string, run: () => Promise<Value>): Promise<Value> {
  process.stderr.write(`${what} …\n`);
  return run();
}

function verdictOn(sections: readonly Section[]): string {
  const verdicts = sections.flatMap(({ rows }) => rows.map(holds)).filter((verdict) => verdict !== null);
  const broken = verdicts.filter((verdict) => !verdict).length;
  return `${verdicts.length - broken} limits hold, ${broken} do not.`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean" } } });
  const sections = await measureAll();
  console.log(
    values.json === true
      ? JSON.stringify(sections, null, 2)
      : `${tableOf(sections)}\n\n${verdictOn(sections)}`,
  );
}

await main();
