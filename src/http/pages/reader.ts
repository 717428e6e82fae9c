/**
 * Who reads: in which words.
 */
import type { Language } from "../../config/config.ts";
import type { Words } from "./words/catalogue.ts";

export interface Reader {
  readonly language: Language;
  readonly words: Words;
  /** It is the configured one. */
  readonly isUsual: boolean;
  /** The address asks for the language: links to other pages keep it. */
  readonly isAsked: boolean;
}
