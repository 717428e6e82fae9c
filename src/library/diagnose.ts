/** The judgement of the monitor, for programs: an answer in any usual form in, a diagnosis out. */
import { diagnose as diagnoseObservation } from "../protocol/diagnose.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
import { type Answer, type Kind, KINDS } from "../protocol/observation.ts";
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";
import { type BodyLike, type BodyStream, readBodyLike, readBodyStream } from "./body.ts";
import { type HeadersLike, readHeaders } from "./headers.ts";

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

export interface DiagnoseOptions {
  /**
   * What must not stand in the diagnosis in any encoding: the API key that was sent, a proxy's password. What looks like a
   * secret is taken out anyway. Default: none. Who diagnoses often builds one redactor with `createRedactor` and gives that.
   */
  readonly secrets?: readonly string[] | Redact;
  /** Unix time in milliseconds; a `Retry-After` date in an answer without a `Date` is measured from it. Default: now. */
  readonly now?: number;
}

/**
 * What an answer means: what failed, who must act, and whether waiting cures it. A 200 is never taken for success by its
 * status alone: an error in it, a `code` other than 0, a page and a broken body are found. Whatever the gateway sent, it
 * does not throw, and takes time linear in the answer.
 *
 * @throws TypeError or RangeError where the argument is no answer: a status that is none, a body that was parsed already.
 */
export function diagnose(answer: GatewayAnswer, options: DiagnoseOptions = {}): Diagnosis {
  return diagnoseObservation(observationOf(answer), {
    nowMs: options.now ?? Date.now(),
    redact: redactorOf(options.secrets ?? []),
  });
}

/** The parts of a `Response` that are read. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: HeadersLike;
  readonly body: BodyStream | null;
}

export interface DiagnoseResponseOptions extends DiagnoseOptions {
  /** As in `GatewayAnswer`. */
  readonly kind?: Kind | undefined;
}

/**
 * The same for what `fetch` gave. It reads the body, up to 8 MiB: give it `response.clone()` where you want to read it, too.
 *
 * @throws what reading the body throws.
 */
export async function diagnoseResponse(
  { status, headers, body: stream }: ResponseLike,
  { kind, ...options }: DiagnoseResponseOptions = {},
): Promise<Diagnosis> {
  const body = await readBodyStream(stream);
  return diagnose({ kind, status, headers, body }, options);
}

function observationOf({ kind, status, headers: given = {}, body }: GatewayAnswer): Answer {
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new RangeError("`status` must be an HTTP status, 100 to 999");
  }
  if (kind !== undefined && !KINDS.includes(kind)) {
    throw new RangeError(`\`kind\` must be one of ${KINDS.join(", ")}`);
  }
  const headers = readHeaders(given);
  return { type: "answer", kind: kind ?? kindOf(headers), status, headers, ...readBodyLike(body) };
}

function kindOf(headers: Readonly<Record<string, string>>): Kind {
  return /^\s*text\/event-stream\b/i.test(headers["content-type"] ?? "") ? "stream" : "console";
}

function redactorOf(secrets: readonly string[] | Redact): Redact {
  return typeof secrets === "function" ? secrets : createRedactor(secrets);
}
