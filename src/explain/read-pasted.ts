/** Which form a pasted text has: the first reader that knows it decides. Pure. */
import { readBody } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { readBodyAlone } from "./body-alone.ts";
import { readHar } from "./har.ts";
import { readCommandAnswer } from "./command-answer.ts";
import { readHttpTranscript } from "./http-transcript.ts";
import type { Pasted, ReadForm } from "./pasted.ts";
import { plainText } from "./plain-text.ts";
import { readSavedAnswer } from "./saved-answer.ts";
import { readSdkError } from "./sdk-error.ts";

/** What can be told for certain stands before what is guessed. */
const READERS: readonly ReadForm[] = [readHttpTranscript, readCommandAnswer, readSdkError, readWrappedAnswer];

export function readPasted(text: string, kind: Kind | null): Pasted {
  const bare = plainText(text);
  for (const read of READERS) {
    const pasted = read(bare, kind);
    if (pasted !== null) return pasted;
  }
  return readBodyAlone(bare, kind);
}

// JSON in which a whole exchange stands: a HAR log or entry, or a saved answer.

function readWrappedAnswer(text: string, kind: Kind | null): Pasted | null {
  if (!/^\s*[{[]/.test(text)) return null;
  const read = readBody(text);
  return read.form === "json" ? (readHar(read.json, kind) ?? readSavedAnswer(read.json, kind)) : null;
}
