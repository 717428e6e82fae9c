/**
 * `npm run endurance`: what takes hours, part by part; results go to docs/performance.md. CONTRIBUTING.md says what each part
 * may be told. It ends with 1 where any part found something wrong: then that part's result is not written.
 */
import { parseArgs } from "node:util";
import { PARTS, playPart, type Wishes } from "./parts.ts";

// Writes that KV refuses, and all else that is survived, are part of the play.
console.warn = () => undefined;

const USUAL: Wishes = {
  seed: 20_261_005,
  days: 365,
  monitors: 100,
  "days-a-piece": 10,
  kills: 200,
  "kills-a-piece": 20,
  requests: 1_000_000,
  "requests-a-piece": 50_000,
  "quiet-seconds": 60,
};

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
    await playPart(name, wishes, values.scratch ?? null);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} FAILS, and its result is not written:`, error);
  }
}
