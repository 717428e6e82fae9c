/** Each page for somebody who has keys and no pointer. */
import { expect, test } from "vitest";
import { browsing, describePages } from "./support/browsing.ts";
import { backwards, placeOfFocus, unmarked, unreached, walk } from "./support/keys.ts";
import type { Visit } from "./support/visit.ts";

const WIDE = { width: 1440 };

/** What was found to be marked on one page is so on all, in a scheme. */
const MARKED = { light: new Set<string>(), dark: new Set<string>() };

describePages(browsing(), (at) => {
  test.each([320, 1440])("Tab goes everywhere, in the order in which it is seen, at %i px", async (width) => {
    const page = await at.visit.look({ width });
    const stops = await walk(page);
    expect(await unreached(page, stops)).toEqual([]);
    expect(backwards(stops)).toEqual([]);
  });

  test.each(["light", "dark"] as const)("what has the focus is marked, in %s", async (scheme) => {
    expect(await unmarked(await at.visit.show({ ...WIDE, scheme }), MARKED[scheme])).toEqual([]);
  });

  // Before the private view there is nowhere to go.
  if (at.page.isBare !== true)
    test("the first stop leads past the head of the page", () => skipsHead(at.visit));

  test("Enter opens and closes what is folded", async () => {
    const page = await at.visit.show(WIDE);
    const folded = page.locator("details");
    const isOpen = (index: number) => folded.nth(index).evaluate((details) => details.hasAttribute("open"));
    for (let index = 0; index < (await folded.count()); index += 1) {
      const wasOpen = await isOpen(index);
      await folded.nth(index).locator("summary").focus();
      await page.keyboard.press("Enter");
      expect(await isOpen(index)).toBe(!wasOpen);
      await page.keyboard.press("Enter");
      expect(await isOpen(index)).toBe(wasOpen);
    }
  });
});

async function skipsHead(visit: Visit): Promise<void> {
  const page = await visit.look(WIDE);
  await page.keyboard.press("Tab");
  const skip = page.locator(":focus");
  expect(await skip.getAttribute("href")).toBe("#main");
  expect((await skip.boundingBox())?.height).toBeGreaterThan(10);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(["main", "footer"]).toContain(await placeOfFocus(page));
}
