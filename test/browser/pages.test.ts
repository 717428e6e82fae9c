/** Each page as it is seen: in light and dark, on a phone and on a wide screen. */
import { expect, test } from "vitest";
import { PICTURES } from "./global-setup.ts";
import { browsing, describePages } from "./support/browsing.ts";
import { inaccessible, overflowing } from "./support/judging.ts";

const LOOKS = (["light", "dark"] as const).flatMap((scheme) =>
  [320, 1440].map((width) => ({ scheme, width })),
);

describePages(browsing(), (at) => {
  test.each(LOOKS)("fits, is quiet, and axe finds nothing, in $scheme at $width px", async (seen) => {
    const page = await at.visit.show(seen);
    const path = `${PICTURES}${at.page.name}-${seen.scheme}-${seen.width}.jpg`;
    await page.screenshot({ path, fullPage: true, caret: "initial", type: "jpeg", quality: 60 });
    expect(at.visit.complaints).toEqual([]);
    expect(await overflowing(page)).toEqual([]);
    expect(await inaccessible(page)).toEqual([]);
  });

  test("fits in 320 px with all that is folded laid open, and axe finds nothing in it", async () => {
    const page = await at.visit.show({ width: 320 });
    await page
      .locator("details")
      .evaluateAll((all) => all.forEach((details) => details.setAttribute("open", "")));
    expect(await overflowing(page)).toEqual([]);
    expect(await inaccessible(page)).toEqual([]);
  });
});
