/**
 * Every word of the pages and of the feed. English is part of the script and gives the shape. Another language is a line in
 * `LANGUAGE_NAMES` and in `LANGUAGES`, and the catalogue `assets/<language>.json`, which is read when someone asks for it. The
 * reference pages `/causes`, `/docs` and `/explain` have theirs in `assets/reference.json`, in every language.
 * A sentence with numbers, names or elements is a function in English, so that each language chooses their order. In a
 * catalogue, `{0}` is its first argument, and every argument is used. Some texts are written into HTML unescaped.
 */
import type { Language } from "../../../config/config.ts";
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { OwnMessage } from "../../../protocol/thrown.ts";
import { readStaticFile, type AppDeps } from "../../deps.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import type REFERENCE from "../../assets/reference.json";
import { ENGLISH as WORDS } from "./en.ts";

type Translated<Original> = Original extends string
  ? string
  : Original extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result extends string ? string : Child
    : { readonly [Name in keyof Original]: Translated<Original[Name]> };

type Shape = typeof WORDS;

export interface Messages extends Translated<Shape> {
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

type Texts<Original> = Original extends string | ((...args: never) => unknown)
  ? string
  : { readonly [Name in keyof Original]: Texts<Original[Name]> };

/** What `assets/<language>.json` holds. */
export interface Catalogue extends Texts<Shape> {
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

export const ENGLISH: Messages = { ...WORDS, stored: null };

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

/** The words of the reference pages, from `assets/reference.json`. In a sentence, `{0}` is the first argument of `sentenceOf`. */
export type Reference = (typeof REFERENCE)["en"];

export async function referenceIn(language: Language, deps: Pick<AppDeps, "asset">): Promise<Reference> {
  return (JSON.parse(await readStaticFile(deps, "reference.json")) as Record<Language, Reference>)[language];
}

export function messagesOf(catalogue: Catalogue): Messages {
  const { stored } = catalogue;
  const patterns = (lines: readonly (readonly string[])[]) =>
    lines.map(([pattern = "", words = ""]) => [new RegExp(pattern, "u"), words] as const);
  const { sentences, tails } = stored;
  const told = { ...stored, sentences: patterns(sentences), tails: patterns(tails) };
  return { ...(translated(WORDS, catalogue) as Messages), stored: told };
}

/** The same members as the English ones, with the words of the catalogue. */
function translated(english: unknown, words: unknown): unknown {
  if (typeof english === "function") return sentenceOf(String(words));
  if (typeof english !== "object" || english === null) return words;
  return Object.fromEntries(
    Object.entries(english).map(([name, part]) => [name, translated(part, Reflect.get(Object(words), name))]),
  );
}

/** Returns a text if all arguments are texts and numbers. */
export function sentenceOf(template: string): (...slots: readonly Child[]) => Child {
  const parts = template.split(/\{(\d)\}/u);
  return (...slots) => {
    const sentence = parts.map((part, index) => (index % 2 === 1 ? slots[Number(part)] : part));
    return slots.some((slot) => typeof slot === "object") ? sentence : sentence.join("");
  };
}
