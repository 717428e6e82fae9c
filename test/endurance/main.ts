/**
 * `npm run endurance`: what takes hours, part by part; results go to docs/performance.md. `-- --only year`: some parts alone;
 * `--seed N`, `--days N` and `--monitors N` are the year's; `--kills N`.
 */
import { parseArgs } from "node:util";
import { playKills } from "./kills-part.ts";
import { playYear } from "./year-part.ts";

// Writes that KV refuses, and all else that is survived, are part of the play.
console.warn = () => undefined;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "20261005" },
    days: { type: "string", default: "365" },
    monitors: { type: "string", default: "100" },
    kills: { type: "string", default: "200" },
  },
});

const parts = {
  year: () =>
    playYear({ seed: Number(values.seed), days: Number(values.days), monitors: Number(values.monitors) }),
  kills: () => playKills({ seed: Number(values.seed), kills: Number(values.kills) }),
};

const names = values.only?.split(",") ?? Object.keys(parts);
for (const [name, play] of Object.entries(parts)) if (names.includes(name)) await play();
