/** The answers of canaries that come as a stream or as a task. Pure. */
import {
  NO_USAGE,
  hasEvidence,
  isAtTokenLimit,
  isEqual,
  lackOf,
  laterUsage,
  objectsOf,
  textOf,
  usageOf,
  type Usage,
} from "./canary-evidence.ts";
import { verdict, type Verdict } from "./diagnosis.ts";
import { visibleText } from "./error-facts.ts";
import { visitEvents, type SourceEvent } from "./event-stream.ts";
import { asObject, asText, isEmptyValue, readJson, valueAt, type JsonObject } from "./json.ts";
import type { Answer, Asked, Kind, Pointers } from "./observation.ts";
import { failedTask, pendingTask, phaseOfWord, readTask, type TaskFacts } from "./task-state.ts";

export interface CanaryStream {
  /** Complete ones. */
  readonly events: number;
  readonly isEnded: boolean;
  /** The end mark came, but not the empty line behind it. */
  readonly isEndOpen: boolean;
  readonly hasEvidence: boolean;
  readonly usage: Usage;
  readonly firstContentMs: number | null;
  readonly lastContentMs: number | null;
  /** Pointers at which no event has what is expected. */
  readonly unmet: readonly string[];
}

export function readCanaryStream({ body, arrivals = [] }: Answer, asked: Asked): CanaryStream {
  const reader: Reader = {
    events: 0,
    style: null,
    isEnded: false,
    isEndOpen: false,
    hasEvidence: asked.evidence === "nothing",
    isAtLimit: false,
    usage: NO_USAGE,
    firstContentMs: null,
    lastContentMs: null,
    unmet: new Map(asked.expect.map(({ pointer, value }) => [pointer, value])),
  };
  visitEvents(body, arrivals, (event) => readEvent(reader, event, asked));
  const { outputTokens } = reader.usage;
  const isSpentOnReasoning = asked.evidence === "text" && reader.isAtLimit && (outputTokens ?? 0) > 0;
  return {
    events: reader.events,
    isEnded: reader.isEnded,
    isEndOpen: reader.isEndOpen,
    hasEvidence: reader.hasEvidence || (isSpentOnReasoning && asked.pointers.text === undefined),
    usage: reader.usage,
    firstContentMs: reader.firstContentMs,
    lastContentMs: reader.lastContentMs,
    unmet: [...reader.unmet.keys()],
  };
}

interface Reader {
  events: number;
  /** Whose end mark is waited for; null: no event has told yet. */
  style: "chat" | "messages" | null;
  isEnded: boolean;
  isEndOpen: boolean;
  hasEvidence: boolean;
  isAtLimit: boolean;
  usage: Usage;
  firstContentMs: number | null;
  lastContentMs: number | null;
  readonly unmet: Map<string, unknown>;
}

function readEvent(reader: Reader, event: SourceEvent, asked: Asked): void {
  const payload = payloadOf(event.data);
  const type = asText(payload?.["type"]) ?? event.name;
  reader.style ??= styleOf(payload, type);
  const isEnd = isEndMark(event.data, payload, type, reader.style, asked.pointers);
  if (event.isOpen) {
    reader.isEndOpen = isEnd && !reader.isEnded;
    return;
  }
  reader.events += 1;
  // What comes behind the end mark is no part of the answer; only its figures may come late.
  const isLate = reader.isEnded;
  if (isEnd) reader.isEnded = true;
  if (payload === null) return;
  if (!isLate) noteContent(reader, payload, event.afterMs, asked);
  reader.isAtLimit ||= isAtTokenLimit(payload);
  reader.usage = laterUsage(reader.usage, usageOf(payload, asked.pointers));
  for (const [pointer, value] of reader.unmet) {
    if (isEqual(valueAt(payload, pointer), value)) reader.unmet.delete(pointer);
  }
}

function payloadOf(data: string): JsonObject | null {
  return /^\s*\{/.test(data) ? asObject(readJson(data)) : null;
}

function styleOf(payload: JsonObject | null, type: string): Reader["style"] {
  if (/^(?:message|content_block)_(?:start|delta|stop)$/.test(type)) return "messages";
  return Array.isArray(payload?.["choices"]) ? "chat" : null;
}

function isEndMark(
  data: string,
  payload: JsonObject | null,
  type: string,
  style: Reader["style"],
  { end }: Pointers,
): boolean {
  if (end !== undefined) return isSaid(valueAt(payload, end));
  return style === "messages" ? type === "message_stop" && payload !== null : data.trim() === "[DONE]";
}

/** Events before the last often have the member too, and say nothing in it. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}

function noteContent(reader: Reader, payload: JsonObject, afterMs: number | null, asked: Asked): void {
  if (asked.evidence !== "text") {
    reader.hasEvidence ||= hasEvidence(payload, asked, null);
    return;
  }
  const { text } = asked.pointers;
  const content = text === undefined ? contentOf(payload) : textOf(valueAt(payload, text));
  if (content === "") return;
  reader.hasEvidence ||= content.trim() !== "";
  reader.firstContentMs ??= afterMs;
  reader.lastContentMs = afterMs;
}

/** Words and reasoning; neither roles, nor the calls of tools, nor signatures. */
function contentOf(payload: JsonObject): string {
  const chat = objectsOf(payload["choices"]).map((choice) => {
    const delta = asObject(choice["delta"]);
    return [delta?.["content"], delta?.["reasoning_content"], delta?.["reasoning"], choice["text"]]
      .map(textOf)
      .join("");
  });
  const block = asObject(payload["delta"]) ?? asObject(payload["content_block"]);
  return chat.join("") + [block?.["text"], block?.["thinking"]].map(textOf).join("");
}

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
  const hasNoState = status !== undefined && task.state === null;
  return hasNoState ? { ...pendingTask(task), message: `no task state at ${status}` } : pendingTask(task);
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

function lacking(asked: Asked): Verdict {
  return { ...verdict("unexpected_response", "body"), message: lackOf(asked) };
}
