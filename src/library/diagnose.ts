/** The judgement of the monitor, for programs: an answer in any usual form in, a diagnosis out. */
import { diagnose as diagnoseObservation } from "../protocol/diagnose.ts";
import { OPERATORS, type Diagnosis, type Operator } from "../protocol/diagnosis.ts";
import {
  type Answer,
  type Kind,
  KINDS,
  type NetworkFailure,
  type Observation,
} from "../protocol/observation.ts";
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";
import { readThrown } from "../protocol/thrown.ts";
import type { BodyStream, BodyText } from "../probe/body-text.ts";
import {
  type BodyLike,
  type HeadersLike,
  readBodyLike,
  readBodyStream,
  readHeaders,
} from "./given-answer.ts";

/** An HTTP answer, as it came. */
export interface GatewayAnswer {
  /**
   * What was asked; it decides which shape a success must have. Default: `"stream"` where the content type says event stream,
   * else `"console"`, which takes any JSON object without an error for a success.
   */
  readonly kind?: Kind | undefined;
  /** 100 to 999. */
  readonly status: number;
  /** Without them no `Retry-After`, no request id of a header and no page of a CDN is known. */
  readonly headers?: HeadersLike | undefined;
  /** The text or the bytes, not parsed. Of more than 8 MiB only the beginning is looked at. */
  readonly body: BodyLike;
}

/** What `fetch`, or reading the body, threw. An abort of your own is no failure of the gateway: it is not for here. */
export interface GatewayFailure {
  /** What was asked. Default: `"console"`. */
  readonly kind?: Kind | undefined;
  /** As it was thrown; in Node the reason is in its `cause`, in a browser there is none. */
  readonly error: unknown;
  /** The address that was asked: workerd's errors say less without it. */
  readonly url?: string | undefined;
  /** Where the headers had come before it broke. */
  readonly status?: number | undefined;
  readonly headers?: HeadersLike | undefined;
}

export interface DiagnoseOptions {
  /**
   * What must not stand in the diagnosis in any encoding: the API key that was sent, a proxy's password. What looks like a
   * secret is taken out anyway. Default: none. If you diagnose often, build one redactor with `createRedactor` and give that.
   */
  readonly secrets?: readonly string[] | Redact;
  /** Unix time in milliseconds; a `Retry-After` date in an answer without a `Date` is measured from it. Default: now. */
  readonly now?: number;
  /** Who runs the gateway. `"us"`: what its operator must do is `turn: "us"`, with advice for you. Default: not known. */
  readonly operator?: Operator;
}

/**
 * What an answer means, or that there was none: what failed, whose turn it is, and whether waiting cures it. A 200 is never taken
 * for success by its status alone: an error in it, a `code` other than 0, a page and a broken body are found. Whatever the
 * gateway sent, it does not throw, and takes time linear in the answer.
 *
 * @throws TypeError or RangeError where the argument is no answer: a status that is none, a body that was parsed already.
 */
export function diagnose(seen: GatewayAnswer | GatewayFailure, options: DiagnoseOptions = {}): Diagnosis {
  return diagnosed("error" in seen ? failureOf(seen) : answerOf(seen, readBodyLike(seen.body)), options);
}

/** The parts of a `Response` that are read. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: HeadersLike;
  readonly body: BodyStream | null;
  readonly bodyUsed?: boolean | undefined;
}

export interface DiagnoseResponseOptions extends DiagnoseOptions {
  /** As in `GatewayAnswer`. */
  readonly kind?: Kind | undefined;
}

/**
 * The same for what `fetch` gave. It reads the body, up to 8 MiB: give it `response.clone()` where you want to read it, too. A
 * body that breaks off is diagnosed as that.
 *
 * @throws TypeError where the body was read before, or is being read.
 */
export async function diagnoseResponse(
  { status, headers, body: stream, bodyUsed = false }: ResponseLike,
  { kind, ...options }: DiagnoseResponseOptions = {},
): Promise<Diagnosis> {
  if (bodyUsed || stream?.locked === true) throw new TypeError("the response body was already read");
  const observation = await readBodyStream(stream).then(
    (read) => answerOf({ kind, status, headers }, read),
    (error: unknown) => failureOf({ kind, status, headers, error }),
  );
  return diagnosed(observation, options);
}

function diagnosed(observation: Observation, { now = Date.now(), secrets = [], operator }: DiagnoseOptions) {
  const redact = typeof secrets === "function" ? secrets : createRedactor(secrets);
  const who = operator === undefined ? null : known(OPERATORS, "operator", operator);
  return diagnoseObservation(observation, { nowMs: now, redact }, who);
}

function answerOf(
  { kind, status, headers: given = {} }: Omit<GatewayAnswer, "body">,
  read: BodyText,
): Answer {
  const headers = readHeaders(given);
  const isStream = /^\s*text\/event-stream\b/i.test(headers["content-type"] ?? "");
  return {
    type: "answer",
    kind: known(KINDS, "kind", kind ?? (isStream ? "stream" : "console")),
    status: judged(status),
    headers,
    ...read,
  };
}

function failureOf({ kind = "console", error, url, status, headers = {} }: GatewayFailure): NetworkFailure {
  const thrown = readThrown(error, url ?? null);
  const { stage, detail } = thrown.type === "network" ? thrown : NOTHING_LEFT;
  return {
    type: "network_failure",
    kind: known(KINDS, "kind", kind),
    stage,
    status: status === undefined ? null : judged(status),
    headers: readHeaders(headers),
    detail,
  };
}

/** Of a Worker: no fault of the gateway's, and none of its network. */
const NOTHING_LEFT = { stage: "unknown", detail: "this invocation may send no more requests" } as const;

function judged(status: number): number {
  if (Number.isInteger(status) && status >= 100 && status <= 999) return status;
  throw new RangeError("`status` must be an HTTP status, 100 to 999");
}

function known<Word extends string>(words: readonly Word[], name: string, word: Word): Word {
  if (words.includes(word)) return word;
  throw new RangeError(`\`${name}\` must be one of ${words.join(", ")}`);
}
