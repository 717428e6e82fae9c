/**
 * The events of a `text/event-stream`, by the letter of its format: an event counts when its empty line came. Pure and
 * linear in the text and its arrivals.
 */
import { createParser } from "eventsource-parser";
import type { Arrival } from "./asked.ts";

export interface SourceEvent {
  /** "" where the event has no name. */
  readonly name: string;
  readonly data: string;
  /** When the piece came that completed it, in milliseconds since the request; null: not known. */
  readonly afterMs: number | null;
  /** Its empty line never came. */
  readonly isOpen: boolean;
}

/**
 * False where the text is not read, because it has an event of too many lines. `arrivals` may be empty; what they leave
 * of the text came with the last of them.
 */
export function visitEvents(
  text: string,
  arrivals: readonly Arrival[],
  visit: (event: SourceEvent) => void,
): boolean {
  if (hasEndlessEvent(text)) return false;
  let afterMs: number | null = null;
  let isOpen = false;
  const parser = createParser({
    onEvent: ({ event, data }) => visit({ name: event ?? "", data, afterMs, isOpen }),
  });
  let at = 0;
  for (const arrival of arrivals) {
    afterMs = arrival.afterMs;
    const end = Math.max(at, arrival.length);
    parser.feed(text.slice(at, end));
    at = end;
  }
  parser.feed(text.slice(at));
  isOpen = true;
  parser.feed("\n\n");
  return true;
}

/** An event of so many lines takes some 10 MB to put together, and nobody sends one. */
const MAX_EVENT_LINES = 100_000;

function hasEndlessEvent(text: string): boolean {
  if (text.length <= MAX_EVENT_LINES) return false;
  let lines = 0;
  let isBlank = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) {
      isBlank = false;
    } else if (code === CARRIAGE_RETURN || text.charCodeAt(at - 1) !== CARRIAGE_RETURN) {
      lines = isBlank ? 0 : lines + 1;
      isBlank = true;
      if (lines > MAX_EVENT_LINES) return true;
    }
  }
  return false;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
