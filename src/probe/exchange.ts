/** One HTTP exchange, within limits of time and bytes. What came back is data, and so is a failure. */
import type { Arrival, Kind, Observation } from "../protocol/observation.ts";
import { REQUEST_TIMEOUT_MS } from "../protocol/retry.ts";
import type { ThrownFailure } from "../protocol/thrown.ts";
import { type BodyStream, type BodyText, readPieces } from "./body-text.ts";
import type { Clock } from "./clock.ts";

const MIB = 1024 * 1024;

/** A server may send 10,000 models in a piece each. A full body in pieces of one byte would cost a minute of CPU. */
export const MAX_BODY_PIECES = 65_536;

/** Counted after decompression. An isolate has 128 MB and six connections at once; images come in base64. */
export function maxBytesOf({ kind, isStreamed = false }: ExchangeRequest): number {
  if (isStreamed) return 2 * MIB;
  return kind === "image" ? 8 * MIB : 4 * MIB;
}

/** The part of `fetch` that this module needs, the same in workerd and Node. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | null;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

interface FetchResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: BodyStream | null;
}

/** Each runtime has its own adapter. `url`: the one that was requested. */
export type ReadFailure = (error: unknown, url: string) => ThrownFailure | Promise<ThrownFailure>;

export interface ExchangeDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly readFailure: ReadFailure;
}

export interface ExchangeRequest {
  readonly kind: Kind;
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  /** For headers and body together; default: that of the reference client (spec 7.4). */
  readonly timeoutMs?: number;
  /** Record when each piece of the body came, and keep the pieces if the connection breaks. */
  readonly isStreamed?: boolean;
  /** Of a stream: whether the pieces so far are complete. Default: it lasts until the connection ends. */
  readonly findEnd?: () => (piece: string) => boolean;
}

export interface Exchange {
  readonly observation: Observation;
  readonly startedAtMs: number;
  /** From the request to the last byte or the failure. Never below 0 or above the time limit, even if the clock jumps. */
  readonly durationMs: number;
  /** The raw header; null when there was none. */
  readonly retryAfter: string | null;
}

/** Never throws: every failure is an observation. Null: it was not sent, because this invocation may send no more requests. */
export async function runExchange(request: ExchangeRequest, deps: ExchangeDeps): Promise<Exchange | null> {
  const startedAtMs = deps.clock.now();
  const observation = await observe(request, deps);
  if (observation === null) return null;
  const { timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const durationMs = Math.min(timeoutMs, Math.max(0, deps.clock.now() - startedAtMs));
  const retryAfter = observation.type === "not_sent" ? null : (observation.headers["retry-after"] ?? null);
  return { observation, startedAtMs, durationMs, retryAfter };
}

interface Reception {
  readonly sentAtMs: number;
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  readonly arrivals: Arrival[];
}

async function observe(request: ExchangeRequest, deps: ExchangeDeps): Promise<Observation | null> {
  const { kind, method, url, headers, body = null, timeoutMs = REQUEST_TIMEOUT_MS, isStreamed } = request;
  const { clock } = deps;
  const signal = clock.timeoutSignal(timeoutMs);
  const received: Reception = { sentAtMs: clock.now(), status: null, headers: {}, body: "", arrivals: [] };
  const { arrivals } = received;
  try {
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal } as const;
    const response = await deps.fetch(url, init);
    const { status } = response;
    received.status = status;
    received.headers = headersOf(response.headers);
    const bodyEnd = await readBody(response.body, received, request, clock);
    const answer = { type: "answer", kind, status, headers: received.headers, body: received.body } as const;
    return {
      ...answer,
      bodyEnd,
      ...(isStreamed === true && { arrivals, endedMs: elapsed(received, clock) }),
    };
  } catch (error) {
    const { status, body: text } = received;
    const failed = { type: "network_failure", kind, status, headers: received.headers } as const;
    const partly =
      isStreamed === true && status !== null
        ? { received: { body: text, arrivals, endedMs: elapsed(received, clock) } }
        : {};
    if (signal.aborted) return { ...failed, ...partly, stage: "timeout", detail: null };
    const reading = await deps.readFailure(error, url);
    if (reading.type === "subrequest_limit") return null;
    return { ...failed, ...partly, stage: reading.stage, detail: reading.detail };
  } finally {
    clock.release?.(signal);
  }
}

function elapsed({ sentAtMs }: Reception, clock: Clock): number {
  return Math.max(0, clock.now() - sentAtMs);
}

/** A wrong charset around good JSON is no fault, so only a byte order mark decides the encoding. */
async function readBody(
  stream: BodyStream | null,
  received: Reception,
  request: ExchangeRequest,
  clock: Clock,
): Promise<BodyText["bodyEnd"]> {
  if (stream === null) return "complete";
  const { isStreamed, findEnd, timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const isEnd = isStreamed === true ? findEnd?.() : undefined;
  const limits = { maxBytes: maxBytesOf(request), maxPieces: MAX_BODY_PIECES };
  return readPieces(stream, limits, (piece) => {
    received.body += piece;
    if (isStreamed !== true || piece === "") return false;
    // Never before the previous piece, even if the clock jumps.
    const lastMs = received.arrivals.at(-1)?.afterMs ?? 0;
    const afterMs = Math.min(timeoutMs, Math.max(lastMs, clock.now() - received.sentAtMs));
    received.arrivals.push({ afterMs, length: received.body.length });
    return isEnd?.(piece) ?? false;
  });
}

/** Names come in lower case (Fetch standard, 5.1). Some runtimes keep white space around a value (RFC 9110, 5.5). */
function headersOf(headers: FetchResponse["headers"]): Readonly<Record<string, string>> {
  // Without a prototype `__proto__` is a name like any other.
  const known: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) known[name] = value.trim();
  return known;
}
