/**
 * A body read piece by piece, as text, up to a limit of bytes and of pieces. What goes beyond is not read, and the
 * connection is closed.
 */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export interface BodyText {
  readonly body: string;
  readonly bodyEnd: "complete" | "over_limit";
}

/** Told each piece and how long the text is now, in UTF-16 units; true: that is all that is wanted. */
type OnText = (piece: string, length: number) => boolean;

/** After decoding. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** 10,000 models may come one by one; the whole limit in chunks of one byte would cost a minute of CPU. */
export const MAX_BODY_PIECES = 65_536;

export class BoundedBody {
  readonly #reader: BodyReader;
  readonly #maxBytes: number;
  readonly #onText: OnText;
  #decoder: TextDecoder | null = null;
  #body = "";
  #bytes = 0;
  #pieces = 0;
  #end: BodyText["bodyEnd"] | null = null;

  constructor(reader: BodyReader, maxBytes = MAX_BODY_BYTES, onText: OnText = ignore) {
    this.#reader = reader;
    this.#maxBytes = maxBytes;
    this.#onText = onText;
  }

  /** What has been read so far, also where reading failed. */
  get soFar(): string {
    return this.#body;
  }

  /** True where there may be more after so many bytes. @throws what the reader throws. */
  async readUpTo(bytes: number): Promise<boolean> {
    while (this.#end === null && this.#bytes < bytes) await this.#readPiece();
    return this.#end === null;
  }

  /** The rest is read, as far as the limits allow. */
  async text(): Promise<BodyText> {
    while (this.#end === null) await this.#readPiece();
    return { body: this.#body, bodyEnd: this.#end };
  }

  async #readPiece(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done || value === undefined) {
      this.#append(this.#decoder?.decode() ?? "");
      this.#end = "complete";
      return;
    }
    this.#pieces += 1;
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += value.byteLength;
    this.#decoder ??= new TextDecoder(encodingOf(value));
    if (this.#append(this.#decoder.decode(value.subarray(0, room), { stream: true }))) {
      this.#end = "complete";
      return closeWithoutWaiting(this.#reader);
    }
    if (value.byteLength <= room && this.#pieces < MAX_BODY_PIECES) return;
    this.#end = "over_limit";
    closeWithoutWaiting(this.#reader);
  }

  /** Engines join such a text when it is first looked at, all at once. */
  #append(piece: string): boolean {
    if (piece === "") return false;
    this.#body += piece;
    return this.#onText(piece, this.#body.length);
  }
}

function ignore(): boolean {
  return false;
}

/** By its byte order mark (Encoding standard, 6); the decoder drops the mark. */
function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  // Destructuring takes an iterator, which costs more than all else here.
  const first = bytes[0];
  const second = bytes[1];
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Cancelling ends the connection; a failure to end it changes nothing about what was read. */
function closeWithoutWaiting(reader: BodyReader): void {
  reader.cancel().catch(() => undefined);
}

const UTF_8 = new TextDecoder();

/** A whole body as text (Encoding standard, 6.1: UTF-8 unless a byte order mark says otherwise). */
export function decoded(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  return encoding === "utf-8" ? UTF_8.decode(bytes) : new TextDecoder(encoding).decode(bytes);
}
