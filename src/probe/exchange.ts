/**
 * One bounded HTTP exchange: a request out, what was seen of the answer back. The same code runs in workerd and in
 * Node; what differs (fetch, clock, the reading of exceptions) are arguments. Nothing is judged here. Limits as in
 * spec 7.4; redirects are never followed, so that a key is never sent to another host.
 */
import type { Kind, NetworkStage, Observation } from "../protocol/observation.ts";
import { REQUEST_TIMEOUT_MS } from "../protocol/retry-delay.ts";
import { BoundedBody, decoded, type BodyReader, type BodyText } from "./bounded-body.ts";
import type { Clock } from "./clock.ts";
import { Permits } from "./permits.ts";

/** Of larger bodies only some are read at once where many exchanges are under way: an isolate has 128 MB. */
const LARGE_BODY_BYTES = 1024 * 1024;

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
  arrayBuffer(): Promise<ArrayBuffer>;
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
  /** Shared by exchanges that are under way at once; default: no other one is. */
  readonly largeBodies?: Permits;
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
  /** It could not be sent, or not be read to its end, for no fault of the gateway's. */
  | { readonly type: "not_observed" };

/** Sends `request` once. Never throws: every failure is an observation. */
export async function runExchange(request: ExchangeRequest, deps: ExchangeDeps): Promise<Exchange> {
  const startedAtMs = deps.clock.now();
  const turns = new LargeBodyTurns(deps);
  const seen = await observe(request, deps, turns);
  if (seen === "not_observed") return { type: "not_observed" };
  const tookMs = deps.clock.now() - startedAtMs - turns.waitedMs;
  return {
    type: "observed",
    observation: seen,
    startedAtMs,
    durationMs: Math.min(REQUEST_TIMEOUT_MS, Math.max(0, tookMs)),
    retryAfter: seen.type === "not_sent" ? null : (seen.headers["retry-after"] ?? null),
  };
}

/** One exchange's turn among those with large bodies. What it waits for it is no fault of its gateway. */
class LargeBodyTurns {
  readonly #permits: Permits;
  readonly #clock: Clock;
  waitedMs = 0;

  constructor({ clock, largeBodies = new Permits(1) }: ExchangeDeps) {
    this.#permits = largeBodies;
    this.#clock = clock;
  }

  async take<Value>(work: () => Promise<Value>): Promise<Value> {
    const askedMs = this.#clock.now();
    await this.#permits.take();
    this.waitedMs = Math.max(0, this.#clock.now() - askedMs);
    try {
      return await work();
    } finally {
      this.#permits.give();
    }
  }
}

async function observe(
  { kind, method, url, headers }: ExchangeRequest,
  { fetch, clock, readFailure }: ExchangeDeps,
  turns: LargeBodyTurns,
): Promise<Observation | "not_observed"> {
  const signal = clock.timeoutSignal(REQUEST_TIMEOUT_MS);
  let status: number | null = null;
  let received: Readonly<Record<string, string>> = {};
  try {
    const response = await fetch(url, { method, headers: { ...headers }, redirect: "manual", signal });
    status = response.status;
    received = headersOf(response);
    const { body, bodyEnd } = await readBody(response, received, turns);
    return { type: "answer", kind, status, headers: received, body, bodyEnd };
  } catch (error) {
    const failed = { type: "network_failure", kind, status, headers: received } as const;
    // Without the wait it might have been in time.
    if (signal.aborted && turns.waitedMs > 0) return "not_observed";
    if (signal.aborted) return { ...failed, stage: "timeout", detail: null };
    const reading = await readFailure(error, url);
    if (reading.type === "subrequest_limit") return "not_observed";
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

/** A wrong charset around good JSON is no fault: what it claims to be is not asked, but for a byte order mark. */
async function readBody(
  response: FetchResponse,
  headers: Readonly<Record<string, string>>,
  turns: LargeBodyTurns,
): Promise<BodyText> {
  if (isShortByItsHeaders(headers))
    return { body: decoded(new Uint8Array(await response.arrayBuffer())), bodyEnd: "complete" };
  if (response.body === null) return { body: "", bodyEnd: "complete" };
  const body = new BoundedBody(response.body.getReader());
  if (!(await body.readUpTo(LARGE_BODY_BYTES))) return body.text();
  return turns.take(() => body.text());
}

/**
 * HTTP itself holds a plain body to its content-length, so the runtime may read it in one go, which costs less CPU
 * than a piece at a time. A transfer-encoding overrides the length (RFC 9112, 6.3).
 */
function isShortByItsHeaders(headers: Readonly<Record<string, string>>): boolean {
  const length = headers["content-length"];
  if (length === undefined || !/^\d{1,7}$/.test(length) || Number(length) > LARGE_BODY_BYTES) return false;
  return headers["content-encoding"] === undefined && headers["transfer-encoding"] === undefined;
}
