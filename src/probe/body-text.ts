/** The body of an answer as text: UTF-8 unless a byte order mark says otherwise (Encoding standard, 6), up to a limit. */

export interface BodyText {
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
}

/** What `fetch` gives for the body of an answer. */
export interface BodyStream {
  readonly locked?: boolean;
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

export interface BodyLimits {
  /** Counted after decompression. */
  readonly maxBytes: number;
  /** Default: no limit. */
  readonly maxPieces?: number;
}

/** Reads as far as the limits allow, or until `take` returns true: it needs no more. @throws what the reader throws. */
export async function readPieces(
  stream: BodyStream,
  { maxBytes, maxPieces = Infinity }: BodyLimits,
  take: (piece: string) => boolean,
): Promise<BodyText["bodyEnd"]> {
  const reader = stream.getReader();
  let decoder: TextDecoder | null = null;
  let bytes = 0;
  for (let pieces = 1; ; pieces += 1) {
    const { done, value } = await reader.read();
    if (done || value === undefined) {
      take(decoder?.decode() ?? "");
      return "complete";
    }
    decoder ??= new TextDecoder(encodingOf(value));
    const isEnough = take(decoder.decode(value.subarray(0, maxBytes - bytes), { stream: true }));
    bytes += value.byteLength;
    if (!isEnough && bytes <= maxBytes && pieces < maxPieces) continue;
    // What was read stays valid if closing fails.
    reader.cancel().catch(() => undefined);
    return isEnough ? "complete" : "over_limit";
  }
}

/** By the byte order mark, which the decoder drops. */
export function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  // Destructuring uses an iterator, which costs more than everything else here.
  const first = bytes[0];
  const second = bytes[1];
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
