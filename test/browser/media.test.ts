/** Pages under what readers and their devices ask for: forced colours, larger text, paper. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { describePages, everyThird, hasNoChromium, visiting } from "./support/visit.ts";
import { clipped, folded, invisible, overflowing } from "./support/judging.ts";

const WIDE = { width: 1440 };
/** A4 without its margins, in CSS pixels. */
const PAPER = { width: 718, height: 1047, print: true };

/** What was seen on one page is seen on all. */
const SEEN = new Set<string>();

describePages(everyThird(1), (at) => {
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
});

const visited = visiting();

describe.skipIf(hasNoChromium)("what stands on no ground of its own", () => {
  test("has edges in forced colours: values of charts, the chart itself, the line of a story", async () => {
    const overview = await (await visited("overview", {})).show({ ...WIDE, forcedColors: true });
    await overview.locator("[data-from]").first().focus();
    const edgeOf = (page: Page, selector: string, pseudo?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one, part) => {
          const { borderLeftColor, borderLeftWidth } = getComputedStyle(one, part);
          return [borderLeftWidth, borderLeftColor === getComputedStyle(document.body).color];
        }, pseudo);
    expect(await edgeOf(overview, ".tip")).toEqual(["1px", true]);
    const gateway = await (await visited("gateway", {})).show({ ...WIDE, forcedColors: true });
    expect(await edgeOf(gateway, ".plot > svg")).toEqual(["1px", true]);
    const incident = await (await visited("incident-notes", {})).show({ ...WIDE, forcedColors: true });
    expect(await edgeOf(incident, ".story li", "::before")).toEqual(["1px", true]);
  });
});

test.skipIf(hasNoChromium)("on paper ages count from an instant that is printed", async () => {
  const page = await (await visited("overview", {})).show(PAPER);
  const fresh = page.locator(".fresh time");
  const title = await fresh.getAttribute("title");
  expect(title).toMatch(/^2030-11-20 \d\d:\d\d:\d\d CET$/u);
  expect(await fresh.evaluate((time) => getComputedStyle(time, "::after").content)).toBe(`" (${title})"`);
});

test.skipIf(hasNoChromium)("keys alone show the exact times beside ages, and hide them again", async () => {
  const page = await (await visited("overview", {})).show(WIDE);
  const age = page.locator("time[data-age]").first();
  const title = await age.getAttribute("title");
  const shown = () => age.evaluate((time) => getComputedStyle(time, "::after").content);
  const choice = page.getByLabel("Show exact times");
  await choice.press("Space");
  expect([title, await shown()]).toEqual([expect.stringMatching(/^2030-/u), `" (${title})"`]);
  await choice.press("Space");
  expect(await shown()).toBe("none");
});

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
    ["gateway-down", "Latest checks", "td.cause a"],
    ["gateway-regions", "Seen from", ".mark"],
  ])("what a table shows first is seen on a phone: %s, %s", async (name, table, first) => {
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
