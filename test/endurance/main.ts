/**
 * `npm run endurance`: what takes hours, part by part. Results go to docs/performance.json and docs/performance.md.
 * CONTRIBUTING.md lists each part's options. If a part finds something wrong, its result is not written and the exit code is 1.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measuredNow, writePart } from "../bench/performance-document.ts";
import { markdownOf } from "../bench/row.ts";
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
    const section = await PARTS[name]!(wishes);
    console.log(`${markdownOf(section)}\n`);
    const part = await measuredNow(`npm run endurance -- --only ${name}`, section);
    if (values.scratch === undefined) await writePart(`endurance ${name}`, part);
    else {
      mkdirSync(values.scratch, { recursive: true });
      writeFileSync(join(values.scratch, `${name}.json`), JSON.stringify(part, null, 2));
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} FAILS, and its result is not written:`, error);
  }
}
