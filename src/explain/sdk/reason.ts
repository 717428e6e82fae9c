/** The status that the words of a client's error name, where its class leaves it open. Pure. */
import type { ClassMeaning } from "./classes.ts";

/** Null: they name none. */
export function statusInWords(meaning: ClassMeaning, words: string): number | null {
  // Between the two forms of the body, where the first client for Python had it.
  if (meaning === "stream") return numberOf(/\} ([45]\d\d) \{/.exec(words)?.[1]);
  if (meaning === "server") return numberOf(/\b(5\d\d)\b/.exec(words)?.[1]) ?? statusOfReason(words);
  return statusOfReason(words);
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** The reason phrase, as all the words, or as the title of a page. */
function statusOfReason(words: string): number | null {
  const title = /<title>([^<]{1,200})<\/title>/i.exec(words)?.[1];
  const reason = (title ?? words.slice(0, 200))
    .trim()
    .replace(/^[45]\d\d:? /, "")
    .replace(/\.$/, "");
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? null;
}

const REASONS: readonly (readonly [RegExp, number])[] = [
  [/^payment required$/i, 402],
  [/^method not allowed$/i, 405],
  [/^request time-?out$/i, 408],
  [/^(?:request entity|content|payload) too large$/i, 413],
  [/^not implemented$/i, 501],
  [/^bad gateway$/i, 502],
  [/^service (?:temporarily )?unavailable$/i, 503],
  [/^gateway time-?out$/i, 504],
  [/^error code: 1016$/i, 530],
];
