/** A client that shows the very bytes of an answer and how its connection ended. */
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  /** Every byte as one character (Latin-1). */
  readonly bytes: string;
  readonly ended: "by the server" | "by a reset";
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks for `/v1/models` below a base URL unless told otherwise. */
export function openRaw(baseUrl: string, request: RawRequest = {}): Socket {
  const { method = "GET", path = "/v1/models", headers = {}, body = "" } = request;
  const url = new URL(`${baseUrl}${path}`);
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  const all = { host: url.host, connection: "close", "content-length": String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${url.pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  return socket;
}

/** Resolves when the server has ended the connection. */
export function readToEnd(socket: Socket): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  const parts: Buffer[] = [];
  let ended: RawAnswer["ended"] = "by the server";
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => (ended = "by a reset"));
  socket.on("close", () => resolve({ bytes: Buffer.concat(parts).toString("latin1"), ended }));
  return promise;
}

export function askRaw(baseUrl: string, request: RawRequest = {}): Promise<RawAnswer> {
  return readToEnd(openRaw(baseUrl, request));
}

export function bodyOf(answer: RawAnswer): string {
  return answer.bytes.slice(answer.bytes.indexOf("\r\n\r\n") + 4);
}

/** Status line first, then the headers as they came. */
export function headLines(answer: RawAnswer): readonly string[] {
  return answer.bytes.slice(0, answer.bytes.indexOf("\r\n\r\n")).split("\r\n");
}
