/** A request's body as JSON, up to a limit. What it holds is not judged here. */
import type { Problem } from "./problem.ts";

const MAX_BODY_BYTES = 16 * 1024;

export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** No body, or nothing but white space, is `{}`. Its type is not asked: what is no JSON is refused anyhow. */
export async function readJsonBody(request: Request): Promise<JsonBody> {
  const bytes = await readBytes(request);
  if (bytes === null) return { ok: false, problem: TOO_LARGE };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { ok: true, value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch {
    return { ok: false, problem: MALFORMED };
  }
}

const TOO_LARGE: Problem = {
  status: 413,
  title: "Content too large",
  detail: `A body has at most ${MAX_BODY_BYTES} bytes.`,
};

const MALFORMED: Problem = {
  status: 400,
  title: "Bad request",
  detail: "The body is no JSON in UTF-8.",
};

/** Null: there are more than the limit; no more than that is read. */
async function readBytes(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return null;
  const bytes = new Uint8Array(MAX_BODY_BYTES);
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return bytes.subarray(0, length);
    if (length + value.byteLength > MAX_BODY_BYTES) {
      reader?.cancel().catch(() => undefined);
      return null;
    }
    bytes.set(value, length);
    length += value.byteLength;
  }
}
