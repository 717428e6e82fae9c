/** Scenarios whose names carry a number: delays, list lengths, limits. Pure. */
import { LEVELS } from "../keys.ts";
import { MODEL_COUNT, modelList } from "../models.ts";
import {
  type Call,
  type Expectation,
  type Row,
  type Scenario,
  type World,
  expects,
  scenarios,
} from "../scenario.ts";
import { LENIENT, serve } from "../service.ts";
import { type Wire, json, stream, wait, write } from "../wire.ts";

/** How the names are formed, for people. */
export const PATTERNS: readonly { readonly pattern: string; readonly says: string }[] = [
  { pattern: "delay_<ms>", says: "The whole service works, with any key, after so many milliseconds." },
  {
    pattern: "slow_chat_<ms>",
    says: "A chat, streamed where that is asked for, ends after so many milliseconds; all else works at once.",
  },
  { pattern: "models_<n>", says: "A good list of so many models, at most 100,000." },
  {
    pattern: "limit_<ip|user|key>_<n>_<seconds>",
    says: "The whole service works; over n requests in so many seconds: 429 with Retry-After.",
  },
  { pattern: "silent_limit_<ip|user|key>_<n>_<seconds>", says: "The same, without Retry-After." },
];

const GOOD = expects("ok", 200, { modelCount: MODEL_COUNT });

export function parametrised(name: string): Scenario | null {
  return delayed(name) ?? slowChat(name) ?? listOf(name) ?? limited(name);
}

const one = (expect: Expectation, ...row: Row) => scenarios(expect, [row])[0] ?? null;

function delayed(name: string): Scenario | null {
  const ms = /^delay_(\d{1,6})$/.exec(name)?.[1];
  if (ms === undefined) return null;
  const says = `The whole service works after ${ms} ms.`;
  return one(GOOD, name, says, (call, world) => serve(call, world, LENIENT), { delayMs: Number(ms) });
}

/** A stream begins at once, and has its words half-way. */
function slowChat(name: string): Scenario | null {
  const ms = /^slow_chat_(\d{1,6})$/.exec(name)?.[1];
  if (ms === undefined) return null;
  const slowly = (call: Call, world: World) => slowed(world.serve(call), Number(ms));
  const of = { kind: "chat", takes: ["chat"] } as const;
  return one(expects("ok", 200), name, `A chat ends after ${ms} ms.`, slowly, of);
}

function slowed(good: Wire, ms: number): Wire {
  if (good.type === "raw") return good;
  const pause = wait(ms / 2);
  const { status, headers } = good;
  if (good.type === "reply") return stream(status, [pause, pause, write(good.body)], headers);
  const [role = pause, word = pause, ...rest] = good.steps;
  return stream(status, [role, pause, word, pause, ...rest], headers);
}

function listOf(name: string): Scenario | null {
  const modelCount = Number(/^models_(\d{1,6})$/.exec(name)?.[1] ?? NaN);
  if (!(modelCount <= 100_000)) return null;
  const list = () => modelList(Array.from({ length: modelCount }, (_, index) => `sim-model-${index + 1}`));
  const expect = expects("ok", 200, { modelCount });
  return one(expect, name, `A good list of ${modelCount} models.`, () => json(200, list()));
}

function limited(name: string): Scenario | null {
  const [, silent, named, ...digits] = /^(silent_)?limit_(ip|user|key)_(\d{1,4})_(\d{1,5})$/.exec(name) ?? [];
  const level = LEVELS.find((known) => known === named);
  const [requests = 0, perSeconds = 0] = digits.map(Number);
  if (level === undefined || requests < 1 || perSeconds < 1) return null;
  const limit = { level, requests, perSeconds, tellsWhen: silent === undefined };
  return one(
    GOOD,
    name,
    `At most ${requests} requests in ${perSeconds} s for each ${level}.`,
    (call, world) => serve(call, world, { anyKey: true, limit }),
  );
}
