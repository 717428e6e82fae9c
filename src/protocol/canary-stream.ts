/**
 * A stream that a canary was answered with, by the letter: what came complete, whether its end mark is there, and when
 * content came (spec 6). Pure and linear. Errors are found by the reading of transcripts.
 */
import type { Asked, Pointers } from "./asked.ts";
import { visitEvents } from "./event-source.ts";
import type { SourceEvent } from "./event-source.ts";
import { hasEvidence, isAtTokenLimit, isEqual, objectsOf, textOf } from "./evidence.ts";
import { asObject, asText, isCheapToParse } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { valueAt } from "./json-pointer.ts";
import type { Answer } from "./observation.ts";
import { laterUsage, NO_USAGE, usageOf } from "./usage.ts";
import type { Usage } from "./usage.ts";

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
  if (!/^\s*\{/.test(data) || !isCheapToParse(data)) return null;
  try {
    const json: unknown = JSON.parse(data);
    return asObject(json);
  } catch {
    return null;
  }
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
