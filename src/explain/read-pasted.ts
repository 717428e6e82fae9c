/** Which form a pasted text has: the first reader that knows it decides. Pure. */
import type { Kind } from "../protocol/observation.ts";
import { readBodyAlone } from "./body-alone.ts";
import { readCommandAnswer } from "./command-answer.ts";
import { readHttpTranscript } from "./http-transcript.ts";
import type { Pasted, ReadForm } from "./pasted.ts";
import { readSdkError } from "./sdk-error.ts";
import { readWrappedAnswer } from "./wrapped-answer.ts";

/** What can be told for certain stands before what is guessed. */
const READERS: readonly ReadForm[] = [readHttpTranscript, readCommandAnswer, readSdkError, readWrappedAnswer];

export function readPasted(text: string, kind: Kind | null): Pasted {
  const bare = withoutFence(text.replace(/^[\s\uFEFF]*\uFEFF/, ""));
  for (const read of READERS) {
    const pasted = read(bare, kind);
    if (pasted !== null) return pasted;
  }
  return readBodyAlone(bare, kind);
}

/** What stands in a fence of Markdown, where the text begins with one. */
function withoutFence(text: string): string {
  const opening = /^\s*(`{3,8}|~{3,8})[^\n`]{0,40}\r?\n/.exec(text.slice(0, 1000));
  if (opening === null) return text;
  const inside = text.slice(opening[0].length);
  const closing = inside.lastIndexOf(`\n${opening[1] ?? ""}`);
  return closing < 0 ? inside : inside.slice(0, closing);
}
