/** One bounded HTTP exchange: its limits of time and bytes, and what came back, as data. */
import { Permits } from "../domain/permits.ts";
import type { Arrival, Kind, NetworkFailure, Observation } from "../protocol/observation.ts";
import { REQUEST_TIMEOUT_MS } from "../protocol/retry.ts";
import type { ThrownFailure } from "../protocol/thrown.ts";
import type { Clock } from "./clock.ts";

/** Of larger bodies only some are read at once where many exchanges are under way: an isolate has 128 MB. */
const LARGE_BODY_BYTES = 1024 * 1024;

/** A stream is read without a turn, however slowly it comes, so that it keeps nobody waiting: hence less of it. */
export const MAX_STREAM_BYTES = 2 * 1024 * 1024;

/** What both runtimes' fetch can do and this module needs. */
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
  readonly headers: AnsweredHeaders;
  readonly body: { getReader(): BodyReader } | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** One adapter a runtime; `url` is the one that was asked for. */
export type ReadFailure = (error: unknown, url: string) => ThrownFailure | Promise<ThrownFailure>;

export interface ExchangeDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly readFailure: ReadFailure;
  /** Shared by exchanges that are under way at once; default: no other one is. */
  readonly largeBodies?: Permits;
}

export interface ExchangeRequest {
  readonly kind: Kind;
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: string | null;
  /** For headers and body together; default: that of the reference client (spec 7.4). */
  readonly timeoutMs?: number;
  /** Notes when the pieces of the body came, and keeps what had come where it breaks. */
  readonly isStreamed?: boolean;
  /** Of a stream: whether the pieces so far are all of it; default: it goes on until the connection ends. */
  readonly findEnd?: () => (piece: string) => boolean;
}

export type Exchange =
  | {
      readonly type: "observed";
      readonly observation: Observation;
      readonly startedAtMs: number;
      /** From the request to the last byte or the failure; 0 to the time limit, even when the clock jumps. */
      readonly durationMs: number;
      /** The raw header; null when there was none. */
      readonly retryAfter: string | null;
    }
  /** The platform sends nothing more for this invocation. It says so instead of sending: nothing left, whatever it was. */
  | { readonly type: "not_sent" }
  /** It was sent, and the answer could not be read to its end, for no fault of the gateway's. */
  | { readonly type: "not_read"; readonly startedAtMs: number; readonly durationMs: number };

/** Sends `request` once. Never throws: every failure is an observation. */
export async function runExchange(request: ExchangeRequest, deps: ExchangeDeps): Promise<Exchange> {
  const startedAtMs = deps.clock.now();
  const turns = new LargeBodyTurns(deps);
  const seen = await observe(request, deps, turns);
  if (seen === "not_sent") return { type: "not_sent" };
  const { timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const tookMs = deps.clock.now() - startedAtMs - turns.waitedMs;
  const durationMs = Math.min(timeoutMs, Math.max(0, tookMs));
  if (seen === "not_read") return { type: "not_read", startedAtMs, durationMs };
  return {
    type: "observed",
    observation: seen,
    startedAtMs,
    durationMs,
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

/** What is known of an answer while it comes. */
interface Reception {
  status: number | null;
  headers: Readonly<Record<string, string>>;
  streamed: StreamedBody | null;
}

async function observe(
  request: ExchangeRequest,
  deps: ExchangeDeps,
  turns: LargeBodyTurns,
): Promise<Observation | "not_sent" | "not_read"> {
  const { kind, method, url, headers, body = null, timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const signal = deps.clock.timeoutSignal(timeoutMs);
  const reception: Reception = {
    status: null,
    headers: {},
    streamed:
      request.isStreamed === true ? new StreamedBody(deps.clock, timeoutMs, request.findEnd?.()) : null,
  };
  try {
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal } as const;
    const response = await deps.fetch(url, init);
    const { status } = response;
    reception.status = status;
    reception.headers = headersOf(response.headers);
    const text = await readBody(response, reception.streamed, turns);
    return { type: "answer", kind, status, headers: reception.headers, ...text };
  } catch (error) {
    const failed = failureOf(kind, reception);
    // Without the wait it might have been in time.
    if (signal.aborted && turns.waitedMs > 0) return "not_read";
    if (signal.aborted) return { ...failed, stage: "timeout", detail: null };
    const reading = await deps.readFailure(error, url);
    if (reading.type === "subrequest_limit") return failed.status === null ? "not_sent" : "not_read";
    return { ...failed, stage: reading.stage, detail: reading.detail };
  } finally {
    deps.clock.release?.(signal);
  }
}

function failureOf(
  kind: Kind,
  { status, headers, streamed }: Reception,
): Omit<NetworkFailure, "stage" | "detail"> {
  const failed = { type: "network_failure", kind, status, headers } as const;
  return streamed === null || status === null ? failed : { ...failed, received: streamed.received() };
}

/** The body of a stream, and when its pieces came. */
class StreamedBody {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #isEnd: (piece: string) => boolean;
  readonly #sentAtMs: number;
  readonly #arrivals: Arrival[] = [];
  #body: BoundedBody | null = null;

  constructor(clock: Clock, timeoutMs: number, isEnd: (piece: string) => boolean = () => false) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#isEnd = isEnd;
    this.#sentAtMs = clock.now();
  }

  async read(reader: BodyReader | null): Promise<BodyText & { readonly arrivals: readonly Arrival[] }> {
    if (reader === null) return { body: "", bodyEnd: "complete", arrivals: [] };
    this.#body = new BoundedBody(reader, MAX_STREAM_BYTES, (piece, length) => {
      this.#arrivals.push({ afterMs: this.#afterMs(), length });
      return this.#isEnd(piece);
    });
    return { ...(await this.#body.text()), arrivals: this.#arrivals };
  }

  received(): { readonly body: string; readonly arrivals: readonly Arrival[] } {
    return { body: this.#body?.soFar ?? "", arrivals: this.#arrivals };
  }

  /** No earlier than the piece before, even when the clock jumps. */
  #afterMs(): number {
    const lastMs = this.#arrivals.at(-1)?.afterMs ?? 0;
    return Math.min(this.#timeoutMs, Math.max(lastMs, this.#clock.now() - this.#sentAtMs));
  }
}

/** A wrong charset around good JSON is no fault: what it claims to be is not asked, but for a byte order mark. */
async function readBody(
  response: FetchResponse,
  streamed: StreamedBody | null,
  turns: LargeBodyTurns,
): Promise<BodyText & { readonly arrivals?: readonly Arrival[] }> {
  if (streamed !== null) return streamed.read(response.body?.getReader() ?? null);
  if (isShortByItsHeaders(response.headers))
    return { body: decoded(new Uint8Array(await response.arrayBuffer())), bodyEnd: "complete" };
  if (response.body === null) return { body: "", bodyEnd: "complete" };
  const body = new BoundedBody(response.body.getReader());
  if (!(await body.readUpTo(LARGE_BODY_BYTES))) return body.text();
  return turns.take(() => body.text());
}

const SHORT_LENGTH = /^\d{1,7}$/;

/**
 * HTTP itself holds a plain body to its content-length, so the runtime may read it in one go, which costs less CPU
 * than a piece at a time. A transfer-encoding overrides the length (RFC 9112, 6.3).
 */
function isShortByItsHeaders(headers: AnsweredHeaders): boolean {
  const length = headers.get("content-length")?.trim() ?? "";
  if (!SHORT_LENGTH.test(length) || Number(length) > LARGE_BODY_BYTES) return false;
  return headers.get("content-encoding") === null && headers.get("transfer-encoding") === null;
}

/**
 * A body read piece by piece, as text, up to a limit of bytes and of pieces. What goes beyond is not read, and the
 * connection is closed.
 */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export interface BodyText {
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
}

/** Told each piece and how long the text is now, in UTF-16 units; true: that is all that is wanted. */
type OnText = (piece: string, length: number) => boolean;

/** After decoding. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** 10,000 models may come one by one; the whole limit in chunks of one byte would cost a minute of CPU. */
export const MAX_BODY_PIECES = 65_536;

class BoundedBody {
  readonly #reader: BodyReader;
  readonly #maxBytes: number;
  readonly #onText: OnText;
  #decoder: TextDecoder | null = null;
  #body = "";
  #bytes = 0;
  #pieces = 0;
  #end: BodyText["bodyEnd"] | null = null;

  constructor(reader: BodyReader, maxBytes = MAX_BODY_BYTES, onText: OnText = ignore) {
    this.#reader = reader;
    this.#maxBytes = maxBytes;
    this.#onText = onText;
  }

  /** What has been read so far, also where reading failed. */
  get soFar(): string {
    return this.#body;
  }

  /** True where there may be more after so many bytes. @throws what the reader throws. */
  async readUpTo(bytes: number): Promise<boolean> {
    while (this.#end === null && this.#bytes < bytes) await this.#readPiece();
    return this.#end === null;
  }

  /** The rest is read, as far as the limits allow. */
  async text(): Promise<BodyText> {
    while (this.#end === null) await this.#readPiece();
    return { body: this.#body, bodyEnd: this.#end };
  }

  async #readPiece(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done || value === undefined) {
      this.#append(this.#decoder?.decode() ?? "");
      this.#end = "complete";
      return;
    }
    this.#pieces += 1;
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += value.byteLength;
    this.#decoder ??= new TextDecoder(encodingOf(value));
    if (this.#append(this.#decoder.decode(value.subarray(0, room), { stream: true }))) {
      this.#end = "complete";
      return closeWithoutWaiting(this.#reader);
    }
    if (value.byteLength <= room && this.#pieces < MAX_BODY_PIECES) return;
    this.#end = "over_limit";
    closeWithoutWaiting(this.#reader);
  }

  /** Engines join such a text when it is first looked at, all at once. */
  #append(piece: string): boolean {
    if (piece === "") return false;
    this.#body += piece;
    return this.#onText(piece, this.#body.length);
  }
}

function ignore(): boolean {
  return false;
}

/** By its byte order mark (Encoding standard, 6); the decoder drops the mark. */
function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  // Destructuring takes an iterator, which costs more than all else here.
  const first = bytes[0];
  const second = bytes[1];
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Cancelling ends the connection; a failure to end it changes nothing about what was read. */
function closeWithoutWaiting(reader: BodyReader): void {
  reader.cancel().catch(() => undefined);
}

const UTF_8 = new TextDecoder();

/** A whole body as text (Encoding standard, 6.1: UTF-8 unless a byte order mark says otherwise). */
function decoded(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  return encoding === "utf-8" ? UTF_8.decode(bytes) : new TextDecoder(encoding).decode(bytes);
}

/** What both runtimes' headers can do. */
export interface AnsweredHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

/**
 * Names come in lower case (Fetch standard, 5.1). The runtimes differ in whether white space around a value, which is no
 * part of it (RFC 9110, 5.5), is kept.
 */
export function headersOf(headers: AnsweredHeaders): Readonly<Record<string, string>> {
  // Without a prototype `__proto__` is a name like any other.
  const known: Record<string, string> = Object.create(null);
  const all = (): Record<string, string> => {
    headers.forEach((value, name) => {
      known[name] = value.trim();
    });
    return known;
  };
  return new Proxy(known, {
    get: (_, name) => (typeof name === "string" ? headers.get(name)?.trim() : undefined),
    has: (_, name) => Reflect.has(all(), name),
    ownKeys: () => Reflect.ownKeys(all()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(all(), name),
  });
}
