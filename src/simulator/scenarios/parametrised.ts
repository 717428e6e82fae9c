/** Scenarios whose names end with a number: delays, list lengths. Pure. */
import { MODEL_COUNT, modelList } from "../models.ts";
import { type Expectation, type Extras, type Row, type Scenario, expects, scenario } from "../scenario.ts";
import { type Wire, json, stream, wait, write } from "../wire.ts";

interface Pattern {
  readonly pattern: string;
  readonly says: string;
  readonly made: (number: number) => readonly [Expectation, play: Row[2], extras: Extras];
}

export const PATTERNS: readonly Pattern[] = [
  {
    pattern: "delay_<ms>",
    says: "The whole service works, with any key, after so many milliseconds.",
    made: (delayMs) => [
      expects("ok", 200, { modelCount: MODEL_COUNT }),
      (call, world) => world.serve(call),
      { delayMs },
    ],
  },
  {
    pattern: "slow_chat_<ms>",
    says: "A chat, streamed where that is asked for, ends after so many milliseconds; all else works at once.",
    made: (ms) => [
      expects("ok", 200),
      (call, world) => slowed(world.serve(call), ms),
      { kind: "chat", takes: ["chat"] },
    ],
  },
  {
    pattern: "models_<n>",
    says: "A good list of so many models.",
    made: (modelCount) => [expects("ok", 200, { modelCount }), () => listOf(modelCount), {}],
  },
];

export function parametrised(name: string): Scenario | null {
  const [, stem = "", digits] = /^(.+_)(\d{1,6})$/.exec(name) ?? [];
  const found = PATTERNS.find(({ pattern }) => pattern.replace(/<.*/, "") === stem);
  if (found === undefined) return null;
  const [expect, play, extras] = found.made(Number(digits));
  return scenario(expect, [name, found.says, play, extras]);
}

/** A stream begins at once, and has its words half-way. */
function slowed(good: Wire, ms: number): Wire {
  if (good.type === "raw") return good;
  const pause = wait(ms / 2);
  const { status, headers } = good;
  if (good.type === "reply") return stream(status, [pause, pause, write(good.body)], headers);
  const [role = pause, word = pause, ...rest] = good.steps;
  return stream(status, [role, pause, word, pause, ...rest], headers);
}

function listOf(modelCount: number): Wire {
  return json(200, modelList(Array.from({ length: modelCount }, (_, index) => `sim-model-${index + 1}`)));
}
