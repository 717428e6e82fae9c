/**
 * The answer to a canary about an asynchronous task: its creation, or a question about it (spec 3). A good status is
 * not success: its state is, or what it made. Pure.
 */
import type { Asked, Pointers } from "./asked.ts";
import { hasEvidence, lackOf } from "./evidence.ts";
import { asObject, asText, isEmptyValue } from "./json.ts";
import { valueAt } from "./json-pointer.ts";
import { visibleText } from "./message.ts";
import type { Kind } from "./observation.ts";
import { phaseOfWord, readTask } from "./task-state.ts";
import type { TaskFacts } from "./task-state.ts";
import { verdict } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** What a record says of its task; a pointer that is configured takes the place of the usual ones. */
export function taskAt(json: unknown, { id, status }: Pointers): TaskFacts {
  const usual = readTask(json);
  const taskId = id === undefined ? usual.taskId : asText(valueAt(json, id));
  const bare = taskId === null ? null : "pending";
  if (status === undefined) {
    const isByIdAlone = usual.state === null && usual.phase !== "succeeded" && usual.phase !== "failed";
    return { ...usual, taskId, phase: isByIdAlone && id !== undefined ? bare : usual.phase };
  }
  const value = valueAt(json, status);
  const state = typeof value === "boolean" ? String(value) : asText(value);
  const phase = typeof value === "boolean" ? phaseOfFlag(value, json) : phaseOfWord(state ?? "");
  if (state === null) return { ...usual, taskId, state, phase: bare, isKnown: true };
  return { ...usual, taskId, state, phase: phase ?? "pending", isKnown: phase !== null };
}

/** A task's final state alone shows a video; an image, and what a pointer is set for, must be there. */
export function judgeQuestion(json: unknown, asked: Asked, kind: Kind): Verdict {
  const task = taskAt(json, asked.pointers);
  if (task.phase === "failed") return failedTask(task);
  const isThere = hasEvidence(json, asked, null);
  const isByState = kind === "task" && asked.evidence === "media" && asked.pointers.result === undefined;
  if (task.phase === "succeeded") {
    return isThere || isByState ? verdict("ok", null) : { ...lacking(asked), layer: "task" };
  }
  if (task.state === null && isThere && asked.evidence !== "nothing") return verdict("ok", null);
  if (task.phase !== "pending") return lacking(asked);
  const { status } = asked.pointers;
  const isUntold = status !== undefined && task.state === null;
  return isUntold ? { ...pendingTask(task), message: `no task state at ${status}` } : pendingTask(task);
}

/** Only what it made, and no word of success, shows that a creation is over already. */
export function judgeCreation(json: unknown, asked: Asked, kind: Kind): Verdict {
  const task = taskAt(json, asked.pointers);
  if (task.phase === "failed") return failedTask(task);
  const isThere = asked.evidence !== "nothing" && hasEvidence(json, asked, null);
  const isPending = task.phase === "pending" && task.state !== null && task.isKnown;
  const isTask = kind === "task" && task.taskId !== null;
  const isOver = isTask ? task.phase === "succeeded" : !isPending;
  if (isThere && isOver) return verdict("ok", null);
  if (kind === "image" && task.taskId === null && !isPending) return lacking(asked);
  return pendingTask(task);
}

/** The id as it must be asked for; null where it is a secret's, or none that an address can hold. */
export function askableId(id: string | null, body: string, redact: (text: string) => string): string | null {
  if (id === null || id.length > MAX_ID_LENGTH || id.trim() !== id) return null;
  // `.` and `..` would be parts of a path, whatever they are encoded as.
  if (id === "." || id === ".." || visibleText(id) !== id) return null;
  return isRounded(id, body) || redact(id) !== id ? null : id;
}

/** A number of more digits than are kept of numbers is another one than was sent; as a text it is itself. */
function isRounded(id: string, body: string): boolean {
  return /^-?\d[\d.e+-]*$/.test(id) && !Number.isSafeInteger(Number(id)) && !body.includes(`"${id}"`);
}

const MAX_ID_LENGTH = 512;

function phaseOfFlag(isDone: boolean, json: unknown): TaskFacts["phase"] {
  if (!isEmptyValue(asObject(json)?.["error"])) return "failed";
  return isDone ? "succeeded" : "pending";
}

function failedTask(task: TaskFacts): Verdict {
  return { ...verdict("task_failed", "task"), message: task.reason };
}

function pendingTask(task: TaskFacts): Verdict {
  const pending = verdict("task_pending", "task");
  return task.isKnown ? pending : { ...pending, message: `unknown task state: ${task.state ?? ""}` };
}

function lacking(asked: Asked): Verdict {
  return { ...verdict("unexpected_response", "body"), message: lackOf(asked) };
}
