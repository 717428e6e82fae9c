/**
 * Every word of the pages and of the feed. A language is two files: `…-status.ts` for what all pages share, the status pages and the
 * feed, `…-reference.ts` for the causes and the pages that explain. English gives the shape; another language is two files,
 * and a line in each of the two tables here and in `LANGUAGES`. A sentence with numbers, names or elements in it is a
 * function, so that their order is the language's own; it uses all of its arguments. Some are written into HTML as they are.
 */
import type { Language } from "../../../config/config.ts";
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { OwnMessage } from "../../../protocol/thrown.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { ENGLISH_REFERENCE } from "./en-reference.ts";
import { ENGLISH_STATUS } from "./en-status.ts";
import { CHINESE_REFERENCE } from "./zh-reference.ts";
import { CHINESE_STATUS } from "./zh-status.ts";

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

/** For texts that are stored in English. What is not known here stays English. */
interface StoredMessages {
  readonly advice: Readonly<Record<Cause, string>>;
  /** A sentence begins with the pattern; `$1` is what its group matched. */
  readonly sentences: readonly (readonly [pattern: RegExp, words: string])[];
  /** `$1` and `$2` are what the groups of the pattern matched. */
  readonly messages: Readonly<Record<OwnMessage, string>>;
}

/** How marks show a monitor or a gateway: what is paused or in maintenance is neither up nor down. */
export type Shown = keyof Messages["shown"];

export type ProblemName = keyof Messages["problems"];

/** BCP 47, and the language's name in itself. */
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
