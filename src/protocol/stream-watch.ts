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
  /** The last letters since the last event, where an empty line may have begun. */
  #tail = "";
  #isSkipping = false;
  #hasEvents = false;
  #isEnded = false;
  #isFinished = false;
  #start = "";

  constructor(mark: EndMark) {
    this.#mark = mark;
  }

  /** The end mark has come: what follows is no part of the answer. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The generation said that it is finished; in some gateways' chats no end mark comes behind that. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** What came while nothing of it was an event; null once there was one. */
  get start(): string | null {
    return this.#hasEvents ? null : this.#start;
  }

  /** The transcript that shows the first error in what came; null: there is none. */
  feed(piece: string): string | null {
    if (!this.#hasEvents) this.#start += piece.slice(0, MAX_START_LENGTH - this.#start.length);
    // An event that is put together of many pieces is joined once, when it is whole.
    const joint = this.#tail + piece;
    const offset = this.#tail.length;
    let found: string | null = null;
    let at = 0;
    EVENT_END.lastIndex = 0;
    for (let gap = EVENT_END.exec(joint); gap !== null; gap = EVENT_END.exec(joint)) {
      const end = gap.index + gap[0].length - offset;
      const error = this.#take(piece.slice(at, end));
      found ??= error;
      at = end;
    }
    const rest = piece.slice(at);
    this.#tail = (at === 0 ? joint : rest).slice(-LONGEST_GAP);
    if (!this.#isSkipping) this.#pending += rest;
    if (this.#pending.length > MAX_EVENT_LENGTH) {
      this.#isSkipping = true;
      this.#pending = "";
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

  /** The end of an event: whether it is an error. */
  #take(last: string): string | null {
    const block = this.#isSkipping ? null : this.#pending + last;
    this.#isSkipping = false;
    this.#pending = "";
    return block === null || this.#isEnded ? null : this.#read(block);
  }

  #read(block: string): string | null {
    const hadEvents = this.#hasEvents;
    const { error, hasEvents, isComplete } = readEventStream(block);
    this.#isFinished ||= isComplete;
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
