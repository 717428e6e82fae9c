/**
 * The figures that an answer tells: tokens and a balance. Pure. Only numbers come out of it, and only within bounds.
 */
import type { Pointers } from "./asked.ts";
import { asObject } from "./json.ts";
import { valueAt } from "./json-pointer.ts";

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export const NO_USAGE: Usage = { inputTokens: null, outputTokens: null };

/** What one JSON tells: an answer, or an event of a stream, where a message's first event wraps it. */
export function usageOf(json: unknown, pointers: Pointers): Usage {
  const body = asObject(json);
  const usage = asObject(body?.["usage"]) ?? asObject(asObject(body?.["message"])?.["usage"]);
  const { inputTokens, outputTokens } = pointers;
  return {
    inputTokens:
      inputTokens === undefined
        ? (tokens(usage?.["prompt_tokens"]) ?? tokens(usage?.["input_tokens"]))
        : tokens(valueAt(json, inputTokens)),
    outputTokens:
      outputTokens === undefined
        ? (tokens(usage?.["completion_tokens"]) ?? tokens(usage?.["output_tokens"]))
        : tokens(valueAt(json, outputTokens)),
  };
}

/** The figures of a stream are those that it told last; a later 0 stands for what is not told again. */
export function laterUsage(before: Usage, after: Usage): Usage {
  return {
    inputTokens: after.inputTokens || (before.inputTokens ?? after.inputTokens),
    outputTokens: after.outputTokens || (before.outputTokens ?? after.outputTokens),
  };
}

/** A number, or one written as text; null where there is none. */
export function balanceOf(json: unknown, pointers: Pointers): number | null {
  const value = pointers.balance === undefined ? undefined : valueAt(json, pointers.balance);
  const balance = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  const isBalance =
    typeof balance === "number" && Number.isFinite(balance) && Math.abs(balance) <= MAX_BALANCE;
  return isBalance ? balance : null;
}

const DECIMAL = /^\s{0,8}[+-]?\d{1,16}(?:\.\d{1,20})?\s{0,8}$/;
const MAX_BALANCE = 1e15;
const MAX_TOKENS = 1e9;

function tokens(value: unknown): number | null {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
  return isCount ? value + 0 : null;
}
