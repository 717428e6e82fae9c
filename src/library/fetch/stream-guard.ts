/** How a body that is passed on is watched, and what its reader is told where it does not end well (spec 6). */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { type EndMark, StreamWatch } from "../../protocol/event-stream.ts";
import { readThrown } from "../../protocol/thrown.ts";
import type { Passing } from "./handed-response.ts";
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
