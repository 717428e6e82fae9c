/**
 * `npm run endurance`: what takes hours, part by part; results go to docs/performance.md. CONTRIBUTING.md says what each part
 * may be told. It ends with 1 where any part found something wrong: then that part's result is not written.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { placeAndTime, writeMeasured } from "../bench/performance-document.ts";
import { PARTS, USUAL, type Wishes } from "./parts.ts";

// Writes that KV refuses, and all else that is survived, are part of the play.
console.warn = () => undefined;

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    only: text,
    scratch: text,
    ...Object.fromEntries(Object.keys(USUAL).map((name) => [name, text])),
  },
});

function wished(name: string, usual: number): number {
  const given = String(Reflect.get(values, name) ?? usual);
  if (!/^[1-9]\d{0,9}$/u.test(given)) throw new Error(`--${name} is no whole number from 1: ${given}`);
  return Number(given);
}

const wishes: Wishes = {
  ...USUAL,
  ...Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, wished(name, usual)])),
};
const names = values.only?.split(",") ?? Object.keys(PARTS);
const strange = names.filter((name) => !Object.hasOwn(PARTS, name));
if (strange.length > 0)
  throw new Error(`no part is named ${strange.join()}: ${Object.keys(PARTS).join(", ")}`);
for (const name of names) {
  try {
    const { title, lines } = await PARTS[name]!(wishes);
    const origin = `\`npm run endurance -- --only ${name}\`, ${await placeAndTime(Date.now())}`;
    const report = [`## ${title}`, "", origin, "", ...lines].join("\n");
    console.log(report);
    if (values.scratch === undefined) await writeMeasured(`endurance ${name}`, report);
    else {
      mkdirSync(values.scratch, { recursive: true });
      writeFileSync(join(values.scratch, `${name}.md`), report);
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} FAILS, and its result is not written:`, error);
  }
}
