/** A body without its status line: JSON, the transcript of a stream, a task's record, a page. Pure. */
import type { Kind } from "../protocol/observation.ts";
import type { Pasted } from "./pasted.ts";

export function readBodyAlone(text: string, kind: Kind | null): Pasted {
  return {
    form: /^\s*[{[]/.test(text) ? "json" : "text",
    detail: null,
    observation: {
      type: "answer",
      kind: kind ?? "console",
      status: 200,
      headers: {},
      body: text,
      bodyEnd: "complete",
    },
    request: null,
    notes: kind === null ? ["status_unknown", "kind_guessed"] : ["status_unknown"],
  };
}
