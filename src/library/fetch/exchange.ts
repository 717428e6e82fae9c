/** One request and its answer. One that can be read is judged; any other is passed on piece by piece, and watched (spec 6). */
import { diagnose } from "../../protocol/diagnose.ts";
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { isHtml } from "../../protocol/edge-page.ts";
import { type EndMark, endOfStream, isEventStream, StreamWatch } from "../../protocol/event-stream.ts";
import { asObject, isHollow, readBody } from "../../protocol/json.ts";
import type { Kind, NetworkStage } from "../../protocol/observation.ts";
import type { Redact } from "../../protocol/redaction/redact.ts";
import { readThrown } from "../../protocol/thrown.ts";
import type { BodyText } from "../../probe/body-text.ts";
import { type Head, readBodyText, readHeaders } from "../given-answer.ts";
import { GatewayError } from "./gateway-error.ts";
import type { Settings } from "./options.ts";
import { GENERATIONS, type SentRequest } from "./sent-request.ts";

export type Outcome =
  | { readonly type: "good"; readonly response: Response }
  | {
      readonly type: "bad";
      readonly diagnosis: Diagnosis;
      readonly headers: Head["headers"];
      /** As it came, with its body unread; null: it is not handed out. */
      readonly response: Response | null;
      readonly thrown?: unknown;
    };

export interface ExchangeContext {
  readonly settings: Settings;
  readonly judge: Judge;
  readonly errorOf: (diagnosis: Diagnosis, headers: Head["headers"], thrown?: unknown) => Error;
  /** The answer is over, or was handed over whole; once or more. */
  readonly over: () => void;
  /** Whether another gateway is asked if it fails so; then a stream that begins with an error is not handed over. */
  readonly isAskedElsewhere: ((diagnosis: Diagnosis) => boolean) | null;
}

/** @throws the reason of the caller's signal; what a platform throws that sends nothing more. */
export async function exchange(request: SentRequest, context: ExchangeContext): Promise<Outcome> {
  const limit = new AbortController();
  const signal = request.signal === null ? limit.signal : AbortSignal.any([request.signal, limit.signal]);
  const { timeoutMs } = request;
  const cancelTimeout = context.settings.clock.timeout(timeoutMs, () => limit.abort());
  let head: Head | null = null;
  try {
    const response = await untilAborted(request.send(signal), signal);
    head = { status: response.status, headers: readHeaders(response.headers) };
    return await untilAborted(receive(response, { ...context, head, request }), signal);
  } catch (thrown) {
    request.signal?.throwIfAborted();
    const isLate = limit.signal.aborted;
    const late = {
      type: "network",
      stage: "timeout",
      detail: `No complete answer within ${timeoutMs} ms.`,
    } as const;
    const failure = isLate ? late : readThrown(thrown, request.url);
    if (failure.type === "subrequest_limit") throw thrown;
    const diagnosis = judgeBreak(failure.stage, failure.detail, head, context.judge);
    const cause = isLate ? {} : { thrown };
    return { type: "bad", diagnosis, headers: head?.headers ?? {}, response: null, ...cause };
  } finally {
    cancelTimeout();
  }
}

/** Also works if a `fetch` ignores its signal. */
export async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let giveUp = (): void => undefined;
  // Node 20 has no Promise.withResolvers.
  const aborted = new Promise<never>((_resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's own
    giveUp = () => reject(signal.reason);
  });
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

interface Received extends ExchangeContext {
  readonly head: Head;
  readonly request: SentRequest;
}

async function receive(response: Response, received: Received): Promise<Outcome> {
  const { head, request, settings, judge, over } = received;
  if (response.type === "opaqueredirect") return redirected(judge);
  const { method, kind } = request;
  const type = head.headers["content-type"] ?? "";
  const pass = async (isEvents: boolean): Promise<Outcome> => passOn(response, received, isEvents);
  if (response.ok && /event-stream/i.test(type)) return pass(true);
  if (response.ok && method === "HEAD") {
    over();
    return { type: "good", response };
  }
  const isEmpty = head.headers["content-length"] === "0";
  if (response.ok && !isForReading(type) && !isEmpty) return pass(false);
  // Some streams have another content type.
  const isStream = (start: string): boolean => response.ok && isEventStream(start);
  const read = await readBodyText(response.clone().body, settings.maxBodyBytes, isStream);
  if (read === null) return pass(true);
  if (response.ok && read.bodyEnd === "over_limit" && isOfAnySize(kind, read.body)) return pass(false);
  const diagnosis = judgeAnswer(head, read, judge);
  if (diagnosis === null) {
    over();
    return { type: "good", response };
  }
  if (response.ok) discard(response);
  return { type: "bad", diagnosis, headers: head.headers, response: response.ok ? null : response };
}

export function discard(response: Response | null): void {
  response?.body?.cancel().catch(() => undefined);
}

/** Vectors and pictures are larger than what is read, and no error is: what was paid for is not thrown away. */
function isOfAnySize(kind: Kind | null, start: string): boolean {
  return (kind === null || GENERATIONS.has(kind)) && !isPage(start);
}

/** JSON, words and pages; what says nothing of itself is looked at too. */
function isForReading(type: string): boolean {
  if (/ndjson|jsonl|json-seq|stream\+json/i.test(type)) return false;
  return type === "" || /json|^\s*text\/|xml|html/i.test(type);
}

/** Browsers say nothing about a redirect but that it was one. */
function redirected(judge: Judge): Outcome {
  const answer = { type: "answer", status: 302, headers: {}, body: "", bodyEnd: "complete" } as const;
  const diagnosis = { ...diagnose({ ...answer, kind: judge.kind ?? "console" }, judge), httpStatus: null };
  return { type: "bad", diagnosis, headers: {}, response: null };
}

// What an answer means to the client that asked for it. Null: nothing is wrong with it.

interface Judge {
  readonly kind: Kind | null;
  readonly redact: Redact;
  readonly nowMs: number;
}

/** A task that is under way is a success; one that failed is not. */
function judgeAnswer(head: Head, read: BodyText, judge: Judge): Diagnosis | null {
  const { kind } = judge;
  const answer = { type: "answer", kind: kind ?? "console", ...head, ...read } as const;
  const diagnosis = diagnose(answer, judge);
  if (diagnosis.ok || diagnosis.cause === "task_pending") return null;
  const isGood = head.status >= 200 && head.status < 300;
  const isUnknown = kind === null && isGood;
  return isUnknown && (isOnlyShape(diagnosis, read) || isRecord(read)) ? null : diagnosis;
}

/** If the shape of a success is unknown, an odd shape is no failure; the page of a proxy is one. */
function isOnlyShape({ cause }: Diagnosis, { body, bodyEnd }: BodyText): boolean {
  if (bodyEnd === "over_limit") return false;
  return cause === "unexpected_response" || (cause === "wrong_url" && !isPage(body));
}

/** The record of a failed batch, run or file is what was asked for: the answer itself did not fail. */
function isRecord({ body, bodyEnd }: BodyText): boolean {
  const read = bodyEnd === "complete" ? readBody(body) : null;
  const record = read?.form === "json" ? asObject(read.json) : null;
  if (record === null || typeof record["id"] !== "string") return false;
  const { object, code, success } = record;
  return typeof object === "string" && code === undefined && success !== false && isHollow(record["error"]);
}

function isPage(body: string): boolean {
  return body.trimStart().startsWith("<") && isHtml(body);
}

export function judgeBreak(stage: NetworkStage, detail: string | null, head: Head | null, judge: Judge) {
  const { status, headers } = head ?? { status: null, headers: {} };
  return diagnose(
    { type: "network_failure", kind: judge.kind ?? "console", stage, detail, status, headers },
    judge,
  );
}

function judgeEvent(head: Head, transcript: string, judge: Judge): Diagnosis {
  return diagnose({ type: "answer", kind: "stream", ...head, body: transcript, bodyEnd: "complete" }, judge);
}

function droppedStream(head: Head, message: string | null, judge: Judge): Diagnosis {
  return {
    ...judgeEvent(head, "data: begun\n\n", judge),
    message: message === null ? null : judge.redact(message),
  };
}

// Bodies that are passed on: how they are watched, and what their reader gets if they do not end well.

async function passOn(response: Response, received: Received, isEvents: boolean): Promise<Outcome> {
  const { signal, kind } = received.request;
  if (response.body === null) {
    received.over();
    return { type: "good", response };
  }
  // Also if nobody reads it.
  signal?.addEventListener("abort", received.over);
  const over = (): void => {
    signal?.removeEventListener("abort", received.over);
    received.over();
  };
  const watch = isEvents ? watchEvents({ ...received, over }, endOfStream(kind)) : watchBytes(received);
  const reader = response.body.getReader();
  const { isAskedElsewhere } = received;
  const first = isEvents && isAskedElsewhere ? await readPiece(reader, watch) : null;
  const error = first?.error;
  if (error instanceof GatewayError && isAskedElsewhere?.(error.diagnosis) === true) {
    reader.cancel().catch(() => undefined);
    over();
    return { type: "bad", diagnosis: error.diagnosis, headers: received.head.headers, response: null };
  }
  const { status, statusText, headers, url, type } = response;
  const body = passedBody(reader, watch, over, first);
  return {
    type: "good",
    response: asFetched(new Response(body, { status, statusText, headers }), url, type),
  };
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

interface Piece {
  readonly value: Uint8Array<ArrayBuffer> | null;
  /** What the next read fails with; null: nothing. */
  readonly error: unknown;
}

async function readPiece(reader: Reader, watch: Watch): Promise<Piece> {
  try {
    const { done, value } = await reader.read();
    return done ? { value: null, error: watch.end() } : { value, error: watch.piece(value) };
  } catch (thrown) {
    return { value: null, error: watch.broken(thrown) };
  }
}

/** A Response created here has no address, nor have its clones. */
function asFetched(response: Response, url: string, type: ResponseType): Response {
  const cloneIt = response.clone.bind(response);
  return Object.defineProperties(response, {
    url: { value: url },
    type: { value: type },
    clone: { value: () => asFetched(cloneIt(), url, type) },
  });
}

interface Watch {
  /** Gets each piece before it is passed on. @returns an error: the next read fails with it. */
  readonly piece: (piece: Uint8Array) => Error | null;
  /** Called at the end of the body. @returns an error: the last read fails with it. */
  readonly end: () => Error | null;
  /** What the read fails with if the connection broke off; null: the body is complete. */
  readonly broken: (thrown: unknown) => unknown;
}

/** Nothing is read ahead: what has not been asked for stays in the socket. */
function passedBody(reader: Reader, watch: Watch, over: () => void, first: Piece | null) {
  let failure: unknown = null;
  let known = first;
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (failure !== null) return controller.error(failure);
        const { value, error } = known ?? (await readPiece(reader, watch));
        known = null;
        if (value === null || error !== null) over();
        if (value === null) return error === null ? controller.close() : controller.error(error);
        controller.enqueue(value);
        failure = error;
        // The caller sees it at the next read, the gateway now.
        if (error !== null) reader.cancel().catch(() => undefined);
      },
      cancel: async (reason) => {
        over();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function watchBytes(received: Received): Watch {
  const { head, judge } = received;
  return {
    piece: () => null,
    end: () => null,
    broken: (thrown) =>
      brokenBy(thrown, received, ({ stage, detail }) => judgeBreak(stage, detail, head, judge)),
  };
}

function watchEvents(received: Received, mark: EndMark): Watch {
  const { head, judge, over } = received;
  const watch = new StreamWatch(mark);
  const decoder = new TextDecoder();
  const errorOf = (diagnosis: Diagnosis): Error => received.errorOf(diagnosis, head.headers);
  const errorIn = (transcript: string | null): Error | null =>
    transcript === null ? null : errorOf(judgeEvent(head, transcript, judge));
  return {
    piece: (piece) => {
      if (watch.isEnded) return null;
      const error = errorIn(watch.feed(decoder.decode(piece, { stream: true })));
      // The connection may stay open after the end mark, but it no longer counts.
      if (watch.isEnded) over();
      return error;
    },
    end: () => {
      if (watch.isEnded) return null;
      const error = errorIn(watch.feed(decoder.decode())) ?? errorIn(watch.end());
      if (error !== null || watch.isEnded) return error;
      if (watch.start !== null) {
        // JSON, a page, or nothing.
        const start = { body: watch.start, bodyEnd: "complete" } as const;
        const instead = judgeAnswer(head, start, { ...judge, kind: judge.kind === null ? null : "stream" });
        return instead === null ? null : errorOf(instead);
      }
      const isMissed = mark !== null && !((mark === "done" || mark === "finish") && watch.isFinished);
      return isMissed ? errorOf(droppedStream(head, null, judge)) : null;
    },
    broken: (thrown) => {
      if (watch.isEnded) return null;
      const isOwn = received.request.signal?.aborted === true;
      const error = isOwn ? null : errorIn(watch.end());
      if (error !== null || watch.isEnded) return error;
      return brokenBy(thrown, received, ({ detail }) => {
        const words = detail === null ? "" : ` (${detail})`;
        return droppedStream(head, `The connection broke during the stream${words}.`, judge);
      });
    },
  };
}

type Broken = Extract<ReturnType<typeof readThrown>, { type: "network" }>;

/** If you end it yourself, you get your own reason. */
function brokenBy(
  thrown: unknown,
  { head, request, errorOf }: Received,
  judge: (broken: Broken) => Diagnosis,
): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  const broken = readThrown(thrown, request.url);
  return broken.type === "network" ? errorOf(judge(broken), head.headers, thrown) : thrown;
}
