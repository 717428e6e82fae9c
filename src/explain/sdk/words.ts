/** The body of an answer, out of the words that a client made of it. Pure. */
import { readLiteral } from "./literal.ts";

export interface ToldBody {
  readonly body: string;
  readonly missing: "nothing" | "all" | "rest";
}

/** `isRaw`: the client said that the body was no JSON, so that its words are the body. */
export function bodyOfWords(words: string, isRaw: boolean): ToldBody {
  const own = words.replace(BEFORE_THE_WORDS, "");
  if (own === "" || own.startsWith("status code (no body)")) return { body: "", missing: "all" };
  const value = isRaw ? null : literalOf(own);
  if (value !== null) return value;
  const isBody = isRaw || looksLikeBody(own);
  return { body: isBody ? own : JSON.stringify({ error: { message: own } }), missing: "nothing" };
}

/** LiteLLM names the vendor's exception, others the reason of the status. */
const BEFORE_THE_WORDS =
  /^(?:\w{1,60}(?:Exception|Error): ?)?\w{1,60}Exception - |^(?:[A-Z][A-Z_]{2,40}\.|[A-Z][A-Za-z -]{2,40}) (?=\{)/;

/** A value of data as JSON; a repr within a repr has its quotes escaped. */
function literalOf(words: string): ToldBody | null {
  const isQuoted = /^[{[]\\['"]/.test(words);
  const plain = isQuoted ? words.replace(/\\([\\'"])/g, "$1") : words;
  const read = /^[{[]/.test(plain) ? readLiteral(plain, 0) : null;
  return read === null
    ? null
    : { body: JSON.stringify(read.value), missing: read.isCut ? "rest" : "nothing" };
}

/** A page, or what servers say without JSON. */
function looksLikeBody(words: string): boolean {
  return /^\s*<|^error code: \d{3,4}\s*$|^(?:404 )?page not found\s*$|^(?:not found|forbidden|bad gateway|service unavailable|gateway time-?out|internal server error|too many requests)\.?\s*$|^upstream connect error|^no healthy upstream/i.test(
    words,
  );
}
