/** Takes secrets out: known ones in any encoding and in part, others where shape or place leave no doubt (spec 5, 7.5). Pure; linear. */

import { findFields } from "./fields.ts";
import { createKnownFinder, type FindKnown } from "./known.ts";
import { findPlaces } from "./places.ts";
import { type Range, replaceRanges } from "./ranges.ts";
import { blankEscapes, located, readingsOf, snapToEscapes } from "./views.ts";

/** Takes a text, gives it back without its secrets. Redacting twice changes nothing; JSON stays JSON. */
export type Redact = (text: string) => string;

export const REDACTED = "[redacted]";

/**
 * Builds a redactor; build it once and keep it.
 *
 * `secrets`: whole values (API keys, webhook addresses, user info, …). Each is removed in any encoding, and any 12 of
 * its characters in a row, or 8 that are no plain words. Values of 6 to 11 characters are removed only as a whole, shorter ones
 * not at all. Whatever looks like a secret by its shape goes too, known or not.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const findKnown = createKnownFinder(secrets);
  return (text) => {
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const found = findSecrets(current, pass === 0 ? findKnown : undefined);
      const next = replaceRanges(current, found, REDACTED);
      if (next === current) break;
      current = next;
    }
    return current;
  };
}

let shapesOnly: Redact | null = null;

export function redact(text: string): string {
  shapesOnly ??= createRedactor([]);
  return shapesOnly(text);
}

/** What goes may bare a shape behind it, though no known secret; a text without secrets costs one pass. */
const MAX_PASSES = 4;

function findShapes(text: string): readonly Range[] {
  return [...findFields(text), ...findPlaces(text)];
}

function findSecrets(text: string, findKnown: FindKnown = () => []): readonly Range[] {
  const { first, views, unwrapped } = readingsOf(text);
  const found = [...findShapes(blankEscapes(text)), ...findKnown(text)];
  return [
    ...(first === null ? found : found.map((range) => snapToEscapes(first, range))),
    ...views.flatMap((view) => located(view, findShapes(view.text))),
    ...[...views, ...unwrapped].flatMap((view) => located(view, findKnown(view.text))),
  ];
}
