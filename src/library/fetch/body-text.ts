/** The text of a body, up to a limit of bytes; what is behind it is not read. */

export interface BodyText {
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
}

/** Asked about the first bytes: true where the rest is not for reading. */
type IsForPassing = (start: string) => boolean;

/** Null: by its first bytes the body is to be passed on as it comes. @throws what the reader throws. */
export async function readBodyText(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  isForPassing: IsForPassing,
): Promise<BodyText | null> {
  if (stream === null) return { body: "", bodyEnd: "complete" };
  const reader = stream.getReader();
  let decoder: TextDecoder | null = null;
  let body = "";
  let bytes = 0;
  let isUndecided = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { body: body + (decoder?.decode() ?? ""), bodyEnd: "complete" };
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

/** By its byte order mark (Encoding standard, 6); the decoder drops the mark. */
function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
