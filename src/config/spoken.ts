/** The language of the command line. Set it before other modules load: some translate their texts at import. */
import { say } from "../domain/language/words.ts";
import type { Language } from "./config.ts";

let language: Language = "en";
let catalogue: Readonly<Record<string, string>> = {};

/** @param words by those in English, which have slots like `{0}`. */
export function speak(chosen: Language, words: Readonly<Record<string, string>>): void {
  language = chosen;
  catalogue = words;
}

export function spokenLanguage(): Language {
  return language;
}

/** A sentence in the language that is spoken; in a Worker that is English. */
export function t(parts: TemplateStringsArray, ...told: readonly (string | number)[]): string {
  return say(translated(parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`)), ...told);
}

/** `2 probes`. Only English has plurals. */
export function counted(count: number, noun: string, shown = String(count)): string {
  const word = translated(noun);
  return `${shown} ${word}${count === 1 || word !== noun ? "" : "s"}`;
}

/** Translates words that come from a file. */
export function translated(words: string): string {
  return catalogue[words] ?? words;
}
