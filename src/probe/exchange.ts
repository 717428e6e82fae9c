/**
 * One bounded HTTP exchange: a request out, what was seen of the answer back. The same code runs in workerd and in
 * Node; what differs (fetch, clock, the reading of exceptions) are arguments. Nothing is judged here. Limits as in
 * spec 7.4; redirects are never followed, so that a key is never sent to another host.
 */
import type { Kind, NetworkStage, Observation } from "../protocol/observation.ts";
import { REQUEST_TIMEOUT_MS } from "../protocol/retry-delay.ts";
import type { Clock } from "./clock.ts";

/** Of the body, after decoding. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** What both runtimes' fetch can do and this module needs. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

interface FetchResponse {
  readonly status: number;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body: { getReader(): BodyReader } | null;
  /** As UTF-8, without a byte order mark (Fetch standard, 5.3). */
  text(): Promise<string>;
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** What an exception of fetch or of a body's reader says. */
export type FailureReading =
  | { readonly type: "network"; readonly stage: NetworkStage; readonly detail: string | null }
  /** The platform refused to send: this invocation has used up its requests. Not the gateway's fault. */
  | { readonly type: "subrequest_limit" };

/** One adapter a runtime; `url` is the one that was asked for. */
export type ReadFailure = (error: unknown, url: string) => FailureReading | Promise<FailureReading>;

export interface ExchangeDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly readFailure: ReadFailure;
}

export interface ExchangeRequest {
  readonly kind: Kind;
  readonly method: "GET";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Exchange =
  | {
      readonly type: "observed";
      readonly observation: Observation;
      readonly startedAtMs: number;
      /** From the request to the last byte or the failure; 0 to 30,000, even when the clock jumps. */
      readonly durationMs: number;
      /** The raw header; null when there was none. */
      readonly retryAfter: string | null;
    }
  | { readonly type: "subrequest_limit" };

/** Sends `request` once. Never throws: every failure is an observation. */
export async function runExchange(request: ExchangeRequest, deps: ExchangeDeps): Promise<Exchange> {
  const startedAtMs = deps.clock.now();
  const seen = await observe(request, deps);
  if (seen === "subrequest_limit") return { type: "subrequest_limit" };
  return {
    type: "observed",
    observation: seen,
    startedAtMs,
    durationMs: Math.min(REQUEST_TIMEOUT_MS, Math.max(0, deps.clock.now() - startedAtMs)),
    retryAfter: seen.type === "not_sent" ? null : (seen.headers["retry-after"] ?? null),
  };
}

async function observe(
  { kind, method, url, headers }: ExchangeRequest,
  { fetch, clock, readFailure }: ExchangeDeps,
): Promise<Observation | "subrequest_limit"> {
  const signal = clock.timeoutSignal(REQUEST_TIMEOUT_MS);
  let status: number | null = null;
  let received: Readonly<Record<string, string>> = {};
  try {
    const response = await fetch(url, { method, headers: { ...headers }, redirect: "manual", signal });
    status = response.status;
    received = headersOf(response);
    const { body, bodyEnd } = await readBody(response, received);
    return { type: "answer", kind, status, headers: received, body, bodyEnd };
  } catch (error) {
    const failed = { type: "network_failure", kind, status, headers: received } as const;
    if (signal.aborted) return { ...failed, stage: "timeout", detail: null };
    const reading = await readFailure(error, url);
    if (reading.type === "subrequest_limit") return "subrequest_limit";
    return { ...failed, stage: reading.stage, detail: reading.detail };
  }
}

/**
 * Names come in lower case (Fetch standard, 5.1). The runtimes differ in whether white space around a value, which is no
 * part of it (RFC 9110, 5.5), is kept.
 */
function headersOf(response: FetchResponse): Readonly<Record<string, string>> {
  // Without a prototype `__proto__` is a name like any other.
  const headers: Record<string, string> = Object.create(null);
  response.headers.forEach((value, name) => {
    headers[name] = value.trim();
  });
  return headers;
}

interface BodyText {
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
}

/**
 * Always UTF-8, whatever the header claims: a wrong charset around good JSON is no fault. The decoder drops a byte
 * order mark.
 */
async function readBody(
  response: FetchResponse,
  headers: Readonly<Record<string, string>>,
): Promise<BodyText> {
  if (isShortByItsHeaders(headers)) return { body: await response.text(), bodyEnd: "complete" };
  if (response.body === null) return { body: "", bodyEnd: "complete" };
  return readBounded(response.body.getReader());
}

/**
 * HTTP itself holds an unencoded body to its content-length, so the runtime may read it in one go, which costs
 * less CPU than a chunk at a time.
 */
function isShortByItsHeaders(headers: Readonly<Record<string, string>>): boolean {
  const length = headers["content-length"];
  if (length === undefined || !/^\d{1,8}$/.test(length) || headers["content-encoding"] !== undefined)
    return false;
  return Number(length) <= MAX_BODY_BYTES;
}

async function readBounded(reader: BodyReader): Promise<BodyText> {
  const decoder = new TextDecoder();
  let body = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return { body: body + decoder.decode(), bodyEnd: "complete" };
    bytes += value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      const within = value.subarray(0, value.byteLength - (bytes - MAX_BODY_BYTES));
      closeWithoutWaiting(reader);
      return { body: body + decoder.decode(within), bodyEnd: "over_limit" };
    }
    body += decoder.decode(value, { stream: true });
  }
}

/** Cancelling ends the connection; a failure to end it changes nothing about what was read. */
function closeWithoutWaiting(reader: BodyReader): void {
  reader.cancel().catch(() => undefined);
}
