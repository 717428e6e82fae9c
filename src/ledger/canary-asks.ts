/** What stands for what a canary asks for, so that another request under its id is noticed. Pure. */
import type { CanaryConfig } from "../config/config.ts";
import { stableHash } from "../domain/schedule.ts";

/** A configuration lives as long as the isolate, and its bodies may be long. */
const known = new WeakMap<CanaryConfig, string>();

/** `<how a task is asked about>:<the request, and what its answer must hold>`. */
export function asksOf(canary: CanaryConfig): string {
  const before = known.get(canary);
  if (before !== undefined) return before;
  const { kind, task, request, isStreamed, evidence, pointers, expect, timeoutMs } = canary;
  const own = [kind, request, isStreamed, evidence, pointers, expect, timeoutMs];
  const asks = `${digest([kind, task?.path])}:${digest(own)}`;
  known.set(canary, asks);
  return asks;
}

/** Whether a task that was created then can be asked about now; null: nobody knows what was asked for. */
export function asksAlike(before: string | null, now: string | null): boolean {
  return before === null || before.split(":", 1)[0] === now?.split(":", 1)[0];
}

function digest(value: unknown): string {
  return stableHash(JSON.stringify(value)).toString(16);
}
