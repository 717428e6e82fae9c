/** What was asked and what came back: the input of a diagnosis. Pure. */
import type { Exercise } from "./audit.ts";

/** What a success must bring; `nothing`: that the answer is good is all. */
export type Evidence = "text" | "vector" | "media" | "nothing";

/** `text`, `vector`, `result`: the evidence. `id`, `status`: of a task. `end`: only the last event of a stream has it. Else figures. */
type PointerName =
  | "text"
  | "vector"
  | "result"
  | "id"
  | "status"
  | "end"
  | "inputTokens"
  | "outputTokens"
  | "balance";

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
  readonly exercise?: Exercise;
}

export interface Arrival {
  /** Since the request was sent, in milliseconds. */
  readonly afterMs: number;
  /** UTF-16 units of the text that had come by then. */
  readonly length: number;
}

export interface Served {
  readonly model: string | null;
  /** OpenAI's `system_fingerprint`, which changes with what the model runs on. */
  readonly fingerprint: string | null;
}

/** What an answer reports besides its diagnosis; null: it does not. */
export interface Told {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly balance: number | null;
  /** The first and the last content of a stream, since the request was sent. */
  readonly firstContentMs: number | null;
  readonly lastContentMs: number | null;
  readonly served: Served;
  /** The id of a task that is not over, as it must be asked for; it holds no secret. */
  readonly taskId: string | null;
  /** Of an audit: whether the question was answered right. Absent: it is none, or there is no good answer. */
  readonly isRight?: boolean;
}

/** What was asked of the gateway; it decides which shape a success must have. */
export const KINDS = [
  "models",
  "chat",
  "messages",
  "responses",
  "gemini",
  "embeddings",
  "image",
  "task",
  "console",
  "stream",
] as const;
export type Kind = (typeof KINDS)[number];

const PATHS: readonly (readonly [method: string, RegExp, Kind])[] = [
  ["POST", /(?<!\/async)(?<!\/async\/chat)\/(?:chat\/completions|completions)$/, "chat"],
  ["POST", /(?<!\/threads\/[^/]+)\/messages$/, "messages"],
  ["POST", /\/responses$/, "responses"],
  ["POST", /:(?:generateContent|streamGenerateContent)$/, "gemini"],
  ["POST", /\/embeddings$|:(?:embedContent|batchEmbedContents)$/, "embeddings"],
  ["POST", /\/images?\/(?:generations?|edits?|variations?)$/, "image"],
  ["POST", /\/(?:videos|videos?\/generations?|videos\/[^/]+\/remix)$/, "task"],
  ["GET", /\/v1\/models$/, "models"],
  ["GET", /\/(?:videos|videos?\/generations?|images?\/generations?|tasks)\/[^/]+$/, "task"],
];

/** By the end of the path, whatever the host and the base path; null: it says nothing. @param method null: not known. */
export function kindOfPath(url: string, method: string | null): Kind | null {
  const path = url
    .slice(0, 4096)
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "");
  const rules = PATHS.filter(([of]) => method === null || of === method);
  return rules.find(([, pattern]) => pattern.test(path))?.[2] ?? null;
}

/** A complete HTTP answer, or one whose body passed the size limit and was cut. */
export interface Answer {
  readonly type: "answer";
  readonly kind: Kind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded text, without a byte order mark; what was read of it when `bodyEnd` is not `complete`. */
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
  /** When its pieces came, in their order; absent: that was not measured. */
  readonly arrivals?: readonly Arrival[];
  /** When a stream ended, since the request was sent, in milliseconds; absent: that was not measured. */
  readonly endedMs?: number;
}

export type NetworkStage = "dns" | "connect" | "tls" | "timeout" | "unknown";

export interface NetworkFailure {
  readonly type: "network_failure";
  readonly kind: Kind;
  readonly stage: NetworkStage;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The transport's own words or code, for the message; not yet redacted. */
  readonly detail: string | null;
  /** What had come of the body when it broke; absent: nothing is known of it. */
  readonly received?: Pick<Answer, "body" | "arrivals" | "endedMs">;
}

/** Nothing was sent: the secret named in the configuration is not set, or cannot be a header's value. */
export interface NotSent {
  readonly type: "not_sent";
  readonly kind: Kind;
  readonly reason: "secret_missing" | "secret_malformed";
  readonly secretName: string;
}

export type Observation = Answer | NetworkFailure | NotSent;
