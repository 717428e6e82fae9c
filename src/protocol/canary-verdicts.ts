/**
 * Verdicts that no single answer holds: of time, of configured limits, and of what became of a request. Pure.
 */
import { CAUSE_TABLE } from "./causes.ts";
import type { KeptDiagnosis } from "./diagnosis.ts";
import { clip } from "./message.ts";

/** From `task_pending`: the task reached its deadline first. */
export function stalledTask(diagnosis: KeptDiagnosis): KeptDiagnosis {
  const state = diagnosis.taskState === null ? null : clip(`last known state: ${diagnosis.taskState}`);
  const message = diagnosis.message ?? state;
  return { ...diagnosis, ...rowOf("task_stalled"), layer: "task", retry: refused(diagnosis), message };
}

/** A creation that was accepted, and whose answer brings no id, or one that cannot be asked about. */
export function unaskableTask(diagnosis: KeptDiagnosis): KeptDiagnosis {
  return {
    ...diagnosis,
    ...rowOf("unexpected_response"),
    layer: "task",
    retry: refused(diagnosis),
    message: "The task was accepted, and the answer brings no id that it can be asked about by.",
    advice:
      "The task cannot be asked about, and may still run. Look for it in the logs of the gateway, and check where its id is.",
    rule: "3",
    ambiguous: [],
  };
}

/** A question about a task that existed, and does not any more. */
export function goneTask(diagnosis: KeptDiagnosis): KeptDiagnosis {
  return {
    ...diagnosis,
    ...rowOf("not_found"),
    owner: "operator",
    health: "down",
    retry: refused(diagnosis),
    advice: "The task was created and is gone. Look for its id in the logs; it is not created again.",
    rule: "3",
    ambiguous: [],
  };
}

/** A request that left, or was about to, and whose answer was never recorded. */
export function ofUnknownFate(): KeptDiagnosis {
  return {
    ...rowOf("timeout"),
    ...UNANSWERED,
    owner: "nobody",
    health: "unknown",
    message: "The probe was interrupted before its answer was recorded.",
    advice: "The request may have been accepted. It is not repeated before its next time.",
    rule: "7.3",
  };
}

/** A task of which nothing was learnt since it was there. */
export function unansweredTask(): KeptDiagnosis {
  return { ...rowOf("task_pending"), ...UNANSWERED };
}

const UNANSWERED = {
  layer: null,
  retry: { allowed: false, afterSeconds: null, hint: null },
  httpStatus: null,
  errorType: null,
  errorCode: null,
  businessCode: null,
  requestId: null,
  taskId: null,
  taskState: null,
  message: null,
  ambiguous: [],
} as const;

/** Nobody but `ofUnknownFate` leaves a failure to nobody without having seen anything. */
export function isOfUnknownFate({ cause, owner, layer, health }: KeptDiagnosis): boolean {
  return cause === "timeout" && owner === "nobody" && layer === null && health === "unknown";
}

export interface BalanceLimit {
  readonly balance: number;
  readonly warnBelow: number;
}

/** From `ok`: the answer is good, and the balance that it tells is below its limit. */
export function balanceLow(diagnosis: KeptDiagnosis, { balance, warnBelow }: BalanceLimit): KeptDiagnosis {
  const message = `The balance is ${balance}, below ${warnBelow}.`;
  return { ...diagnosis, ...rowOf("balance_low"), layer: null, message };
}

function rowOf(cause: KeptDiagnosis["cause"]) {
  const { ok, owner, health, advice, rule } = CAUSE_TABLE[cause];
  return { ok, cause, owner, health, advice, rule };
}

function refused(diagnosis: KeptDiagnosis): KeptDiagnosis["retry"] {
  return { ...diagnosis.retry, allowed: false };
}
