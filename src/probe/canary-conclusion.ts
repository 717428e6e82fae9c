/**
 * What the answer to a canary means in the course of things: whether its task is open or over (spec 3), and whether the
 * balance and the time are as the configuration wants them. Pure.
 */
import type { CanaryConfig } from "../config/config.ts";
import type { OpenTask } from "../domain/canary.ts";
import type { Told } from "../protocol/asked.ts";
import { balanceLow, stalledTask, unaskableTask } from "../protocol/canary-verdicts.ts";
import { CAUSE_TABLE } from "../protocol/causes.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { judgeExpectations } from "../protocol/expectations.ts";
import { clip } from "../protocol/message.ts";

export interface Conclusion {
  readonly diagnosis: KeptDiagnosis;
  /** What is open now. */
  readonly task: OpenTask | null;
  /** The task was seen in its final state. */
  readonly isFinal: boolean;
}

interface Answer {
  readonly diagnosis: KeptDiagnosis;
  readonly told: Told;
}

/** Of the canary's own request. An accepted task is open, and nothing is proven yet. */
export function concludeRequest(
  { diagnosis, told }: Answer,
  task: CanaryConfig["task"],
  sentAtMs: number,
): Conclusion {
  const over = { diagnosis, task: null, isFinal: false };
  if (task === null || diagnosis.cause !== "task_pending") return over;
  if (told.taskId === null) return { ...over, diagnosis: unaskableTask(diagnosis) };
  const open = { id: told.taskId, createdAtMs: sentAtMs, deadlineMs: sentAtMs + task.deadlineMs };
  return { ...over, task: open };
}

/**
 * Of a question about a task. One that comes to nothing says nothing about the task until its deadline.
 * @param askedAtMs null: it was not sent.
 */
export function concludeQuestion(
  { diagnosis }: Answer,
  task: OpenTask,
  askedAtMs: number | null,
  nowMs: number,
): Conclusion {
  if (isOver(diagnosis)) return { diagnosis, task: null, isFinal: diagnosis.cause !== "not_found" };
  const isLate = (askedAtMs ?? nowMs) >= task.deadlineMs;
  const isPending = diagnosis.cause === "task_pending";
  if (isLate)
    return { diagnosis: isPending ? stalledTask(diagnosis) : diagnosis, task: null, isFinal: false };
  return { diagnosis: isPending ? diagnosis : { ...diagnosis, health: "unknown" }, task, isFinal: false };
}

/** It succeeded, with or without the evidence, it failed, or it is gone. */
function isOver({ ok, cause, layer }: KeptDiagnosis): boolean {
  return ok || cause === "not_found" || (layer === "task" && cause !== "task_pending");
}

/** What the configuration wants of an answer that is good. */
export function judgeWishes(
  diagnosis: KeptDiagnosis,
  { warnBelow, pointers }: Pick<CanaryConfig, "warnBelow" | "pointers">,
  { balance, tookMs, slowerThanMs }: Measures,
): KeptDiagnosis {
  if (!diagnosis.ok) return diagnosis;
  if (warnBelow !== null && balance === null) return balanceMissing(diagnosis, pointers.balance);
  const isLow = warnBelow !== null && balance !== null && balance < warnBelow;
  const judged = isLow ? balanceLow(diagnosis, { balance, warnBelow }) : diagnosis;
  return judgeExpectations(judged, { modelIds: null, expect: [], latencyMs: tookMs, slowerThanMs }).diagnosis;
}

interface Measures {
  readonly balance: number | null;
  /** Of the task, else of the last answer. */
  readonly tookMs: number;
  readonly slowerThanMs: number | null;
}

function balanceMissing(diagnosis: KeptDiagnosis, pointer: string | undefined): KeptDiagnosis {
  const { ok, owner, health, rule } = CAUSE_TABLE.unexpected_response;
  const place = pointer === undefined ? "where it usually is" : `at ${JSON.stringify(pointer)}`;
  return {
    ...diagnosis,
    ok,
    cause: "unexpected_response",
    layer: "body",
    owner,
    health,
    rule,
    message: clip(`The answer has no balance ${place}.`),
    advice: "The answer was good but told no balance. Check the pointer to it in the configuration.",
  };
}
