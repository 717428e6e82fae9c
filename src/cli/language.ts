/** Which language the program speaks: that of --lang, else of the locale, else of the configuration in this directory. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language } from "../config/config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** @returns the arguments without --lang, unless it names no language. */
export function chosenLanguage(args: readonly string[], env: Env, cwd: string) {
  const at = args.findIndex((arg) => /^--lang(?:=|$)/.test(arg));
  const [name, length] = args[at] === "--lang" ? [args[at + 1], 2] : [args[at]?.slice("--lang=".length), 1];
  const asked = LANGUAGES.find((language) => language === name);
  const rest = asked === undefined ? args : args.toSpliced(at, length);
  // Programs read that.
  const isJson = args.includes("--json");
  return { language: isJson ? "en" : (asked ?? languageOfLocale(env) ?? languageOfProject(cwd)), rest };
}

/** Null: it names none. The order is that of POSIX. */
function languageOfLocale({ LC_ALL, LC_MESSAGES, LANG }: Env): Language | null {
  const locale = LC_ALL || LC_MESSAGES || LANG || "C";
  if (/^(?:C|POSIX)\b/.test(locale)) return null;
  return locale.startsWith("zh") ? "zh" : "en";
}

/** By its text: a file with faults has a language, too. */
function languageOfProject(directory: string): Language {
  const files = ["ts", "json"].map((end) => join(directory, `gatepulse.config.${end}`)).filter(existsSync);
  const isChinese = /^(?!\s*(?:\/\/|\*)).*\blanguage["']?\s*:\s*["']zh["']/m;
  return files.some((file) => isChinese.test(readFileSync(file, "utf8"))) ? "zh" : "en";
}
