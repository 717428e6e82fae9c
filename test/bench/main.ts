/**
 * `npm run bench`: figures of the product beside floors of the same run, on this machine. Each part is written to
 * docs/performance.md as soon as it is over, so that a run that was broken off goes on with `-- --only` and the names of the
 * others. At its end it lists the limits that do not hold and the parts that broke off, and ends with 1 where there is any.
 * `-- --json` prints the rows as data and writes nothing.
 */
import { parseArgs } from "node:util";
import { placeAndTime } from "./machine.ts";
import { PARTS } from "./parts.ts";
import { writeMeasured } from "./performance-document.ts";
import { type BrokenPart, markdownOf, type Section, tableOf, verdictOn } from "./row.ts";

/** @throws where a name is none of a part. */
function namesOf(only: string | undefined): readonly string[] {
  const known = Object.keys(PARTS);
  const names = only === undefined ? known : only.split(",");
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length > 0) throw new Error(`no part is named ${strange.join(", ")}: ${known.join(", ")}`);
  return known.filter((name) => names.includes(name));
}

async function measured(name: string): Promise<readonly Section[]> {
  const part = PARTS[name];
  if (part === undefined) return [];
  process.stderr.write(`${name}: ${part.title} …\n`);
  const startedMs = performance.now();
  const rows = await part.measure();
  process.stderr.write(`${name} took ${Math.round((performance.now() - startedMs) / 1000)} s\n`);
  return [{ title: part.title, rows }];
}

async function write(name: string, sections: readonly Section[]): Promise<void> {
  const origin = `\`npm run bench -- --only ${name}\`, ${await placeAndTime(Date.now())}`;
  for (const section of sections) await writeMeasured(name, markdownOf(section, origin));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean" }, only: { type: "string" } } });
  const sections: Section[] = [];
  const broken: BrokenPart[] = [];
  for (const name of namesOf(values.only)) {
    try {
      const some = await measured(name);
      sections.push(...some);
      if (values.json !== true) await write(name, some);
    } catch (error) {
      console.error(error);
      broken.push({ name, words: error instanceof Error ? error.message : String(error) });
    }
  }
  console.log(values.json === true ? JSON.stringify(sections, null, 2) : `${tableOf(sections)}\n`);
  const { isGood, words } = verdictOn(sections, broken);
  (values.json === true ? console.error : console.log)(words);
  process.exitCode = isGood ? 0 : 1;
}

await main();
