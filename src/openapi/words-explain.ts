/** Words for what is explained. Pure data. */
import type { Words } from "./word-kinds.ts";

const KIND = "What was asked of the gateway; left out: it is guessed.";

export const EXPLAIN_WORDS: Readonly<Record<string, Words>> = {
  SavedAnswer: {
    "": "A gateway’s answer.",
    headers: "Names in any case.",
    kind: KIND,
  },
  PastedText: {
    "": "A text in which a gateway’s answer is told.",
    kind: KIND,
  },
  Explanation: {
    report: "For a support desk; null: there is nothing to report.",
    "report.id": "Null: it is not stored.",
    takenFor: "What the text was taken for.",
    "takenFor.detail": "More of the form, for people.",
    "takenFor.notes":
      "`status_unknown`: judged as if it had come with 200; a retry is not allowed then. `kind_guessed`: nobody said what was asked. `last_response`, `one_of_entries`: one of several was judged. `body_missing`, `body_cut`: the body is not there, or not whole. `words_only`: the text shows no answer.",
  },
};
