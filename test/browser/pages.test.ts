/** Each page in light and dark, on a phone and a wide screen, with axe. By default each has one look. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isFull } from "../extent.ts";
import { PAGES, PICTURES } from "./pages.ts";
import { describePages, everyThird } from "./support/visit.ts";
import { inaccessible, overflowing } from "./support/judging.ts";

const WIDTHS = [320, 1440] as const;

/** Pages of one kind stand side by side: their looks differ as much as they can. */
const LOOKS = [
  { scheme: "light", width: 320 },
  { scheme: "dark", width: 1440 },
  { scheme: "light", width: 1440 },
  { scheme: "dark", width: 320 },
] as const;

const ACCESSIBLE = new Set(everyThird(2));

describePages(PAGES, (at) => {
  const looks = LOOKS.filter((_, index) => isFull || index === at.index % LOOKS.length);

  test.each(looks)("fits and is quiet, in $scheme at $width px", async (seen) => {
    const page = await at.visit.show(seen);
    const picture = `${PICTURES}${at.page.name}-${seen.scheme}-${seen.width}.jpg`;
    await page.screenshot({ path: picture, fullPage: true, caret: "initial", type: "jpeg", quality: 60 });
    expect(at.visit.complaints).toEqual([]);
    expect(await overflowing(page)).toEqual([]);
    if (isFull) expect(await inaccessible(page)).toEqual([]);
  });

  if (ACCESSIBLE.has(at.page))
    test.each(looks)(
      "has nothing that axe finds, with all that is folded laid open, in $scheme at $width px",
      async (seen) => {
        const page = await at.visit.show(seen);
        await unfold(page);
        expect(await inaccessible(page)).toEqual([]);
      },
    );

  test("fits on a phone and on a wide screen, with all that is folded laid open", async () => {
    for (const width of WIDTHS) {
      const page = await at.visit.show({ width });
      await unfold(page);
      expect([width, await overflowing(page)]).toEqual([width, []]);
    }
  });
});

async function unfold(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => all.forEach((one) => one.toggleAttribute("open", true)));
}
