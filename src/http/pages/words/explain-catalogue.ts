/**
 * The words of the page that explains an answer. Part of the catalogue.
 */
import type { Form, Note } from "../../../explain/pasted.ts";
import type { Kind } from "../../../protocol/observation.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import type { Sentence } from "./incident-catalogue.ts";

export interface ExplainWords {
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  readonly about: string;
  /** What the form is for. */
  readonly form: string;
  readonly answer: string;
  readonly takes: string;
  readonly privacy: string;
  readonly asked: string;
  readonly unsure: string;
  readonly kinds: Readonly<Record<Kind, string>>;
  readonly button: string;
  /** Of the text that is shown again. */
  readonly redacted: string;
  /** In place of it. */
  readonly long: string;
  readonly verdict: string;
  readonly taken: (form: string, detail: Child, kind: string) => Child;
  readonly forms: Readonly<Record<Form, string>>;
  readonly notes: Readonly<Record<Note, string>>;
  /** In place of what is said of a monitor. */
  readonly you: string;
  readonly edge: string;
  readonly noOutage: string;
  readonly retry: Readonly<Record<"allowed" | "growing" | "refused" | "unknown", string>>;
  readonly facts: string;
  readonly message: string;
  /** A message of Gatepulse's own. */
  readonly finding: string;
  readonly taskState: string;
  readonly rule: string;
  readonly cause: Sentence;
  readonly report: string;
}
