/** Pages under what readers and their devices ask for: forced colours, larger text, paper, no scripts. */
import { afterAll, describe, expect, test } from "vitest";
import {
  browsing,
  describePages,
  everyThird,
  hasNoChromium,
  targetOf,
  visiting,
} from "./support/browsing.ts";
import { clipped, folded, invisible, overflowing, wordsOf } from "./support/judging.ts";
import type { Visit } from "./support/visit.ts";

const browse = browsing();
const WIDE = { width: 1440 };
/** A4 without its margins, in CSS pixels. */
const PAPER = { width: 718, height: 1047, print: true };

/** What was seen on one page is seen on all. */
const SEEN = new Set<string>();

let plain: Visit | null = null;
afterAll(() => plain?.close());

describePages(browse, everyThird(1), (at) => {
  test("in forced colours every drawing is seen", async () => {
    expect(await invisible(await at.visit.show({ ...WIDE, forcedColors: true }), SEEN)).toEqual([]);
    expect(at.visit.complaints).toEqual([]);
  });

  test("fits on paper, and hides nothing there", async () => {
    const page = await at.visit.show(PAPER);
    expect(await overflowing(page)).toEqual([]);
    expect(await clipped(page)).toEqual([]);
    expect(await folded(page)).toEqual([]);
  });

  test("fits in 640 px with text twice as large, and hides none of it", async () => {
    const page = await at.visit.show({ width: 640 });
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await overflowing(page)).toEqual([]);
    expect(await clipped(page)).toEqual([]);
    await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
  });

  test("says the same without scripts", async () => {
    const scripted = await wordsOf(await at.visit.show(WIDE));
    const target = targetOf(at.page);
    if (plain === null) plain = await browse.visit(target, { javaScript: false });
    else await plain.go(target);
    expect(await wordsOf(await plain.show(WIDE))).toBe(scripted);
    expect(scripted).not.toBe("");
    expect(plain.complaints).toEqual([]);
  });
});

const visited = visiting();

describe.skipIf(hasNoChromium)("of a gateway", () => {
  test("lines of a chart have the colours of their legend, where colours are forced too", async () => {
    const visit = await visited("gateway-down", {});
    for (const forcedColors of [false, true]) {
      const page = await visit.show({ ...WIDE, forcedColors });
      const colourOf = (selector: string, property: string) =>
        page
          .locator(`.chart ${selector}`)
          .first()
          .evaluate((one, of) => getComputedStyle(one).getPropertyValue(of), property);
      expect(await colourOf(".mid", "stroke")).toBe(await colourOf(".key", "border-top-color"));
      expect(await colourOf(".high", "stroke")).toBe(await colourOf(".key.dashed", "border-top-color"));
    }
  });

  test.each([
    ["gateway-down", "Newest checks", "td.cause a"],
    ["gateway-regions", "Seen from", ".mark"],
  ])("what tables tell first is seen on a phone: %s, %s", async (name, table, first) => {
    const page = await (await visited(name, {})).show({ width: 320 });
    const [right, edge] = await page
      .getByLabel(table)
      .first()
      .evaluate((scroll, selector) => {
        const words = document.createRange();
        words.selectNodeContents(scroll.querySelector(selector) ?? scroll);
        return [words.getBoundingClientRect().right, scroll.getBoundingClientRect().right] as const;
      }, first);
    expect(right).toBeLessThanOrEqual(edge);
  });
});
