/** The text of a body, up to a limit of bytes; what is behind it is not read. */
import { type BodyText, encodingOf } from "../body.ts";

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
