/**
 * Watches an event stream while it goes by (spec 6): finds the event that is an error, and whether the end mark came. It
 * holds one event at a time. Pure; linear in the text.
 */
import { readEventStream } from "./event-stream.ts";

/** Larger events go by unread: they are images, and no errors. */
const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

/** Of what has no events: a page, or JSON. */
const MAX_START_LENGTH = 65_536;

/** How a stream of that style ends; null: nobody knows. */
export type EndMark = "done" | "message_stop" | null;

export class StreamWatch {
  readonly #mark: EndMark;
  #pending = "";
  #isSkipping = false;
  #hasEvents = false;
  #isEnded = false;
  #start = "";

  constructor(mark: EndMark) {
    this.#mark = mark;
  }

  /** The end mark has come: what follows is no part of the answer. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** What came while nothing of it was an event; null once there was one. */
  get start(): string | null {
    return this.#hasEvents ? null : this.#start;
  }

  /** The transcript that shows the first error in what came; null: there is none. */
  feed(piece: string): string | null {
    if (!this.#hasEvents) this.#start += piece.slice(0, MAX_START_LENGTH - this.#start.length);
    let from = Math.max(0, this.#pending.length - LONGEST_GAP);
    const text = this.#pending + piece;
    let at = 0;
    let found: string | null = null;
    for (;;) {
      EVENT_END.lastIndex = from;
      const gap = EVENT_END.exec(text);
      if (gap === null) break;
      const end = gap.index + gap[0].length;
      if (!this.#isSkipping) found ??= this.#read(text.slice(at, end));
      this.#isSkipping = false;
      at = end;
      from = end;
    }
    this.#pending = this.#isSkipping ? text.slice(-LONGEST_GAP) : text.slice(at);
    if (this.#pending.length > MAX_EVENT_LENGTH) {
      this.#isSkipping = true;
      this.#pending = this.#pending.slice(-LONGEST_GAP);
    }
    return found;
  }

  /** The same for what has no empty line behind it, when nothing more will come. */
  end(): string | null {
    if (this.#isSkipping || this.#pending === "") return null;
    const rest = this.#pending;
    this.#pending = "";
    return this.#read(`${rest}\n\n`);
  }

  #read(block: string): string | null {
    const hadEvents = this.#hasEvents;
    const { error, hasEvents } = readEventStream(block);
    const isMark = (this.#mark === "message_stop" ? MESSAGE_STOP : DONE).test(block);
    if (isMark && this.#mark !== null) this.#isEnded = true;
    this.#hasEvents ||= hasEvents || isMark;
    if (error === undefined) return null;
    // What a refusal means depends on whether content came before it.
    return hadEvents ? `data: begun\n\n${block}` : block;
  }
}

const EVENT_END = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/g;

const LONGEST_GAP = 3;

const DONE = /^[ \t]*data:[ \t]*(?:\[DONE\]|DONE|\[END\])[ \t]*$|^data:.*"type"\s*:\s*"message_stop"/m;
const MESSAGE_STOP = /^[ \t]*event:[ \t]*message_stop[ \t]*$|^data:.*"type"\s*:\s*"message_stop"/m;
