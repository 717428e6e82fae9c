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
      "What each cause means, judged from one answer. If the address worked within the last day, it is the operator’s turn.",
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
      "The output of curl -i, a body, a HAR entry, an SDK error, a stream or a task record, up to 256 kB.",
    privacy: "It is not stored, and secrets are not shown again.",
    asked: "What was asked",
    unsure: "Not known",
    ours: "I run this gateway",
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
    redacted: "Secrets were removed from the text below. It is not stored.",
    long: "The text is too long to show again. It is not stored.",
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
      status_unknown: "The text has no HTTP status, so 200 was assumed.",
      kind_guessed: "What was asked is a guess.",
      last_response: "Of several answers, this is the last.",
      one_of_entries: "Of several exchanges, this is one.",
      body_missing: "The body is missing.",
      body_cut: "The body is incomplete.",
      words_only: "This does not look like a gateway’s answer. Paste it with its status and headers.",
    },
    you: "yours, or the key owner’s",
    edge: "A firewall or bot check blocked the client",
    retry: {
      allowed: "You can retry if the request is safe to repeat.",
      growing: "Wait longer each time, and stop after a few attempts.",
      refused: "Do not retry automatically: it does not help, or may do harm.",
      unknown: "Without its HTTP status, it is not known whether you can retry.",
    },
    cause: (link: Child) => say`More about this cause: ${link}.`,
    report: "Add the time, the address, the model, and whether you retried. Leave keys out.",
  },
};
