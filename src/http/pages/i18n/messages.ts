/**
 * Every word of the pages and of the feed. English is part of the script and gives the shape.
 * Another language is a line in `LANGUAGE_NAMES` and in `LANGUAGES`, and the catalogue `assets/<language>.json`, which is read
 * when someone asks for it. The reference pages `/causes`, `/docs` and `/explain` have their words in `assets/reference.json`,
 * in every language. Some texts are written into HTML unescaped.
 */
import type { Language } from "../../../config/config.ts";
import { storedMessages, type StoredCatalogue, type StoredMessages } from "../../../domain/language/words.ts";
import { type Cause, CAUSE_NAMES, OPERATOR_CAUSE_NAMES } from "../../../protocol/diagnosis.ts";
import { readStaticFile, type AppDeps } from "../../deps.ts";
import type REFERENCE from "../../assets/reference.json";
import WORDS from "./en.json" with { type: "json" };

type Shape = typeof WORDS & {
  readonly causes: Readonly<Record<Cause, string>>;
  readonly operatorCauses: Readonly<Record<keyof typeof OPERATOR_CAUSE_NAMES, string>>;
};

export interface Messages extends Shape {
  /** Null: stored texts are already in this language. */
  readonly stored: StoredMessages | null;
}

/** What `assets/<language>.json` holds. */
export interface Catalogue extends Shape {
  readonly stored: StoredCatalogue;
}

/** The state that a mark shows. Paused or in maintenance, it is neither up nor down. */
export type Shown = keyof Messages["shown"];

export type ProblemName = keyof Messages["problems"];

/** BCP 47, and the language's name in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, { readonly tag: string; readonly name: string }>> = {
  en: { tag: "en", name: "English" },
  zh: { tag: "zh-Hans", name: "中文" },
};

export const ENGLISH: Messages = {
  ...WORDS,
  causes: CAUSE_NAMES,
  operatorCauses: OPERATOR_CAUSE_NAMES,
  stored: null,
};

const known = new Map<Language, Messages>([["en", ENGLISH]]);

/** English if the catalogue cannot be read now: that is better than no page. */
export async function messagesIn(language: Language, deps: Pick<AppDeps, "asset">): Promise<Messages> {
  const before = known.get(language);
  if (before !== undefined) return before;
  try {
    const words = messagesOf(JSON.parse(await readStaticFile(deps, `${language}.json`)));
    known.set(language, words);
    return words;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "unknown error";
    // oxlint-disable-next-line no-console -- the platform's log is where operators look
    console.error(`http: a page is in English, not in ${language}:`, why);
    return ENGLISH;
  }
}

/** The words of the reference pages. */
export type Reference = (typeof REFERENCE)["en"];

export async function referenceIn(language: Language, deps: Pick<AppDeps, "asset">): Promise<Reference> {
  return (JSON.parse(await readStaticFile(deps, "reference.json")) as Record<Language, Reference>)[language];
}

export function messagesOf(catalogue: Catalogue): Messages {
  return { ...catalogue, stored: storedMessages(catalogue.stored) };
}
