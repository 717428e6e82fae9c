/** The one error that an answer, or its lack, becomes. Nothing that it holds is secret. */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { asObject } from "../../protocol/json.ts";
import type { Redact } from "../../protocol/redaction/redact.ts";

/** One request of a call that failed. */
export interface FailedAttempt {
  /** Its name in `route.gateways`; null: the call had no choice. */
  readonly gateway: string | null;
  readonly diagnosis: Diagnosis;
}

export interface Failure {
  readonly diagnosis: Diagnosis;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: number;
  readonly mayHaveBeenAccepted: boolean;
  readonly attempts?: readonly FailedAttempt[] | undefined;
  readonly thrown?: unknown;
}

export const REDACTED_BEFORE: Redact = (text) => text;

/**
 * What a gateway answered, or did not, in place of what was asked for. Every text is redacted, also its cause and its stack:
 * none has the key that the request carried, nor a configured secret.
 */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly diagnosis: Diagnosis;
  /** Of the HTTP answer; null: none came. */
  readonly status: number | null;
  /** Of the answer, names in lower case, without its cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many requests were sent for this call. */
  readonly requests: number;
  /** The gateway may have begun, or done, what was asked for: do not send it again without looking first (spec 7.3.5). */
  readonly mayHaveBeenAccepted: boolean;
  /** All requests of the call, in their order; of a task none. */
  readonly attempts: readonly FailedAttempt[];

  /** @param redact `REDACTED_BEFORE` if all texts are already redacted. */
  constructor(failure: Failure, redact: Redact) {
    const { diagnosis, headers, requests, mayHaveBeenAccepted, attempts = [], thrown } = failure;
    super(wordsOf(failure), thrown === undefined ? undefined : { cause: cleanCause(thrown, redact) });
    this.diagnosis = diagnosis;
    this.status = diagnosis.httpStatus;
    this.headers = cleanHeaders(headers, redact);
    this.requests = requests;
    this.mayHaveBeenAccepted = mayHaveBeenAccepted;
    this.attempts = attempts;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { name, message, status, requests, mayHaveBeenAccepted, attempts, diagnosis } = this;
    return { name, message, status, requests, mayHaveBeenAccepted, attempts, diagnosis };
  }
}

/** Of an error that a `fetch` of `createFetch` threw, or an official client that uses it. Null: it has none. */
export function diagnosisOf(error: unknown): Diagnosis | null {
  if (error instanceof GatewayError) return error.diagnosis;
  const { error: body, cause } = asObject(error) ?? {};
  const { diagnosis, error: inner } = asObject(body) ?? {};
  const found = asObject(diagnosis ?? asObject(inner)?.["diagnosis"]);
  if (found !== null && "cause" in found) return found as unknown as Diagnosis;
  return cause === undefined ? null : diagnosisOf(cause);
}

function wordsOf({ diagnosis, mayHaveBeenAccepted, attempts = [] }: Failure): string {
  const { cause, httpStatus, message, advice, retry } = diagnosis;
  const status = httpStatus === null ? "" : ` (HTTP ${httpStatus})`;
  const words = message === null ? "" : `: ${message}`;
  const later =
    retry.allowed && retry.afterSeconds !== null ? ` Not before ${retry.afterSeconds} s have passed.` : "";
  const accepted = mayHaveBeenAccepted ? " The request may have been accepted." : "";
  const tried = attempts.flatMap(({ gateway, diagnosis: { cause: why } }) =>
    gateway === null ? [] : [`${gateway} (${why})`],
  );
  const all = tried.length < 2 ? "" : ` Tried: ${tried.join(", ")}.`;
  return `${cause}${status}${words}${/[.!?。]$/.test(words) ? "" : "."} ${advice}${later}${accepted}${all}`;
}

/** The runtime's own words, once more, without secrets; its stack is left behind. */
function cleanCause(thrown: unknown, redact: Redact): Error {
  const inner = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : "";
  return new Error(redact(`${String(thrown)}${inner}`.slice(0, 1000)));
}

function cleanHeaders(
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): Readonly<Record<string, string>> {
  const names = Object.keys(headers).filter((name) => name !== "set-cookie");
  return Object.fromEntries(
    names.map((name) => [redact(name), redact((headers[name] ?? "").slice(0, 4096))]),
  );
}
