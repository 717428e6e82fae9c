/**
 * Who reads: in which words.
 */
import type { Language } from "../../config/config.ts";
import type { Messages } from "./i18n/messages.ts";

export interface Reader {
  readonly language: Language;
  readonly words: Messages;
  /** It is the configured one. */
  readonly isUsual: boolean;
  /** The address asks for the language: links to other pages keep it. */
  readonly isAsked: boolean;
}
