/** What an answer that was read means to a client that asked for it: null, or what speaks against it. Pure. */
import { diagnose } from "../../protocol/diagnose.ts";
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { isHtml } from "../../protocol/edge-page.ts";
import { asObject, isEmptyValue, readBody } from "../../protocol/json.ts";
import type { Kind, NetworkStage } from "../../protocol/observation.ts";
import type { Redact } from "../../protocol/redaction/redact.ts";
import type { BodyText } from "../../probe/body-text.ts";
import type { Head } from "../headers.ts";

export interface Judge {
  readonly kind: Kind | null;
  readonly redact: Redact;
  readonly nowMs: number;
}

/** A task that is on its way is what was asked for; one that failed is not. */
export function judgeAnswer(head: Head, read: BodyText, judge: Judge): Diagnosis | null {
  const { kind } = judge;
  const answer = { type: "answer", kind: kind ?? "console", ...head, ...read } as const;
  const diagnosis = diagnose(answer, judge);
  if (diagnosis.ok || diagnosis.cause === "task_pending") return null;
  const isGood = head.status >= 200 && head.status < 300;
  const isUnknown = kind === null && isGood;
  return isUnknown && (isOnlyShape(diagnosis, read) || isRecord(read)) ? null : diagnosis;
}

/** Where nobody knows what a success looks like, an odd shape says nothing; a page of a proxy does. */
function isOnlyShape({ cause }: Diagnosis, { body, bodyEnd }: BodyText): boolean {
  if (bodyEnd === "over_limit") return false;
  return cause === "unexpected_response" || (cause === "wrong_url" && !isPage(body));
}

/** A batch, a run or a file that failed is what was asked for: what it tells of itself is no failure of the answer. */
function isRecord({ body, bodyEnd }: BodyText): boolean {
  const read = bodyEnd === "complete" ? readBody(body) : null;
  const record = read?.form === "json" ? asObject(read.json) : null;
  if (record === null || typeof record["id"] !== "string") return false;
  const { object, code, success } = record;
  return typeof object === "string" && code === undefined && success !== false && isNoError(record["error"]);
}

/** Some records keep an empty form for an error that did not come. */
function isNoError(error: unknown): boolean {
  return isEmptyValue(error) || Object.values(asObject(error) ?? { error }).every(isEmptyValue);
}

export function isPage(body: string): boolean {
  return body.trimStart().startsWith("<") && isHtml(body);
}

export function judgeBreak(
  stage: NetworkStage,
  detail: string | null,
  head: Head | null,
  judge: Judge,
): Diagnosis {
  const { status, headers } = head ?? { status: null, headers: {} };
  return diagnose(
    { type: "network_failure", kind: judge.kind ?? "console", stage, detail, status, headers },
    judge,
  );
}

/** `transcript`: the event that is an error. */
export function judgeEvent(head: Head, transcript: string, judge: Judge): Diagnosis {
  return diagnose({ type: "answer", kind: "stream", ...head, body: transcript, bodyEnd: "complete" }, judge);
}

/** What came under the name of a stream and has no events: JSON, a page, or nothing. */
export function judgeStart(head: Head, start: string, judge: Judge): Diagnosis | null {
  const kind = judge.kind === null ? null : "stream";
  return judgeAnswer(head, { body: start, bodyEnd: "complete" }, { ...judge, kind });
}

/** `message`: what is known beyond that; null: nothing. */
export function droppedStream(head: Head, message: string | null, judge: Judge): Diagnosis {
  return {
    ...judgeEvent(head, "data: begun\n\n", judge),
    message: message === null ? null : judge.redact(message),
  };
}
