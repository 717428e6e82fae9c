/** What somebody saved or pasted: the form it has, and the exchange that it tells of. Pure data. */
import type { Kind, Observation } from "../protocol/observation.ts";

/**
 * `http`: status line, headers and body, as `curl -i` prints them. `answer`: JSON with a status, headers and a body. `har`: a
 * HAR 1.2 log or one of its entries. `sdk_error`: what an official client printed. `event_stream`: the transcript of a stream.
 * `task`: the record of an asynchronous task. `json`: any other body alone. `text`: a page, or words.
 */
export const FORMS = ["http", "answer", "har", "sdk_error", "event_stream", "task", "json", "text"] as const;
export type Form = (typeof FORMS)[number];

/**
 * What a reader of the verdict must know of how it came about. `status_unknown`: the text tells no HTTP status, so the answer
 * was judged as one that came with 200. `kind_guessed`: nobody said what was asked. `last_response`: of several responses the
 * last was judged. `one_of_entries`: of several exchanges one was judged. `body_missing`: the body is not there. `body_cut`:
 * it is not whole. `words_only`: the text shows no answer of a gateway.
 */
export const NOTES = [
  "status_unknown",
  "kind_guessed",
  "last_response",
  "one_of_entries",
  "body_missing",
  "body_cut",
  "words_only",
] as const;
export type Note = (typeof NOTES)[number];

export interface Pasted {
  readonly form: Form;
  /** More of the form, for people: `HTTP/2`, `openai for Python`; null where there is nothing to add. */
  readonly detail: string | null;
  /** An answer whose status is not told has 200, and the note says so. */
  readonly observation: Observation;
  /** Null where nothing tells of it. */
  readonly request: PastedRequest | null;
  readonly notes: readonly Note[];
}

/** The request, as far as the text tells of it; nothing in it is redacted yet. */
export interface PastedRequest {
  readonly method: string;
  /** As it stands there: whole, or a path. */
  readonly url: string;
  readonly model: string | null;
  /** Was a stream asked for? */
  readonly streaming: boolean;
  /** Unix time in milliseconds. */
  readonly sentAtMs: number | null;
  /** Name and version of the client that sent it. */
  readonly client: string | null;
}

/** Reads one form; null: the text does not have it. `kind`: what was asked, where somebody said so. */
export type ReadForm = (text: string, kind: Kind | null) => Pasted | null;
