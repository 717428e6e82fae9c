/** A request's body as JSON, up to a limit. What it holds is not judged here. */
import type { Problem } from "./problem.ts";

export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** No body, or nothing but white space, is `{}`. Its type is not asked: what is no JSON is refused anyhow. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes === null) return { ok: false, problem: tooLarge(maxBytes) };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { ok: true, value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch {
    return { ok: false, problem: MALFORMED };
  }
}

function tooLarge(maxBytes: number): Problem {
  return { status: 413, title: "Content too large", detail: `A body has at most ${maxBytes} bytes.` };
}

const MALFORMED: Problem = {
  status: 400,
  title: "Bad request",
  detail: "The body is no JSON in UTF-8.",
};

/** Null: there are more than the limit; no more than that is read. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  const bytes = new Uint8Array(maxBytes);
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return bytes.subarray(0, length);
    if (length + value.byteLength > maxBytes) {
      reader?.cancel().catch(() => undefined);
      return null;
    }
    bytes.set(value, length);
    length += value.byteLength;
  }
}
