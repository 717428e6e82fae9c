/** The chunks that `curl --raw` leaves in a body (RFC 9112, 7.1). Pure; linear. */
import type { Headers } from "./headers.ts";
import { lineAt } from "./http-responses.ts";

/** The body without its chunks' sizes; as it is where they do not fit. */
export function withoutChunks(body: string, headers: Headers): string {
  if (!/chunked/i.test(headers["transfer-encoding"] ?? "")) return body;
  const parts: string[] = [];
  for (let at = 0; ;) {
    const line = lineAt(body, at);
    if (line === null) return parts.length === 0 ? body : parts.join("");
    const size = sizeOf(line.text);
    if (size === null) return line.text.trim() === "" ? parts.join("") || body : body;
    if (size === 0) return parts.join("");
    const end = endOfBytes(body, line.next, size);
    parts.push(body.slice(line.next, end));
    const rest = lineAt(body, end);
    if (rest !== null && rest.text !== "") return body;
    at = rest?.next ?? body.length;
  }
}

function sizeOf(line: string): number | null {
  const digits = /^([\da-f]{1,8})(?:;[^\r\n]{0,200})?$/i.exec(line)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

function endOfBytes(text: string, start: number, size: number): number {
  let bytes = 0;
  let at = start;
  while (at < text.length && bytes < size) {
    const point = text.codePointAt(at) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point < 0x10000 ? 1 : 2;
  }
  return at;
}
