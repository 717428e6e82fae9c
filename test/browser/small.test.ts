/** What is small, and what stands beside it: on a phone, in tables, in both directions of writing. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoChromium, visitingInTurn } from "./support/browsing.ts";

const visited = visitingInTurn();
const PHONE = { width: 320 };
const onPhone = async (name: string) => (await visited(name)).show(PHONE);

/** One property of the style of each. */
const stylesOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .evaluateAll((all, of) => all.map((one) => getComputedStyle(one).getPropertyValue(of)), property);

/** One measure of the box of each. */
const boxesOf = (within: Page | Locator, selector: string, of: "left" | "right" | "width" | "height") =>
  within
    .locator(selector)
    .evaluateAll((all, measure) => all.map((one) => one.getBoundingClientRect()[measure]), of);

describe.skipIf(hasNoChromium)("on a page", () => {
  test("lines of a chart have the colours of their legend, where colours are forced too", async () => {
    const visit = await visited("gateway-down");
    for (const forcedColors of [false, true]) {
      const page = await visit.show({ width: 1440, forcedColors });
      for (const [line, key] of [
        [".mid", ".key"],
        [".high", ".key.dashed"],
      ] as const) {
        const [stroke = "no line"] = await stylesOf(page, `.chart ${line}`, "stroke");
        const [border = "no key"] = await stylesOf(page, `.chart ${key}`, "border-top-color");
        expect([line, stroke]).toEqual([line, border]);
      }
    }
  });

  test("causes of the newest checks are seen on a phone", async () => {
    const page = await onPhone("gateway-down");
    const reach = await page.locator("[aria-label='Newest checks']").evaluate((scroll) => {
      const words = document.createRange();
      words.selectNodeContents(scroll.querySelector("td.cause") ?? scroll);
      return [words.getBoundingClientRect().right, scroll.getBoundingClientRect().right] as const;
    });
    expect(reach[0]).toBeLessThanOrEqual(reach[1]);
  });

  test("marks of the axes of a chart keep apart on a phone, and leave it most of the width", async () => {
    const page = await onPhone("gateway-down");
    const plot = page.locator(".plot").first();
    const hours = await plot
      .locator(".hours > *")
      .evaluateAll((marks) =>
        marks.map((mark) => mark.getBoundingClientRect()).filter(({ width }) => width > 0),
      );
    const gaps = hours.slice(1).map((mark, index) => mark.left - (hours[index]?.right ?? mark.left));
    expect(gaps.map((gap) => gap >= 8)).toEqual([true, true]);
    const [ticks, whole] = await plot.evaluate((box) => {
      return [box.querySelector(".ticks"), box].map((part) => part?.getBoundingClientRect().width ?? 0);
    });
    expect(ticks).toBeGreaterThan(0);
    expect(ticks).toBeLessThan((whole ?? 0) / 5);
  });

  test("what each region sees is read on a phone, and an edge in the shade says that there is more beside it", async () => {
    const page = await onPhone("gateway-regions");
    const scroll = page.locator("[aria-label='Seen from']").first();
    const marks = await boxesOf(scroll, ".mark", "right");
    const [right, hidden] = await scroll.evaluate((box) => {
      return [box.getBoundingClientRect().right, box.scrollWidth - box.clientWidth] as const;
    });
    expect(hidden).toBeGreaterThan(0);
    expect(marks.length).toBeGreaterThan(1);
    for (const mark of marks) expect(mark).toBeLessThanOrEqual(right);
    const shade = await scroll.evaluate((box) => getComputedStyle(box).backgroundAttachment);
    // What covers the shade moves away with the table.
    expect(shade).toBe("local, local, scroll, scroll");
  });

  test("a name that turns its letters around leaves the dates after it in their order", async () => {
    const page = await (await visited("overview-hostile")).show({ width: 1440 });
    const row = page.locator(".box li", { hasText: "Good" });
    const lefts = await boxesOf(row, "time", "left");
    expect(lefts).toHaveLength(2);
    expect(lefts[0]).toBeLessThan(lefts[1] ?? 0);
  });
});
