/**
 * In which language an answer is: the one that its address asks for, else the one that the client likes best, else the
 * configured one.
 */
import { type Language, LANGUAGES } from "../config/config.ts";
import type { SharedTail } from "../history/merge.ts";
import { preferredLanguage } from "./negotiate.ts";
import type { Reader } from "./pages/reader.ts";
import { CATALOGUES } from "./pages/words/languages.ts";

/** What is known of the configuration; null: nothing. */
type Known = Pick<SharedTail, "language"> | null;

export function readerOf(request: Request, known: Known): Reader {
  return choose(request.url, request.headers.get("accept-language"), known);
}

/** Programs fetch feeds: what their makers speak says nothing of the reader. */
export function feedReaderOf({ url }: Request, known: Known): Reader {
  return choose(url, null, known);
}

function choose(url: string, accepted: string | null, known: Known): Reader {
  const usual = languageOf(known?.language) ?? "en";
  // One that there is none of is not asked for.
  const asked = languageOf(new URL(url).searchParams.get("lang"));
  const offers = [usual, ...LANGUAGES.filter((language) => language !== usual)];
  const language = asked ?? preferredLanguage(accepted, offers) ?? usual;
  return { language, words: CATALOGUES[language], isUsual: language === usual, isAsked: asked !== null };
}

function languageOf(text: string | null | undefined): Language | null {
  return LANGUAGES.find((language) => language === text) ?? null;
}
