/** Pages for someone who has keys and no pointer. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isFull } from "../extent.ts";
import { describePages, everyThird } from "./support/visit.ts";

const WIDTHS = [320, 1440] as const;

describePages(everyThird(0), (at) => {
  const widths = WIDTHS.filter((_, index) => isFull || index === at.index % WIDTHS.length);

  test.each(widths)(
    "Tab goes everywhere, in the order in which it is seen, first past the head, at %i px",
    async (width) => {
      const page = await at.visit.look({ width });
      const stops = await walk(page);
      expect(await unreached(page, stops)).toEqual([]);
      expect(backwards(stops)).toEqual([]);
      await skipsHead(page, stops[0]);
    },
  );
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

interface Stop {
  readonly html: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What keys must reach, in the order of the document. */
const OPERABLE = "a[href], button:enabled, summary, input, select, textarea, [tabindex='0']";

/** Walks by Tab from the start of the page until it has been everywhere that it can. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const expected = await page.locator(OPERABLE).count();
  await page.evaluate(watchFocus);
  // One more shows that nothing comes after the last.
  for (let presses = 0; presses <= expected; presses += 1) await page.keyboard.press("Tab");
  const stops = await page.evaluate(() => (globalThis as unknown as { stops: Stop[] }).stops);
  const firstAgain = stops.findIndex(({ html }, index) => index > 0 && html === stops[0]?.html);
  return firstAgain === -1 ? stops : stops.slice(0, firstAgain);
}

function watchFocus(): void {
  const stops: Stop[] = [];
  Object.assign(globalThis, { stops });
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    const [first] = target.getClientRects();
    const { left = 0, right = 0, top = 0, bottom = 0 } = first ?? {};
    stops.push({
      html: target.outerHTML.slice(0, 160),
      left,
      right,
      top: top + scrollY,
      bottom: bottom + scrollY,
    });
  });
}

/** What keys should have reached and did not. */
async function unreached(page: Page, stops: readonly Stop[]): Promise<readonly string[]> {
  const expected = await page
    .locator(OPERABLE)
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => element.outerHTML.slice(0, 160)),
    );
  const reached = stops.map(({ html }) => html);
  const missing = expected.filter((html) => !reached.includes(html));
  const inOrder = reached.filter((html) => expected.includes(html));
  const isInOrder = inOrder.every((html, index) => index === 0 || html === expected[index]);
  return [...missing, ...(missing.length === 0 && !isInOrder ? ["not in the document's order"] : [])];
}

/** Steps that go up, or back in a line, and not on to another column. */
function backwards(stops: readonly Stop[]): readonly string[] {
  return stops.flatMap((stop, index) => {
    const before = stops[index - 1];
    if (before === undefined) return [];
    const isUp = stop.bottom <= before.top && stop.left < before.right;
    const isBack = stop.bottom > before.top && stop.top < before.bottom && stop.right <= before.left;
    return isUp || isBack ? [`${before.html} → ${stop.html}`] : [];
  });
}

/** In which part of the page the focus is. */
async function placeOfFocus(page: Page): Promise<string> {
  return page.evaluate(
    () => document.activeElement?.closest("header, main, footer")?.tagName.toLowerCase() ?? "nowhere",
  );
}
