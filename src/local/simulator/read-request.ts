/** Reads one request whole, within bounds. */
import type { IncomingMessage } from "node:http";

export interface ReadRequest {
  readonly method: string;
  /** As in the request line. */
  readonly target: string;
  /** Names in lower case; repeated ones joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of `Authorization: Bearer`; null without one. */
  readonly key: string | null;
  readonly ip: string;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Null where the body is over 1 MiB. Rejects where the connection breaks. */
export async function readRequest(request: IncomingMessage): Promise<ReadRequest | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return null;
    parts.push(bytes);
  }
  const headers = headersOf(request);
  return {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    headers,
    body: Buffer.concat(parts).toString("utf8"),
    key: /^bearer +(\S.*)$/i.exec(headers["authorization"] ?? "")?.[1] ?? null,
    ip: request.socket.remoteAddress ?? "",
  };
}

export function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
