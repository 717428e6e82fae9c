/** On a page in one language, words of another one are said to be of that (WCAG 3.1.2), for those who hear the page. */
import { describe, expect, test } from "vitest";
import { PAGES } from "./pages.ts";
import { hasNoChromium } from "./support/browsing.ts";
import { visiting } from "./support/script-visit.ts";

const visited = visiting();
const CHINESE = PAGES.filter(({ path }) => path.includes("lang=zh")).map(({ name }) => name);

/** Two words in a row: names of products and of what is written in code are no language. */
const WORDS = /[A-Za-z]{2,}[,.:;]? [a-z]{2,}/u.source;

describe.skipIf(hasNoChromium)("on a Chinese page", () => {
  test.each(CHINESE)("%s tells which words are English", async (name) => {
    const { page } = await visited(name, {});
    const untold = await page.evaluate((words) => {
      const pattern = new RegExp(words, "u");
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (texts.nextNode()) {
        const { parentElement: around, data } = texts.currentNode as Text;
        if (around === null || around.closest("code, pre, script, textarea") !== null) continue;
        const isChinese = around.closest("[lang]")?.getAttribute("lang")?.startsWith("zh") ?? false;
        if (isChinese && pattern.test(data)) found.push(data);
      }
      return found;
    }, WORDS);
    expect(untold).toEqual([]);
  });
});
