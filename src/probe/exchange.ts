/** One bounded HTTP exchange: its limits of time and bytes, and what came back, as data. */
import type { Arrival, Kind, NetworkFailure, Observation } from "../protocol/observation.ts";
import { REQUEST_TIMEOUT_MS } from "../protocol/retry.ts";
import type { ThrownFailure } from "../protocol/thrown.ts";
import type { Clock } from "./clock.ts";

const MIB = 1024 * 1024;

/** After decoding. An isolate has 128 MB, and six connections at once; an image comes in base64. */
export function maxBytesOf({ kind, isStreamed = false }: ExchangeRequest): number {
  if (isStreamed) return 2 * MIB;
  return kind === "image" ? 8 * MIB : 4 * MIB;
}

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
  | { readonly type: "not_sent" };

/** Sends `request` once. Never throws: every failure is an observation. */
export async function runExchange(request: ExchangeRequest, deps: ExchangeDeps): Promise<Exchange> {
  const startedAtMs = deps.clock.now();
  const seen = await observe(request, deps);
  if (seen === "not_sent") return { type: "not_sent" };
  const { timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const durationMs = Math.min(timeoutMs, Math.max(0, deps.clock.now() - startedAtMs));
  return {
    type: "observed",
    observation: seen,
    startedAtMs,
    durationMs,
    retryAfter: seen.type === "not_sent" ? null : (seen.headers["retry-after"] ?? null),
  };
}

/** What is known of an answer while it comes. */
interface Reception {
  status: number | null;
  headers: Readonly<Record<string, string>>;
  streamed: StreamedBody | null;
}

async function observe(request: ExchangeRequest, deps: ExchangeDeps): Promise<Observation | "not_sent"> {
  const { kind, method, url, headers, body = null, timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const signal = deps.clock.timeoutSignal(timeoutMs);
  const reception: Reception = {
    status: null,
    headers: {},
    streamed: request.isStreamed === true ? new StreamedBody(deps.clock, request) : null,
  };
  try {
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal } as const;
    const response = await deps.fetch(url, init);
    const { status } = response;
    reception.status = status;
    reception.headers = headersOf(response.headers);
    const text = await readBody(response, reception.streamed, maxBytesOf(request));
    return { type: "answer", kind, status, headers: reception.headers, ...text };
  } catch (error) {
    const failed = failureOf(kind, reception);
    if (signal.aborted) return { ...failed, stage: "timeout", detail: null };
    const reading = await deps.readFailure(error, url);
    if (reading.type === "subrequest_limit") return "not_sent";
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
  readonly #maxBytes: number;
  readonly #isEnd: (piece: string) => boolean;
  readonly #sentAtMs: number;
  readonly #arrivals: Arrival[] = [];
  #body: BoundedBody | null = null;

  constructor(clock: Clock, request: ExchangeRequest) {
    this.#clock = clock;
    this.#timeoutMs = request.timeoutMs ?? REQUEST_TIMEOUT_MS;
    this.#maxBytes = maxBytesOf(request);
    this.#isEnd = request.findEnd?.() ?? (() => false);
    this.#sentAtMs = clock.now();
  }

  async read(reader: BodyReader | null): Promise<BodyText & { readonly arrivals: readonly Arrival[] }> {
    if (reader === null) return { body: "", bodyEnd: "complete", arrivals: [] };
    this.#body = new BoundedBody(reader, this.#maxBytes, (piece, length) => {
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
  maxBytes: number,
): Promise<BodyText & { readonly arrivals?: readonly Arrival[] }> {
  if (streamed !== null) return streamed.read(response.body?.getReader() ?? null);
  if (isShortByItsHeaders(response.headers))
    return { body: decoded(new Uint8Array(await response.arrayBuffer())), bodyEnd: "complete" };
  if (response.body === null) return { body: "", bodyEnd: "complete" };
  return new BoundedBody(response.body.getReader(), maxBytes).text();
}

const SHORT_LENGTH = /^\d{1,7}$/;

/**
 * HTTP itself holds a plain body to its content-length, so the runtime may read it in one go, which costs less CPU
 * than a piece at a time. A transfer-encoding overrides the length (RFC 9112, 6.3).
 */
function isShortByItsHeaders(headers: AnsweredHeaders): boolean {
  const length = headers.get("content-length")?.trim() ?? "";
  if (!SHORT_LENGTH.test(length) || Number(length) > MIB) return false;
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

  constructor(reader: BodyReader, maxBytes: number, onText: OnText = () => false) {
    this.#reader = reader;
    this.#maxBytes = maxBytes;
    this.#onText = onText;
  }

  /** What has been read so far, also where reading failed. */
  get soFar(): string {
    return this.#body;
  }

  /** As far as the limits allow. @throws what the reader throws. */
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
