/**
 * Every word that a reader of the pages and of the feed sees. Each language is two files: `…-status.ts` has
 * what all pages share, the status pages and the feed, `…-reference.ts` the causes and the pages that explain. English is the
 * original, and the other languages have its shape: another one is two files more, and a line in each of the two tables here
 * and in `LANGUAGES`. A sentence with numbers, names or elements in it is a function of them, so that their order is the
 * language's own; it uses all of its arguments. Messages hold no markup but for what stands out: some are written into HTML
 * as they are.
 */
import type { Language } from "../../../config/config.ts";
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { OwnMessage } from "../../../protocol/thrown.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { ENGLISH_REFERENCE } from "./en-reference.ts";
import { ENGLISH_STATUS } from "./en-status.ts";
import { CHINESE_REFERENCE } from "./zh-reference.ts";
import { CHINESE_STATUS } from "./zh-status.ts";

/** The same members and arguments, in other words. */
type Translated<Original> = Original extends string
  ? string
  : Original extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result extends string ? string : Child
    : { readonly [Name in keyof Original]: Translated<Original[Name]> };

export type StatusMessages = Translated<typeof ENGLISH_STATUS>;

export interface ReferenceMessages extends Translated<Omit<typeof ENGLISH_REFERENCE, "stored">> {
  readonly stored: StoredMessages | null;
}

export interface Messages extends StatusMessages, ReferenceMessages {}

/** What is stored in English, for a page in another language. What is not known here stays English. */
interface StoredMessages {
  /** The usual advice about a cause. */
  readonly advice: Readonly<Record<Cause, string>>;
  /** A sentence begins with the pattern; `$1` is what its group matched. */
  readonly sentences: readonly (readonly [pattern: RegExp, words: string])[];
  /** `$1` and `$2` are what the groups of the pattern matched. */
  readonly messages: Readonly<Record<OwnMessage, string>>;
}

/** How a monitor or a gateway stands, as marks show it: of what was paused, or is worked on, neither up nor down is claimed. */
export type Shown = keyof Messages["shown"];

/** What cannot be shown, and why. */
export type ProblemName = keyof Messages["problems"];

/** BCP 47, and what its speakers call it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, { readonly tag: string; readonly name: string }>> = {
  en: { tag: "en", name: "English" },
  zh: { tag: "zh-Hans", name: "中文" },
};

const MESSAGES: Readonly<Record<Language, Messages>> = {
  en: { ...ENGLISH_STATUS, ...ENGLISH_REFERENCE },
  zh: { ...CHINESE_STATUS, ...CHINESE_REFERENCE },
};

export function messagesIn(language: Language): Messages {
  return MESSAGES[language];
}
