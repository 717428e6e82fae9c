/** JSON in which a whole exchange stands: a HAR log or entry, or a saved answer. Pure. */
import { readBody } from "../../protocol/json.ts";
import type { Kind } from "../../protocol/observation.ts";
import { readHar } from "./har.ts";
import type { Pasted } from "../pasted.ts";
import { readSavedAnswer } from "./saved-answer.ts";

export function readWrappedAnswer(text: string, kind: Kind | null): Pasted | null {
  if (!/^\s*[{[]/.test(text)) return null;
  const read = readBody(text);
  return read.form === "json" ? (readHar(read.json, kind) ?? readSavedAnswer(read.json, kind)) : null;
}
