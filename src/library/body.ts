/** The body of an answer as text: UTF-8 unless a byte order mark says otherwise, and no more than a monitor reads. */

/** In bytes after decoding, or in UTF-16 units of text; a longer body is judged as one that was not read to its end. */
const MAX_BODY_SIZE = 8 * 1024 * 1024;

/** Text or bytes; null: there is none. */
export type BodyLike = string | Uint8Array | ArrayBuffer | null;

export interface BodyText {
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
}

/** @throws TypeError where it is neither text nor bytes. */
export function readBodyLike(body: BodyLike): BodyText {
  if (body === null) return { body: "", bodyEnd: "complete" };
  if (typeof body === "string") return textOf(body.slice(0, MAX_BODY_SIZE), body.length);
  if (!ArrayBuffer.isView(body) && !(body instanceof ArrayBuffer)) {
    throw new TypeError("`body` must be the text or the bytes of the answer, as they came");
  }
  const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
  return textOf(
    new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, MAX_BODY_SIZE)),
    bytes.byteLength,
  );
}

/** By the byte order mark (Encoding standard, 6); the decoder drops the mark. */
function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function textOf(text: string, size: number): BodyText {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return { body, bodyEnd: size > MAX_BODY_SIZE ? "over_limit" : "complete" };
}

/** What `fetch` gives as a body. */
export interface BodyStream {
  readonly locked?: boolean;
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** The text up to the limit, where the connection is closed. @throws what reading throws. */
export async function readBodyStream(stream: BodyStream | null): Promise<BodyText> {
  return (await readBodyText(stream, MAX_BODY_SIZE, () => false)) ?? textOf("", 0);
}

/**
 * The text up to a limit of bytes; what is behind it is not read. Null: by its beginning, about which `isForPassing` is asked,
 * the body is to be passed on as it comes. @throws what the reader throws.
 */
export async function readBodyText(
  stream: BodyStream | null,
  maxBytes: number,
  isForPassing: (start: string) => boolean,
): Promise<BodyText | null> {
  if (stream === null) return textOf("", 0);
  const reader = stream.getReader();
  let decoder: TextDecoder | null = null;
  let body = "";
  let bytes = 0;
  let isUndecided = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return { body: body + (decoder?.decode() ?? ""), bodyEnd: "complete" };
    decoder ??= new TextDecoder(encodingOf(value));
    const piece: string = decoder.decode(value.subarray(0, maxBytes - bytes), { stream: true });
    body += piece;
    bytes += value.byteLength;
    const isPassed = isUndecided && isForPassing(body);
    isUndecided &&= !/\S/.test(piece);
    if (!isPassed && bytes <= maxBytes) continue;
    reader.cancel().catch(() => undefined);
    return isPassed ? null : { body, bodyEnd: "over_limit" };
  }
}
