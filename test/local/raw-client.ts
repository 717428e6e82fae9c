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
}

/** Asks below a base URL; path and headers go out as they are written here, whatever a client would make of them. */
export function openRaw(
  baseUrl: string,
  { method = "GET", path = "/v1/models", headers = {} }: RawRequest = {},
): Socket {
  const { host, hostname, port, pathname } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const all = { host, connection: "close", "content-length": "0", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const target = `${pathname.replace(/\/$/u, "")}${path}`;
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return socket;
}

/** Resolves when the server has ended the connection. */
function readToEnd(socket: Socket): Promise<RawAnswer> {
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
