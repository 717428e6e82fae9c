/**
 * Texts of strangers, made fit to be stored and shown: redacted, without control characters, bounded. Pure.
 */

const MAX_MESSAGE_LENGTH = 300;
/** Of a type, a code or an id: the longest in use have some 60. */
const MAX_NAME_LENGTH = 100;

/** A message of at most 300 characters after redaction; null when nothing is left. */
export function cleanMessage(text: string | null, redact: (text: string) => string): string | null {
  return clean(text, redact, MAX_MESSAGE_LENGTH);
}

/** A type, a code or an id of at most 100 characters after redaction; null when nothing is left. */
export function cleanName(text: string | null, redact: (text: string) => string): string | null {
  return clean(text, redact, MAX_NAME_LENGTH);
}

/** Cut at a code point's boundary, so that no half of a surrogate pair is left. */
export function clip(text: string, length: number = MAX_MESSAGE_LENGTH): string {
  if (text.length <= length) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

/** More than this is not redacted for a message of 300 characters. */
const MAX_INPUT_LENGTH = 8192;

function clean(text: string | null, redact: (text: string) => string, length: number): string | null {
  if (text === null) return null;
  const plain = withoutControls(redact(withoutControls(clip(text, MAX_INPUT_LENGTH))));
  return clip(plain, length).trim() || null;
}

// oxlint-disable-next-line no-control-regex -- these characters are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

function withoutControls(text: string): string {
  return text.toWellFormed().replace(CONTROLS, " ");
}
