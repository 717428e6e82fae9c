/**
 * What a canary asked for, and where in the answer the evidence lies: what an answer to it must hold to be a success, and
 * what else is read from it. Pure data.
 */

/** What a success must bring; `nothing`: that the answer is good is all. */
export type Evidence = "text" | "vector" | "media" | "nothing";

/**
 * `text`, `vector`, `result` (image, video or its address): the evidence. `id`, `status`: of a task. `end`: a member that
 * only the last event of a stream has. The others are figures.
 */
export const POINTER_NAMES = [
  "text",
  "vector",
  "result",
  "id",
  "status",
  "end",
  "inputTokens",
  "outputTokens",
  "balance",
] as const;
export type PointerName = (typeof POINTER_NAMES)[number];

/** JSON pointers (RFC 6901); where one is absent, it is looked for in the usual places. */
export type Pointers = Readonly<Partial<Record<PointerName, string>>>;

/** A member that an answer must have, by a JSON pointer, and the value that it must be equal to. */
export interface ExpectedMember {
  readonly pointer: string;
  readonly value: unknown;
}

export interface Asked {
  readonly evidence: Evidence;
  /** A stream of events was asked for: only its end mark ends it. */
  readonly isStreamed: boolean;
  /** `creation`: the answer may be a task to be asked about. `question`: it is the record of a task that exists. */
  readonly task: "creation" | "question" | null;
  readonly pointers: Pointers;
  readonly expect: readonly ExpectedMember[];
}

/** A piece of a body, and when it came. */
export interface Arrival {
  /** Since the request was sent, in milliseconds. */
  readonly afterMs: number;
  /** UTF-16 units of the text that had come by then. */
  readonly length: number;
}

/** What an answer tells besides its diagnosis; null: it does not. */
export interface Told {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly balance: number | null;
  /** The first and the last content of a stream, since the request was sent. */
  readonly firstContentMs: number | null;
  readonly lastContentMs: number | null;
  /** The id of a task that is not over, as it must be asked for; it holds no secret. */
  readonly taskId: string | null;
}
