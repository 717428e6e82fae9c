/**
 * Every word of the pages and of the feed, and how sentences are filled. English is part of the script and gives the shape.
 * Another language is a line in `LANGUAGE_NAMES` and in `LANGUAGES`, and the catalogue `assets/<language>.json`, which is read
 * when someone asks for it. The reference pages `/causes`, `/docs` and `/explain` have their words in `assets/reference.json`,
 * in every language. Some texts are written into HTML unescaped.
 */
import type { Language } from "../../../config/config.ts";
import { type Cause, CAUSE_NAMES, OPERATOR_CAUSE_NAMES } from "../../../protocol/diagnosis.ts";
import type { OwnMessage } from "../../../protocol/thrown.ts";
import { readStaticFile, type AppDeps } from "../../deps.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
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

/** For texts that are stored in English. Unknown ones stay English. */
interface StoredMessages {
  readonly advice: Readonly<Record<Cause, string>>;
  /** What `advise` puts behind an owner's advice, or in its place. */
  readonly tails: readonly (readonly [pattern: RegExp, words: string])[];
  /** A sentence begins with the pattern; `$1` is what its group matched. */
  readonly sentences: readonly (readonly [pattern: RegExp, words: string])[];
  /** `$1` and `$2` are what the groups of the pattern matched. */
  readonly messages: Readonly<Record<OwnMessage, string>>;
}

/** What `assets/<language>.json` holds. */
export interface Catalogue extends Shape {
  readonly stored: Omit<StoredMessages, "sentences" | "tails"> & {
    readonly tails: readonly (readonly string[])[];
    /** Sources of regular expressions, with their words. */
    readonly sentences: readonly (readonly string[])[];
  };
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
  const patterns = (lines: readonly (readonly string[])[]) =>
    lines.map(([pattern = "", words = ""]) => [new RegExp(pattern, "u"), words] as const);
  const { sentences, tails } = catalogue.stored;
  const stored = { ...catalogue.stored, sentences: patterns(sentences), tails: patterns(tails) };
  return { ...catalogue, stored };
}

/** `{0}` is the first of what the sentence tells; `{0|is|are}` are the words for one of it and for another number, which is at `#`. */
const SLOT = /\{(\d)(?:\|([^|]*)\|([^}]*))?\}/u;

const split = new Map<string, readonly (string | undefined)[]>();

/** Fills a sentence, whose language chooses the order. @returns a text if it tells only texts and numbers. */
export function say(sentence: string, ...told: readonly (string | number)[]): string;
export function say(sentence: string, ...told: readonly Child[]): Child;
export function say(sentence: string, ...told: readonly Child[]): Child {
  const parts = split.get(sentence) ?? sentence.split(SLOT);
  split.set(sentence, parts);
  const said: Child[] = [];
  for (let index = 0; index < parts.length; index += 4) {
    const [words, slot, one, many] = parts.slice(index, index + 4);
    said.push(words);
    if (slot === undefined) continue;
    const value = told[Number(slot)];
    if (value === undefined) throw new Error(`nothing is told at ${slot}: ${sentence}`);
    said.push(many === undefined ? value : (value === 1 ? one : many)?.replace("#", String(value)));
  }
  return told.some((child) => typeof child === "object") ? said : said.join("");
}
