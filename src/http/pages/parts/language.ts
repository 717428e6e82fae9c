/**
 * The language of a piece of text, as far as its script tells: names and messages may be Chinese on an English page, or
 * English on a Chinese one, and would be read out wrongly. Pure.
 */
import type { Messages } from "../i18n/messages.ts";

/** Undefined: that of the page, or unknown. Hence fit to be an attribute's value. */
export function languageOf(text: string, { tag }: Pick<Messages, "tag">): "en" | "zh" | undefined {
  const isPageChinese = tag.startsWith("zh");
  if (isChinese(text)) return isPageChinese ? undefined : "zh";
  // Latin letters alone tell no language: where they are not the page's own, they are English more often than not.
  return isPageChinese && /\p{Script=Latin}/u.test(text) ? "en" : undefined;
}

/** A Chinese word has two characters on the average. Japanese has kana besides. */
function isChinese(text: string): boolean {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (characters === 0 || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return false;
  return characters > 2 * (text.match(/\p{Script=Latin}+/gu)?.length ?? 0);
}
