/**
 * Texts of strangers, made fit to be stored and shown: redacted, without what steers a terminal or cannot be seen,
 * bounded. Pure.
 */

export const MAX_MESSAGE_LENGTH = 300;
/** Of a type, a code or an id: the longest in use have some 60. */
export const MAX_NAME_LENGTH = 100;

/** A message of at most 300 characters after redaction; null when nothing is left. */
export function cleanMessage(text: string | null, redact: (text: string) => string): string | null {
  return clean(text, redact, MAX_MESSAGE_LENGTH);
}

/** A type, a code or an id of at most 100 characters after redaction; null when nothing is left. */
export function cleanName(text: string | null, redact: (text: string) => string): string | null {
  return clean(text, redact, MAX_NAME_LENGTH);
}

/** A number that somebody sent; null where its digits are a secret or a part of one. */
export function cleanNumber(value: number | null, redact: (text: string) => string): number | null {
  return value === null || redact(String(value)) !== String(value) ? null : value;
}

/** Cut at a code point's boundary, so that no half of a surrogate pair is left. */
export function clip(text: string, length: number = MAX_MESSAGE_LENGTH): string {
  if (text.length <= length) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

/** Whether a text may have been cut by `clip` to the given length. */
export function mayBeClipped(text: string, length: number): boolean {
  return text.length >= length - 1;
}

/**
 * A text of one line that looks like what it says: control characters, line ends and marks that turn the writing round
 * are spaces; what cannot be seen is gone (Unicode Cf and default ignorables) but for what emoji are made of; no lone
 * surrogates.
 */
export function visibleText(text: string): string {
  if (PRINTABLE.test(text)) return text;
  const line = text.toWellFormed().replace(STEERING, " ");
  return INVISIBLE.test(line) ? line.replace(EMOJI_OR_INVISIBLE, "$1") : line;
}

/** More than so many times what is kept is not redacted: whoever sends it pays in nobody's CPU. */
const INPUT_SHARE = 6;

function clean(text: string | null, redact: (text: string) => string, length: number): string | null {
  if (text === null) return null;
  const input = clip(text, INPUT_SHARE * length);
  const visible = visibleText(UTF_16.test(input) ? input.replaceAll("\0", "") : input);
  const redacted = redact(visible);
  const plain = redacted === visible ? visible : visibleText(redacted);
  return clip(plain.trim(), length).trimEnd() || null;
}

/** Read as bytes: a NUL behind or before each letter. */
// oxlint-disable-next-line no-control-regex -- it is the mark of this encoding
const UTF_16 = /(?:[^\0]\0){3}/;
/** Of it nothing steers or hides: ids and most messages are of this kind, and this look costs a tenth of the others. */
const PRINTABLE = /^[\u0020-\u007e]*$/;
const STEERING =
  // oxlint-disable-next-line no-control-regex -- these characters are what is taken out
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** First whole emoji: flags spelled with tags, keycaps, pictographs with variation selectors and joiners (UTS 51). */
const EMOJI_OR_INVISIBLE =
  /(\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}|[\d#*]\ufe0f\u20e3|\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,8})|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
