/**
 * `npm run bench`: figures of the product beside floors of the same run, on this machine. Each part is written to
 * docs/performance.json and docs/performance.md as soon as it ends, so you can continue a stopped run with `-- --only` and the
 * names of the other parts. At the end it lists broken limits and parts that failed, and exits with 1 if there are any.
 */
import { parseArgs } from "node:util";
import { measureBytes } from "./bytes.ts";
import { deployedScript } from "./deployed-script.ts";
import { measureGrowth } from "./growth.ts";
import { type Histories, makeHistories } from "./history.ts";
import { measureInvocations } from "./invocation-cpu.ts";
import { measureLedger } from "./ledger-cost.ts";
import { measureMemory } from "./memory.ts";
import { measuredNow, writePart } from "./performance-document.ts";
import { measureProbing } from "./probe-cpu.ts";
import { measureRedaction } from "./redaction-speed.ts";
import { measureRoutes } from "./routes.ts";
import { type BrokenPart, markdownOf, type Row, type Section, verdictOn } from "./row.ts";
import { measureStartUp } from "./start-up.ts";
import { measureTickTimes } from "./tick-time.ts";

const MONITORS = 100;
const ONE = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "KEY" };

let made: Promise<Histories> | null = null;
/** Several parts look at them; they are made once a run. */
const histories = () => (made ??= makeHistories(MONITORS));

/** By the name that `--only` takes: its title, and what is measured. */
const PARTS: Readonly<Record<string, readonly [title: string, measure: () => Promise<readonly Row[]>]>> = {
  routes: [
    "Pages and routes",
    async () => {
      const { good, tenth } = await histories();
      return measureRoutes(MONITORS, good, tenth);
    },
  ],
  probe: ["A probe", measureProbing],
  invocations: ["CPU of one invocation", measureInvocations],
  ticks: ["A tick", measureTickTimes],
  redaction: ["Redaction", measureRedaction],
  ledger: ["The Ledger, in rows and writes as the platform counts them", measureLedger],
  bytes: ["Bytes", async () => measureBytes(await histories())],
  growth: ["Growth with history", measureGrowth],
  memory: ["Memory", measureMemory],
  worker: [
    "The Worker",
    async () =>
      // With a gateway, or else the first page would say how to begin.
      measureStartUp(
        await deployedScript({ title: "Gateways", gateways: [ONE] }),
        (await histories()).troubled,
      ),
  ],
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const names = values.only?.split(",") ?? Object.keys(PARTS);
const strange = names.filter((name) => !Object.hasOwn(PARTS, name));
if (strange.length > 0)
  throw new Error(`no part is named ${strange.join(", ")}: ${Object.keys(PARTS).join(", ")}`);
const sections: Section[] = [];
const broken: BrokenPart[] = [];
for (const [name, [title, measure]] of Object.entries(PARTS).filter(([of]) => names.includes(of))) {
  process.stderr.write(`${name}: ${title} …\n`);
  const startedMs = performance.now();
  try {
    const section = { title, rows: await measure() };
    process.stderr.write(`${name} took ${Math.round((performance.now() - startedMs) / 1000)} s\n`);
    sections.push(section);
    console.log(`${markdownOf(section)}\n`);
    await writePart(name, await measuredNow(`npm run bench -- --only ${name}`, section));
  } catch (error) {
    console.error(error);
    broken.push({ name, words: error instanceof Error ? error.message : String(error) });
  }
}
const { isGood, words } = verdictOn(sections, broken);
console.log(words);
process.exitCode = isGood ? 0 : 1;
