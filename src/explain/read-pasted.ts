/** Which form a pasted text has: the first reader that knows it decides. Pure. */
import type { Kind } from "../protocol/observation.ts";
import { readBodyAlone } from "./body/body-alone.ts";
import { readCommandAnswer } from "./transcript/command-answer.ts";
import { readHttpTranscript } from "./transcript/http-transcript.ts";
import type { Pasted, ReadForm } from "./pasted.ts";
import { plainText } from "./body/plain-text.ts";
import { readPrintedObject } from "./body/printed-object.ts";
import { readSdkError } from "./sdk/printed-error.ts";
import { readWrappedAnswer } from "./answer/wrapped-answer.ts";

/** What can be told for certain stands before what is guessed. */
const READERS: readonly ReadForm[] = [
  readPrintedObject,
  readHttpTranscript,
  readCommandAnswer,
  readSdkError,
  readWrappedAnswer,
];

export function readPasted(text: string, kind: Kind | null): Pasted {
  const bare = plainText(text);
  for (const read of READERS) {
    const pasted = read(bare, kind);
    if (pasted !== null) return pasted;
  }
  return readBodyAlone(bare, kind);
}
