/**
 * `npm run bench`: figures of the product beside floors of the same run, on this machine. No test: it ends with 0
 * whatever it finds. Each part is written to docs/performance.md as soon as it is over, so that a run that was broken off
 * goes on with `-- --only` and the names of the others. `-- --json` prints the rows as data and writes nothing.
 */
import { parseArgs } from "node:util";
import { placeAndTime } from "./machine.ts";
import { PARTS, type Shared, sharedOfRun } from "./parts.ts";
import { writeMeasured } from "./performance-document.ts";
import { holds, type Section } from "./row.ts";
import { markdownOf, tableOf } from "./table.ts";

/** @throws where a name is none of a part. */
function namesOf(only: string | undefined): readonly string[] {
  const known = Object.keys(PARTS);
  const names = only === undefined ? known : only.split(",");
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length > 0) throw new Error(`no part is named ${strange.join(", ")}: ${known.join(", ")}`);
  return known.filter((name) => names.includes(name));
}

async function measured(name: string, shared: Shared): Promise<readonly Section[]> {
  const part = PARTS[name];
  if (part === undefined) return [];
  process.stderr.write(`${name}: ${part.title} …\n`);
  return [{ title: part.title, rows: await part.measure(shared) }];
}

async function write(name: string, sections: readonly Section[]): Promise<void> {
  const origin = `\`npm run bench -- --only ${name}\`, ${await placeAndTime(Date.now())}`;
  for (const section of sections) await writeMeasured(name, markdownOf(section, origin));
}

function verdictOn(sections: readonly Section[]): string {
  const verdicts = sections.flatMap(({ rows }) => rows.map(holds)).filter((verdict) => verdict !== null);
  const broken = verdicts.filter((verdict) => !verdict).length;
  return `${verdicts.length - broken} limits hold, ${broken} do not.`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean" }, only: { type: "string" } } });
  const shared = sharedOfRun();
  const sections: Section[] = [];
  for (const name of namesOf(values.only)) {
    const some = await measured(name, shared);
    sections.push(...some);
    if (values.json !== true) await write(name, some);
  }
  const table = `${tableOf(sections)}\n\n${verdictOn(sections)}`;
  console.log(values.json === true ? JSON.stringify(sections, null, 2) : table);
}

await main();
