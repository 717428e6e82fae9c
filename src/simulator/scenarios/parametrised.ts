/** Scenarios whose names carry a number: delays, list lengths, limits. Pure. */
import { LEVELS, type Level } from "../keys.ts";
import { MODEL_COUNT, modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";
import { LENIENT, serve } from "../service.ts";
import { json, stream, wait, write } from "../wire.ts";

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

export function parametrised(name: string): Scenario | null {
  return delayed(name) ?? slowChat(name) ?? listOf(name) ?? limited(name);
}

function delayed(name: string): Scenario | null {
  const ms = /^delay_(\d{1,6})$/.exec(name)?.[1];
  if (ms === undefined) return null;
  return scenario(
    name,
    `The whole service works after ${ms} ms.`,
    (call, world) => serve(call, world, LENIENT),
    expects("ok", 200, { modelCount: MODEL_COUNT }),
    { delayMs: Number(ms) },
  );
}

/** A stream begins at once, and has its words half-way. */
function slowChat(name: string): Scenario | null {
  const ms = /^slow_chat_(\d{1,6})$/.exec(name)?.[1];
  if (ms === undefined) return null;
  const pause = wait(Number(ms) / 2);
  return scenario(
    name,
    `A chat ends after ${ms} ms.`,
    (call, world) => {
      const good = world.serve(call);
      if (good.type === "raw") return good;
      const { status, headers } = good;
      if (good.type === "reply") return stream(status, [pause, pause, write(good.body)], headers);
      const [role = pause, word = pause, ...rest] = good.steps;
      return stream(status, [role, pause, word, pause, ...rest], headers);
    },
    expects("ok", 200),
    { kind: "chat", takes: ["chat"] },
  );
}

function listOf(name: string): Scenario | null {
  const digits = /^models_(\d{1,6})$/.exec(name)?.[1];
  const count = Number(digits);
  if (digits === undefined || count > 100_000) return null;
  const list = () => modelList(Array.from({ length: count }, (_, index) => `sim-model-${index + 1}`));
  return scenario(
    name,
    `A good list of ${count} models.`,
    () => json(200, list()),
    expects("ok", 200, { modelCount: count }),
  );
}

function limited(name: string): Scenario | null {
  const [, silent, level, requests, perSeconds] =
    /^(silent_)?limit_(ip|user|key)_(\d{1,4})_(\d{1,5})$/.exec(name) ?? [];
  if (Number(requests) < 1 || Number(perSeconds) < 1 || !isLevel(level)) return null;
  const limit = {
    requests: Number(requests),
    perSeconds: Number(perSeconds),
    tellsWhen: silent === undefined,
  };
  return scenario(
    name,
    `At most ${limit.requests} requests in ${limit.perSeconds} s for each ${level}.`,
    (call, world) => serve(call, world, { anyKey: true, limits: { [level]: limit } }),
    expects("ok", 200, { modelCount: MODEL_COUNT }),
    { note: "The expectation holds while the limit is not reached." },
  );
}

function isLevel(value: string | undefined): value is Level {
  return LEVELS.some((level) => level === value);
}
