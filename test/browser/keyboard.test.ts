/** Pages for somebody who has keys and no pointer. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isFull, spread } from "../extent.ts";
import { browsing, describePages, everyThird } from "./support/browsing.ts";
import { backwards, placeOfFocus, type Stop, unmarked, unreached, walk } from "./support/keys.ts";

const WIDE = { width: 1440 };
const WIDTHS = [320, 1440] as const;
const SCHEMES = ["light", "dark"] as const;

/** What was found to be marked on one page is so on all, in a scheme. */
const MARKED = { light: new Set<string>(), dark: new Set<string>() };

describePages(browsing(), everyThird(0), (at) => {
  const widths = WIDTHS.filter((_, index) => isFull || index === at.index % WIDTHS.length);

  test.each(widths)(
    "Tab goes everywhere, in the order in which it is seen, first past the head, at %i px",
    async (width) => {
      const page = await at.visit.look({ width });
      const stops = await walk(page);
      expect(await unreached(page, stops)).toEqual([]);
      expect(backwards(stops)).toEqual([]);
      // Before the private view there is nowhere to go.
      if (at.page.isBare !== true) await skipsHead(page, stops[0]);
    },
  );

  const schemes = SCHEMES.filter((_, index) => isFull || index === at.index % SCHEMES.length);
  test.each(schemes)("what has the focus is marked, in %s", async (scheme) => {
    expect(await unmarked(await at.visit.show({ ...WIDE, scheme }), MARKED[scheme])).toEqual([]);
  });

  test("Enter opens and closes what is folded", async () => {
    const page = await at.visit.show(WIDE);
    const folded = page.locator("details");
    const isOpen = (index: number) => folded.nth(index).evaluate((details) => details.hasAttribute("open"));
    for (const index of spread([...Array(await folded.count()).keys()], 2)) {
      const wasOpen = await isOpen(index);
      await folded.nth(index).locator("summary").focus();
      await page.keyboard.press("Enter");
      expect(await isOpen(index)).toBe(!wasOpen);
      await page.keyboard.press("Enter");
      expect(await isOpen(index)).toBe(wasOpen);
    }
  });
});

async function skipsHead(page: Page, first: Stop | undefined): Promise<void> {
  const { html = "", top = 0, bottom = 0 } = first ?? {};
  expect(html).toContain('href="#main"');
  expect(bottom - top).toBeGreaterThan(10);
  await page.locator("a[href='#main']").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(["main", "footer"]).toContain(await placeOfFocus(page));
}
