/** English: the causes, and the reference pages `/causes`, `/docs` and `/explain`. The rest is in `en-status.ts`. */
import { CAUSE_NAMES } from "../../../protocol/diagnosis.ts";
import { type Child, say } from "../../jsx/jsx-runtime.ts";

export const ENGLISH_REFERENCE = {
  causes: CAUSE_NAMES,
  /** `authentication` where there was no key to send. */
  noKey: "No usable key is set",
  stored: null,

  causesPage: {
    title: "Causes",
    description: "What each cause means, whose turn it is, and whether to try again.",
    about:
      "What each cause means, judged from one answer alone. Where more is known, it may be somebody else’s turn: an address that answered properly within the last day is its operator’s to fix.",
    more: (document: Child) => say`With an example of each: ${document}.`,
    terms: { health: "Health", retry: "Retry" },
    notNeeded: "not needed",
    never: "never",
    under: (statuses: string) => `under ${statuses}, if the request is safe to repeat`,
    pointer: (page: Child) => say`What each cause means: ${page}.`,
    link: "causes",
  },
  docs: {
    description: "Every address and its answers.",
    links: { status: "JSON Schema of the status", alert: "JSON Schema of an alert" },
    contents: "Contents",
    schemas: "Schemas",
    body: (type: Child) => say`Body: ${type}`,
    example: "Example",
    optional: "optional",
    or: " or ",
    and: " and ",
    of: (whole: string, parts: Child) => say`${whole} of ${parts}`,
  },
  explain: {
    title: "Explain an answer",
    description: "Paste any answer of a model gateway and learn what it means, and whose turn it is.",
    about:
      "Paste any answer of a gateway and learn what it means, whose turn it is, and what to send to support.",
    examples: "Try an example:",
    form: "The answer to explain",
    answer: "The answer",
    takes:
      "The output of curl -i, a body, a HAR entry, what an SDK printed, the transcript of a stream, the record of a task: up to 256 kB.",
    privacy: "Nothing of it is stored. What looks like a secret is not shown again.",
    asked: "What was asked",
    unsure: "Not known",
    kinds: {
      models: "The list of models",
      chat: "A chat completion",
      messages: "A message",
      embeddings: "Embeddings",
      image: "An image",
      task: "A task, or its record",
      console: "The console, or something else",
      stream: "A stream",
    },
    button: "Explain",
    redacted: "What looked like a secret was taken out of the text below. Nothing of it is stored.",
    long: "The text was too long to be shown here again. Nothing of it is stored.",
    verdict: "What it means",
    taken: (form: string, detail: Child, kind: string) =>
      say`Taken for: ${form}${detail}. What was asked: ${kind.toLowerCase()}.`,
    forms: {
      http: "an HTTP answer with its status line",
      answer: "an answer with its status, as JSON",
      har: "a HAR entry",
      sdk_error: "an error that an SDK printed",
      event_stream: "the transcript of a stream",
      task: "the record of a task",
      json: "a JSON body alone",
      text: "a text",
    },
    notes: {
      status_unknown: "The text has no HTTP status: it was judged as if it had come with 200.",
      kind_guessed: "Nobody said what was asked: it was guessed.",
      last_response: "There are several answers: the last was judged.",
      one_of_entries: "There are several exchanges: one was judged.",
      body_missing: "The body is not in the text.",
      body_cut: "The body is not whole.",
      words_only: "These words show no answer of a gateway: paste what came, with its status and headers.",
    },
    you: "yours, or the key owner’s",
    edge: "An edge page refused the client",
    retry: {
      allowed: "It may be sent again, if it is safe to repeat.",
      growing: "Wait before that, longer each time, and give up after a few attempts.",
      refused: "Do not send it again by itself: repetition does not help, or may do harm.",
      unknown: "Without its HTTP status nobody can say whether it may be sent again.",
    },
    cause: (link: Child) => say`All of this cause: ${link}.`,
    report:
      "Add when it happened, the address and the model, and whether it was tried again. Leave keys out.",
  },
};
