/** What is new is put into the page around what its reader is at. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoChromium } from "./support/browsing.ts";
import { answerWith, type Change, openOf, renewed, textsOf, visiting } from "./support/script-visit.ts";

const visited = visiting();

describe.skipIf(hasNoChromium)("what a reader is at stays, where", () => {
  /** How many of the rows of now are there still. */
  async function rowsOf(page: Page): Promise<() => Promise<number>> {
    const before = await page.evaluateHandle(() => [...document.querySelectorAll("tbody tr")]);
    return () => before.evaluate((all) => all.filter((row) => row.isConnected).length);
  }
  const focusOf = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
  const lastToTop: Change = (html) => {
    const parts = html.match(/<tbody id.*?<\/tbody>/gsu) ?? [];
    return html.replace(parts.join(""), () => [...parts.slice(-1), ...parts.slice(0, -1)].join(""));
  };
  const namesOf = (page: Page) => textsOf(page, "tbody a b:not(.unseen)");

  test.each(["Acme", "Hazel"])("gateways change places, with the focus in %s", async (name) => {
    const { page, complaints } = await visited("overview-troubled");
    const kept = await rowsOf(page);
    const names = await namesOf(page);
    expect(names).toHaveLength(8);
    await page.locator("tbody a", { hasText: name }).first().focus();
    await answerWith(page, lastToTop);
    await renewed(page);
    await expect.poll(() => namesOf(page)).toEqual([...names.slice(-1), ...names.slice(0, -1)]);
    expect(await kept()).toBe(9);
    expect(await focusOf(page)).toContain(name);
    expect(complaints).toEqual([]);
  });

  test("a monitor fails whose details are open and in focus", async () => {
    const { page } = await visited("gateway");
    const second = page.locator("details").nth(1);
    await second.evaluate((details) => details.setAttribute("open", ""));
    await second.locator("summary").focus();
    await answerWith(page, (html) =>
      html.replaceAll('<figure class="days">', '<div class="verdict"><p>It failed.</p></div>$&'),
    );
    await renewed(page);
    await expect.poll(() => textsOf(page, ".verdict")).toEqual(["It failed.", "It failed."]);
    expect(await openOf(page)).toEqual([false, true, false, false]);
    expect(await focusOf(page)).toBe("The 24 hours as a table");
  });

  test("what has the focus is gone: until the focus is", async () => {
    const { page } = await visited("gateway-down");
    const link = page.locator(".verdict .links a").first();
    await link.focus();
    await answerWith(page, (html) => html.replace(/<div class="verdict">.*?<\/div>/su, ""));
    await renewed(page);
    await renewed(page);
    expect(await focusOf(page)).toMatch(/^The incident/u);
    await link.blur();
    await renewed(page);
    await expect.poll(() => page.locator(".verdict").count()).toBe(0);
  });
});
