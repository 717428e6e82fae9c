/**
 * `npm run endurance`: what takes hours, part by part; results go to docs/performance.md. CONTRIBUTING.md says what each part
 * may be told. It ends with 1 where any part found something wrong: then that part's result is not written.
 */
import { parseArgs } from "node:util";
import { playKills } from "./kills-part.ts";
import { playLoad } from "./load-part.ts";
import { whereto } from "./whereto.ts";
import { playYear } from "./year-part.ts";

// Writes that KV refuses, and all else that is survived, are part of the play.
console.warn = () => undefined;

const NUMBERS = {
  seed: "20261005",
  days: "365",
  monitors: "100",
  "days-a-piece": "10",
  kills: "200",
  "kills-a-piece": "20",
  requests: "1000000",
  "requests-a-piece": "50000",
  "quiet-seconds": "60",
} as const;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    /** A directory for pieces and results, instead of `test-results/` and the document. */
    scratch: { type: "string" },
    ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: "string" } as const])),
  },
});

function numberOf(name: keyof typeof NUMBERS): number {
  const text = String(Reflect.get(values, name) ?? NUMBERS[name]);
  if (!/^[1-9]\d{0,9}$/u.test(text)) throw new Error(`--${name} is no whole number from 1: ${text}`);
  return Number(text);
}

const seed = numberOf("seed");
const to = whereto(values.scratch ?? null);
const year = {
  seed,
  days: numberOf("days"),
  monitors: numberOf("monitors"),
  daysAPiece: numberOf("days-a-piece"),
};
const kills = { seed, kills: numberOf("kills"), killsAPiece: numberOf("kills-a-piece") };
const quietMs = 1000 * numberOf("quiet-seconds");
const load = { quietMs, seed, requests: numberOf("requests"), requestsAPiece: numberOf("requests-a-piece") };

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  year: () => playYear(year, to),
  kills: () => playKills(kills, to),
  load: () => playLoad(load, to),
};

const names = values.only?.split(",") ?? Object.keys(PARTS);
for (const name of names) {
  if (!Object.hasOwn(PARTS, name))
    throw new Error(`no part is named ${name}: ${Object.keys(PARTS).join(", ")}`);
}
for (const name of names) {
  try {
    await PARTS[name]?.();
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} FAILS, and its result is not written:`, error);
  }
}
