/**
 * The words of the page that explains the causes. Part of the catalogue. Code stands between backticks in what decides.
 */
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { Sentence } from "./incident-catalogue.ts";

export interface CausesWords {
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  readonly about: string;
  /** @param document the longer text, with examples, which is English. */
  readonly more: Sentence;
  /** What decides each. */
  readonly evidence: Readonly<Record<Cause, string>>;
  readonly terms: Readonly<Record<"health" | "retry", string>>;
  /** Of what is good. */
  readonly notNeeded: string;
  readonly never: string;
  /** @param statuses joined. */
  readonly under: (statuses: string) => string;
  /** To this page from others. */
  readonly pointer: Sentence;
  readonly link: string;
}
