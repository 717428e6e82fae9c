/**
 * The language of a piece of text, as far as its script tells: names and messages may be Chinese on an English page, or
 * English on a Chinese one, and would be read out wrongly. Pure.
 */

import type { Messages } from "./i18n/messages.ts";

/** A quick look first: nearly all texts have none of these. */
const EAST_ASIAN =
  /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/u;

/** A Chinese word has two characters on the average. */
const CHARACTERS_A_WORD = 2;

/** Undefined: that of the page, or unknown. Hence fit to be an attribute's value. */
export function languageOf(
  text: string,
  { tag }: Pick<Messages, "tag">,
): "en" | "zh" | "ja" | "ko" | undefined {
  const own = tag.slice(0, 2);
  const found = EAST_ASIAN.test(text) ? ofEastAsian(text) : null;
  // Latin letters alone tell no language: where they are not the page's own, they are English more often than not.
  const language =
    found ?? (/^(?:zh|ja|ko)$/u.test(own) && /\p{Script=Latin}/u.test(text) ? "en" : undefined);
  return language === own ? undefined : language;
}

/** Null: most of it is in another script. */
function ofEastAsian(text: string): "zh" | "ja" | "ko" | null {
  const han = count(text, /\p{Script=Han}/gu);
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(text, /\p{Script=Hangul}/gu);
  const otherWords = count(
    text,
    /[[\p{L}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]+/gv,
  );
  if (han + kana + hangul <= otherWords * CHARACTERS_A_WORD) return null;
  if (hangul > han + kana) return "ko";
  return kana > 0 ? "ja" : "zh";
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
