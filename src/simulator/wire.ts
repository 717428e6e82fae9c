import type { Refusal } from "./keys.ts";

/**
 * What the simulated gateway puts on the wire, as values: an ordinary answer, a streamed one, or raw bytes with
 * pauses and breaks between them. Pure.
 */

export type Step =
  | { readonly do: "write"; readonly bytes: string | Uint8Array }
  | { readonly do: "wait"; readonly ms: number }
  /** A TCP reset. */
  | { readonly do: "reset" }
  /** An ordinary end of the connection, wherever the answer stands. */
  | { readonly do: "close" }
  /** Nothing more, and the connection stays open. */
  | { readonly do: "hang" };

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without the `X-Request-ID` that every answer bears otherwise. */
  readonly anonymous: boolean;
}

/** A complete answer; its Content-Length is told by its body. */
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

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return reply(status, JSON.stringify(value), { "content-type": "application/json", ...headers });
}

export function html(status: number, title: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const page = `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return reply(status, page, { "content-type": "text/html; charset=utf-8", ...headers });
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return reply(status, body, { "content-type": "text/plain; charset=utf-8", ...headers });
}

/** With no headers but those given. */
export function reply(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { type: "reply", status, headers, body, anonymous: false };
}

export function stream(
  status: number,
  steps: Iterable<Step>,
  headers: Readonly<Record<string, string>>,
): Stream {
  return { type: "stream", status, headers, steps, anonymous: false };
}

export function raw(...steps: readonly Step[]): Raw {
  return { type: "raw", steps };
}

export function anonymous<T extends Reply | Stream>(wire: T): T {
  return { ...wire, anonymous: true };
}

/** Status line and headers as they go over the socket. */
export function head(status: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}

// Error bodies in the two styles of the model API (spec 2.1, 2.2) and the console's envelope (spec 2.3). Pure.

type Headers = Readonly<Record<string, string>>;

export function chatError(
  status: number,
  type: string,
  code: string | null,
  message: string,
  headers: Headers = {},
): Reply {
  return json(status, { error: { message, type, ...(code === null ? {} : { code }) } }, headers);
}

/** Messages handlers promise no request id, so it bears none, in the header either. */
export function messagesError(status: number, type: string, message: string, headers: Headers = {}): Reply {
  return anonymous(json(status, { type: "error", error: { type, message } }, headers));
}

export function refusalReply(refusal: Refusal, isMessages: boolean): Reply {
  const { status, type, code, message } = refusal;
  return isMessages ? messagesError(status, type, message) : chatError(status, type, code, message);
}

export function envelope(code: number | string, message: string, data?: unknown, status = 200): Reply {
  return json(status, { code, message, ...(data === undefined ? {} : { data }) });
}
