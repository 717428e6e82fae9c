/** Which language the program speaks: that of --lang, else of the locale, else of the configuration in this directory. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language } from "../config/config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** @returns the arguments without --lang, unless it names no language. */
export function chosenLanguage(args: readonly string[], env: Env, cwd: string) {
  const at = args.findIndex((arg) => /^--lang(?:=|$)/.test(arg));
  const [name, length] = args[at] === "--lang" ? [args[at + 1], 2] : [args[at]?.slice("--lang=".length), 1];
  const asked = LANGUAGES.find((language) => language === name);
  const rest = asked === undefined ? args : args.toSpliced(at, length);
  // Programs read JSON, so it is always English.
  const isJson = args.includes("--json");
  return { language: isJson ? "en" : (asked ?? languageOfLocale(env) ?? languageOfProject(cwd)), rest };
}

/** Null: it names none. The order is that of POSIX. */
function languageOfLocale({ LC_ALL, LC_MESSAGES, LANG }: Env): Language | null {
  const { locale: ofSystem } = Intl.DateTimeFormat().resolvedOptions();
  // Windows sets none of them.
  const locale = LC_ALL || LC_MESSAGES || LANG || (ofSystem.startsWith("zh") ? ofSystem : "C");
  if (/^(?:C|POSIX)\b/.test(locale)) return null;
  return locale.startsWith("zh") ? "zh" : "en";
}

/** By its text: a file with faults has a language, too. */
function languageOfProject(directory: string): Language {
  const texts = ["ts", "json"].map((end) => textOf(join(directory, `gatepulse.config.${end}`)));
  const isChinese = /^(?!\s*(?:\/\/|\*)).*\blanguage["']?\s*:\s*["']zh["']/m;
  return texts.some((text) => isChinese.test(text)) ? "zh" : "en";
}

/** The command that needs the file says why it cannot be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
