/**
 * `npm run bench`: figures of the product beside floors of the same run. No test: it ends with 0 whatever it finds.
 * `--json` prints the rows as they are.
 */
import { parseArgs } from "node:util";
import { type HistoryMaker, type Published, startHistoryMaker } from "./history.ts";
import type { Section } from "./row.ts";
import { measureStatusSpeed } from "./status-speed.ts";
import { measureMonitorSize, measureStatusSize } from "./status-size.ts";
import { tableOf } from "./table.ts";

const MONITORS = 100;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean" } } });
  const sections: Section[] = [];
  const measure = async (title: string, rows: () => Promise<Section["rows"]> | Section["rows"]) => {
    process.stderr.write(`${title} …\n`);
    sections.push({ title, rows: await rows() });
  };
  const { histories, shown } = await published();
  await measure("Status", () => measureStatusSpeed(MONITORS, histories, shown.typical));
  await measure("Status, size", () => [...measureMonitorSize(shown.byKind), ...measureStatusSize(histories)]);
  console.log(values.json === true ? JSON.stringify(sections, null, 2) : tableOf(sections));
}
async function published() {
  const maker = await startHistoryMaker(MONITORS);
  try {
    const histories = new Map<number, Published>();
    for (const days of [1, 30, 90, 120]) histories.set(days, await maker.make(days, "mixed"));
    const calm = await maker.make(90, "calm");
    const longest = await maker.make(90, "longest");
    const typical = histories.get(90) as Published;
    return {
      histories,
      shown: {
        typical,
        byKind: new Map([
          ["always good", calm],
          ["in trouble for 90 days", typical],
          ["longest texts", longest],
        ]),
      },
    };
  } finally {
    await maker.stop();
  }
}

await main();
