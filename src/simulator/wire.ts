/** What goes onto the wire: an answer, a streamed one, or raw bytes with pauses and breaks between them. Pure. */

import type { Route } from "./api.ts";
import ERRORS from "./errors.json" with { type: "json" };

type Headers = Readonly<Record<string, string>>;

export type Step =
  | { readonly do: "write"; readonly bytes: string | Uint8Array }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "reset" }
  /** An ordinary end of the connection, wherever the answer stands. */
  | { readonly do: "close" }
  /** Nothing more, and the connection stays open. */
  | { readonly do: "hang" };

interface Head {
  readonly status: number;
  readonly headers: Headers;
  /** Without the `X-Request-ID` that every other answer has. */
  readonly anonymous: boolean;
}

/** A complete answer; its Content-Length is that of its body. */
export interface Reply extends Head {
  readonly type: "reply";
  readonly body: string | Uint8Array;
}

/** A body that comes in steps; chunked unless the headers give a length. */
export interface Stream extends Head {
  readonly type: "stream";
  readonly steps: Iterable<Step>;
}

/** Bytes for the socket itself, status line and all. */
export interface Raw {
  readonly type: "raw";
  readonly steps: Iterable<Step>;
}

export type Wire = Reply | Stream | Raw;

export const write = (bytes: string | Uint8Array): Step => ({ do: "write", bytes });
export const wait = (ms: number): Step => ({ do: "wait", ms });
export const RESET: Step = { do: "reset" };
export const CLOSE: Step = { do: "close" };
export const HANG: Step = { do: "hang" };

export function json(status: number, value: unknown, headers: Headers = {}): Reply {
  return reply(status, JSON.stringify(value), { "content-type": "application/json", ...headers });
}

export function html(status: number, title: string, headers: Headers = {}): Reply {
  const page = `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return reply(status, page, { "content-type": "text/html; charset=utf-8", ...headers });
}

export function text(status: number, body: string, headers: Headers = {}): Reply {
  return reply(status, body, { "content-type": "text/plain; charset=utf-8", ...headers });
}

/** With no headers but those given. */
export function reply(status: number, body: string | Uint8Array, headers: Headers = {}): Reply {
  return { type: "reply", status, headers, body, anonymous: false };
}

export function stream(status: number, steps: Iterable<Step>, headers: Headers): Stream {
  return { type: "stream", status, headers, steps, anonymous: false };
}

export function raw(...steps: readonly Step[]): Raw {
  return { type: "raw", steps };
}

export function anonymous<T extends Reply | Stream>(wire: T): T {
  return { ...wire, anonymous: true };
}

export function head(status: string, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}

/** Undefined where the text is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

// Error bodies in the two styles of the model API (spec 2.1, 2.2) and the console's envelope (spec 2.3). Pure.

export type ErrorCode = keyof typeof ERRORS;

interface OtherWords {
  readonly status?: number;
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Headers;
}

export function chatError(code: ErrorCode, other: OtherWords = {}): Reply {
  const { status, type, message } = ERRORS[code];
  const error = { message: other.message ?? message, type: other.type ?? type, code };
  return json(other.status ?? status, { error }, other.headers);
}

/** Messages handlers promise no request id, so there is none, in the header either. */
export function messagesError(status: number, type: string, message: string): Reply {
  return anonymous(json(status, { type: "error", error: { type, message } }));
}

export const OVERLOADED = messagesError(529, "overloaded_error", "Overloaded.");

export function tooMany(retryAfter?: string): Reply {
  return chatError("rate_limit_exceeded", {
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  });
}

/** The names of google.rpc.Code for statuses. */
const GOOGLE_NAMES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** The body of an error as the protocol of a route has it. */
export function errorIn(route: Route, code: ErrorCode): object {
  const { status, type, message } = ERRORS[code];
  if (route === "messages") return { type: "error", error: { type, message } };
  if (route === "gemini")
    return { error: { code: status, message, status: GOOGLE_NAMES[status] ?? "UNKNOWN" } };
  return { error: { message, type, code } };
}

export function refusal(code: ErrorCode, route: Route): Reply {
  const refused = json(ERRORS[code].status, errorIn(route, code));
  return route === "messages" ? anonymous(refused) : refused;
}

export function envelope(code: number | string, message: string, data?: unknown, status = 200): Reply {
  return json(status, { code, message, ...(data === undefined ? {} : { data }) });
}
