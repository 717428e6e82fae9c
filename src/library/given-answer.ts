/** Brings headers and body, in any form that programs have them, into the form that is judged: names in lower case, UTF-8 text. */
import { type HeaderPair, joinHeaders } from "../explain/pasted.ts";
import { type BodyStream, type BodyText, encodingOf, readPieces } from "../probe/body-text.ts";

/**
 * The headers of an answer: a `Headers` object, a plain object, or anything that yields pairs of name and value. Names may be in
 * any case. In a plain object, several values of a name are a list, as Node's `http` has them.
 */
export type HeadersLike =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, HeaderValue>>;

type HeaderValue = string | number | readonly string[] | undefined;

export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values of the same name are joined with commas (RFC 9110, 5.2). Axios yields lists and numbers as values, too. */
export function readHeaders(headers: HeadersLike): Head["headers"] {
  const pairs: Iterable<readonly [name: string, value: HeaderValue]> = isIterable(headers)
    ? headers
    : Object.entries(headers);
  return joinHeaders(
    Array.from(pairs).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): HeaderPair => [name, String(one)]),
    ),
  );
}

function isIterable(headers: HeadersLike): headers is Iterable<HeaderPair> {
  return Symbol.iterator in headers;
}

/** In bytes after decoding, or in UTF-16 units of text. A longer body is judged as one that was not read to its end. */
const MAX_BODY_SIZE = 8 * 1024 * 1024;

export type BodyLike = string | Uint8Array | ArrayBuffer | null;

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

function textOf(text: string, size: number): BodyText {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return { body, bodyEnd: size > MAX_BODY_SIZE ? "over_limit" : "complete" };
}

/** The text up to the limit; there the connection is closed. @throws what reading throws. */
export async function readBodyStream(stream: BodyStream | null): Promise<BodyText> {
  return (await readBodyText(stream, MAX_BODY_SIZE, () => false)) ?? textOf("", 0);
}

/** The text up to a limit of bytes. Null: `isForPassing` wants the body passed on as it comes. @throws what the reader throws. */
export async function readBodyText(
  stream: BodyStream | null,
  maxBytes: number,
  isForPassing: (start: string) => boolean,
): Promise<BodyText | null> {
  if (stream === null) return textOf("", 0);
  let body = "";
  // Searching the whole body at each piece would cost the square of its length.
  let isBlank = true;
  let isPassed = false;
  const bodyEnd = await readPieces(stream, { maxBytes }, (piece) => {
    body += piece;
    isPassed = isBlank && isForPassing(body);
    isBlank &&= !/\S/.test(piece);
    return isPassed;
  });
  return isPassed ? null : { body, bodyEnd };
}
