/**
 * `npm run fixture`: plays the story with this code and keeps what it left in `test/fixtures/stored/<version>.json.gz`,
 * and the names of all settings in `test/fixtures/config-keys/<version>.txt`.
 * Run once for every release, by the very code that is released.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { VERSION } from "../../src/probe/version.ts";
import { settingsText } from "../config/parsed.ts";
import { NOW_MS, pathsOf } from "./answers.ts";
import { startStory } from "./runtime.ts";
import type { Left, Stored, StoryAnswer } from "./stored.ts";
import { DAY_MS, DAYS, DEPLOYS, START_MS, STEP_MS } from "./story.ts";

const file = fileURLToPath(new URL(`../fixtures/stored/${VERSION}.json.gz`, import.meta.url));
const keys = fileURLToPath(new URL(`../fixtures/config-keys/${VERSION}.txt`, import.meta.url));

let stored: Stored | null = null;
const told: string[] = [];
let answers: Readonly<Record<string, StoryAnswer>> = {};
for (const [index, { day, config }] of DEPLOYS.entries()) {
  const story = await startStory(config);
  try {
    if (stored !== null) await story.ask({ do: "putBack", stored });
    const untilDay = DEPLOYS[index + 1]?.day ?? DAYS;
    for (let from = day; from < untilDay; from += 1) {
      const span = { fromMs: START_MS + from * DAY_MS, untilMs: START_MS + (from + 1) * DAY_MS };
      const played = await story.play({ ...span, stepMs: STEP_MS });
      if (played.failures.length > 0) throw new Error(played.failures.join("\n"));
      told.push(...played.told);
      console.log(`day ${from}: ${played.told.length} events`);
    }
    stored = await story.dump();
    const first = await story.answers(NOW_MS, ["/api/v1/status", "/api/v1/incidents"]);
    answers = await story.answers(NOW_MS, pathsOf(first));
  } finally {
    await story.stop();
  }
}

if (stored === null) throw new Error("nothing was played");
const left: Left = { stored, answers, told };
await mkdir(dirname(file), { recursive: true });
await writeFile(file, gzipSync(JSON.stringify(left), { level: 9 }));
await writeFile(keys, settingsText());
console.log(file, Object.keys(answers).length, "answers");
