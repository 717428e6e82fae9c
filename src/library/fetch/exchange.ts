/** One request and its answer, within a time limit: judged where it can be read, else passed on and watched. */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { isEventStream } from "../../protocol/event-stream.ts";
import type { Kind } from "../../protocol/observation.ts";
import { readThrown } from "../../protocol/thrown.ts";
import { readBodyText } from "../body.ts";
import { isPage, judgeAnswer, judgeBreak, type Judge } from "./judge-answer.ts";
import type { Settings } from "./options.ts";
import { endOfStream } from "./path-kind.ts";
import { type Head, headOf } from "../headers.ts";
import type { SentRequest } from "./sent-request.ts";
import { guardBytes, guardEvents, type Guarded, passOn } from "./stream-guard.ts";

export type Outcome =
  | { readonly type: "good"; readonly response: Response }
  | {
      readonly type: "bad";
      readonly diagnosis: Diagnosis;
      readonly headers: Head["headers"];
      /** As it came, its body unread; null: nobody may have it. */
      readonly response: Response | null;
      readonly thrown?: unknown;
    };

export interface ExchangeContext {
  readonly settings: Settings;
  readonly judge: Judge;
  readonly errorOf: (diagnosis: Diagnosis, headers: Head["headers"], thrown?: unknown) => Error;
  /** The answer is over, or was handed over whole; once or more. */
  readonly over: () => void;
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
    head = headOf(response);
    return await untilAborted(receive(response, head, request, context), signal);
  } catch (thrown) {
    request.signal?.throwIfAborted();
    return brokenOutcome({ thrown, head, isLate: limit.signal.aborted }, request, context);
  } finally {
    cancelTimeout();
  }
}

interface Break {
  readonly thrown: unknown;
  readonly head: Head | null;
  readonly isLate: boolean;
}

function brokenOutcome({ thrown, head, isLate }: Break, request: SentRequest, { judge }: ExchangeContext) {
  const { url, timeoutMs } = request;
  const failure = isLate
    ? ({ type: "network", stage: "timeout", detail: `No complete answer within ${timeoutMs} ms.` } as const)
    : readThrown(thrown, url);
  if (failure.type === "subrequest_limit") throw thrown;
  const diagnosis = judgeBreak(failure.stage, failure.detail, head, judge);
  const cause = isLate ? {} : { thrown };
  return { type: "bad", diagnosis, headers: head?.headers ?? {}, response: null, ...cause } as const;
}

/** Also where a `fetch` does not listen to its signal. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
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

async function receive(
  response: Response,
  head: Head,
  request: SentRequest,
  context: ExchangeContext,
): Promise<Outcome> {
  const { judge, over, errorOf } = context;
  if (response.type === "opaqueredirect") return redirected(judge);
  const { url, signal, method, kind } = request;
  const guarded: Guarded = {
    head,
    judge,
    url,
    signal,
    errorOf: (diagnosis, thrown) => errorOf(diagnosis, head.headers, thrown),
    over,
  };
  const type = head.headers["content-type"] ?? "";
  const pass = (isEvents: boolean): Outcome => {
    const mark = endOfStream(kind, url);
    const passing = isEvents ? guardEvents(guarded, mark) : guardBytes(guarded);
    return { type: "good", response: passOn(response, passing) };
  };
  if (response.ok && /event-stream/i.test(type)) return pass(true);
  if (response.ok && method === "HEAD") {
    over();
    return { type: "good", response };
  }
  const isEmpty = head.headers["content-length"] === "0";
  if (response.ok && !isForReading(type) && !isEmpty) return pass(false);
  const copy = response.clone();
  const read = await readBodyText(copy.body, context.settings.maxBodyBytes, isPassedOn(response));
  if (read === null) return pass(true);
  if (response.ok && read.bodyEnd === "over_limit" && isOfAnySize(kind, read.body)) return pass(false);
  const diagnosis = judgeAnswer(head, read, judge);
  if (diagnosis === null) {
    over();
    return { type: "good", response };
  }
  if (!response.ok) return { type: "bad", diagnosis, headers: head.headers, response };
  response.body?.cancel().catch(() => undefined);
  return { type: "bad", diagnosis, headers: head.headers, response: null };
}

/** Vectors and pictures are larger than what is read, and no error is: what was paid for is not thrown away. */
function isOfAnySize(kind: Kind | null, start: string): boolean {
  const isGenerated = kind === null || ["chat", "messages", "embeddings", "image"].includes(kind);
  return isGenerated && !isPage(start);
}

/** Some streams do not say that they are one. */
function isPassedOn({ ok }: Response): (start: string) => boolean {
  return (start) => ok && isEventStream(start);
}

/** JSON, words and pages; what says nothing of itself is looked at too. */
function isForReading(type: string): boolean {
  if (/ndjson|jsonl|json-seq|stream\+json/i.test(type)) return false;
  return type === "" || /json|^\s*text\/|xml|html/i.test(type);
}

/** A browser tells no more than that it was one. */
function redirected(judge: Judge): Outcome {
  const diagnosis = judgeAnswer({ status: 302, headers: {} }, { body: "", bodyEnd: "complete" }, judge);
  if (diagnosis === null) throw new Error("a redirect was taken for an answer");
  return { type: "bad", diagnosis: { ...diagnosis, httpStatus: null }, headers: {}, response: null };
}
