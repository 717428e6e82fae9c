/**
 * A body that is passed on piece by piece, when they are asked for: how it is watched, and what its reader gets where it does
 * not end well (spec 6).
 */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { type EndMark, StreamWatch } from "../../protocol/event-stream.ts";
import { readThrown } from "../../protocol/thrown.ts";
import { droppedStream, judgeBreak, type Judge, judgeEvent, judgeStart } from "./judge-answer.ts";
import type { Head } from "../headers.ts";

export interface Guarded {
  readonly head: Head;
  readonly judge: Judge;
  readonly url: string;
  readonly signal: AbortSignal | null;
  readonly errorOf: (diagnosis: Diagnosis, thrown?: unknown) => Error;
  readonly over: () => void;
}

/** Any other body: only that it comes to its end is looked at. */
export function guardBytes(guarded: Guarded): Passing {
  return {
    watch: () => null,
    end: () => null,
    broken: (thrown) => brokenBy(thrown, guarded, (detail) => judgeLoss(detail, thrown, guarded)),
    over: guarded.over,
    signal: guarded.signal,
  };
}

export function guardEvents(guarded: Guarded, mark: EndMark): Passing {
  const { head, judge, errorOf, over } = guarded;
  const watch = new StreamWatch(mark);
  const decoder = new TextDecoder();
  const errorIn = (transcript: string | null): Error | null =>
    transcript === null ? null : errorOf(judgeEvent(head, transcript, judge));
  return {
    watch: (piece) => {
      if (watch.isEnded) return null;
      const error = errorIn(watch.feed(decoder.decode(piece, { stream: true })));
      // Nobody waits for a connection that stays open behind it.
      if (watch.isEnded) over();
      return error;
    },
    end: () => {
      if (watch.isEnded) return null;
      const error = errorIn(watch.feed(decoder.decode())) ?? errorIn(watch.end());
      if (error !== null || watch.isEnded) return error;
      const instead = watch.start === null ? null : judgeStart(head, watch.start, judge);
      if (instead !== null) return errorOf(instead);
      const isFinished = mark === "done" && watch.isFinished;
      const isMissed = mark !== null && !isFinished && watch.start === null;
      return isMissed ? errorOf(droppedStream(head, null, judge)) : null;
    },
    broken: (thrown) => {
      if (watch.isEnded) return null;
      const isOwn = guarded.signal?.aborted === true;
      const error = isOwn ? null : errorIn(watch.end());
      if (error !== null || watch.isEnded) return error;
      return brokenBy(thrown, guarded, (detail) => {
        const words = detail === null ? "" : ` (${detail})`;
        return droppedStream(head, `The connection broke off in the stream${words}.`, judge);
      });
    },
    over,
    signal: guarded.signal,
  };
}

/** If you end it yourself, you get your own reason. */
function brokenBy(
  thrown: unknown,
  { signal, errorOf, url }: Guarded,
  judge: (detail: string | null) => Diagnosis,
): unknown {
  if (signal?.aborted === true) return signal.reason;
  const failure = readThrown(thrown, url);
  return failure.type === "network" ? errorOf(judge(failure.detail), thrown) : thrown;
}

function judgeLoss(detail: string | null, thrown: unknown, { head, judge, url }: Guarded): Diagnosis {
  const failure = readThrown(thrown, url);
  return judgeBreak(failure.type === "network" ? failure.stage : "unknown", detail, head, judge);
}

interface Passing {
  /** Gets each piece before it is handed over; an error: the next read fails with it. */
  readonly watch: (piece: Uint8Array) => Error | null;
  /** The body came to its end; an error: the reader's last read fails with it. */
  readonly end: () => Error | null;
  /** What the read fails with where the connection broke off; null: what came is whole. */
  readonly broken: (thrown: unknown) => unknown;
  /** However it ended; called once or more. */
  readonly over: () => void;
  /** Ends it from outside, whether anybody reads or not. */
  readonly signal: AbortSignal | null;
}

export function passOn(response: Response, passing: Passing): Response {
  if (response.body === null) {
    passing.over();
    return response;
  }
  const { status, statusText, headers, url, type } = response;
  const body = passedBody(response.body.getReader(), heedingSignal(passing));
  return asFetched(new Response(body, { status, statusText, headers }), url, type);
}

function heedingSignal({ signal, ...passing }: Passing): Omit<Passing, "signal"> {
  signal?.addEventListener("abort", passing.over);
  const over = (): void => {
    signal?.removeEventListener("abort", passing.over);
    passing.over();
  };
  return { ...passing, over };
}

/** A Response that is made by hand has no address, and nor have its clones. */
function asFetched(response: Response, url: string, type: ResponseType): Response {
  const cloneIt = response.clone.bind(response);
  return Object.defineProperties(response, {
    url: { value: url },
    type: { value: type },
    clone: { value: () => asFetched(cloneIt(), url, type) },
  });
}

/** Nothing is read ahead: what has not been asked for stays in the socket. */
function passedBody(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  passing: Omit<Passing, "signal">,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let failure: Error | null = null;
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (failure !== null) return controller.error(failure);
        const step = await nextStep(reader, passing);
        if (step.type === "piece") {
          failure = step.failure;
          controller.enqueue(step.piece);
          // The caller hears of it at the next read; the gateway, now.
          if (failure !== null) reader.cancel().catch(() => undefined);
        }
        if (step.type === "end") controller.close();
        if (step.type === "failed") controller.error(step.reason);
        if (step.type !== "piece" || failure !== null) passing.over();
      },
      cancel: async (reason) => {
        passing.over();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

type Step =
  | {
      readonly type: "piece";
      readonly piece: Uint8Array<ArrayBuffer>;
      readonly failure: Error | null;
    }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly reason: unknown };

async function nextStep(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  passing: Omit<Passing, "signal">,
): Promise<Step> {
  try {
    const { done, value } = await reader.read();
    if (!done) return { type: "piece", piece: value, failure: passing.watch(value) };
  } catch (thrown) {
    const reason = passing.broken(thrown);
    return reason === null ? { type: "end" } : { type: "failed", reason };
  }
  const reason = passing.end();
  return reason === null ? { type: "end" } : { type: "failed", reason };
}
