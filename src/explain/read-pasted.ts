/** Which form a pasted text has: the first reader that knows it decides. Pure. */
import type { Kind } from "../protocol/observation.ts";
import { readBodyAlone } from "./body-alone.ts";
import type { Pasted, ReadForm } from "./pasted.ts";
import { readSavedAnswer } from "./saved-answer.ts";
import { readSdkError } from "./sdk-error.ts";

/** What can be told for certain stands before what is guessed. */
const READERS: readonly ReadForm[] = [readSdkError, readSavedAnswer];

export function readPasted(text: string, kind: Kind | null): Pasted {
  for (const read of READERS) {
    const pasted = read(text, kind);
    if (pasted !== null) return pasted;
  }
  return readBodyAlone(text, kind);
}
