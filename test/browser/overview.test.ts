/** The overview as it is used: what fits on a screen, the values of its charts, and its filter and groups. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoChromium, visiting } from "./support/visit.ts";

const visited = visiting();

const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents();
const valueOn = async (page: Page) => (await page.locator(".tip").textContent())?.replaceAll("\u00a0", " ");

test.skipIf(hasNoChromium).each([
  { width: 1280, mostRow: 56, mostHeight: 1100 },
  { width: 390, mostRow: 96, mostHeight: 2200 },
])("nine monitors, seven of them in trouble, fit at $width px", async ({ width, mostRow, mostHeight }) => {
  const visit = await visited("overview-troubled");
  const page = await visit.show({ width });
  const rows = await page
    .locator(".rows tbody tr")
    .evaluateAll((all) =>
      all.map((row) => row.getBoundingClientRect()).map(({ height, bottom }) => [height, bottom] as const),
    );
  expect(rows).toHaveLength(9);
  expect(Math.max(...rows.map(([height]) => height))).toBeLessThanOrEqual(mostRow);
  expect(Math.max(...rows.map(([, bottom]) => bottom))).toBeLessThanOrEqual(mostHeight);
});

describe.skipIf(hasNoChromium)("the values of charts", () => {
  test("are shown to a mouse and to a finger, and go when it leaves", async () => {
    const { page, complaints } = await visited("overview-troubled");
    const bars = page.locator(".days [data-from]").first();
    await bars.scrollIntoViewIfNeeded();
    const box = await bars.boundingBox();
    if (box === null) throw new Error("no bars");
    const at = { clientX: box.x + box.width - 1, clientY: box.y + 3 };
    await page.mouse.move(at.clientX, at.clientY);
    expect(await valueOn(page)).toMatch(/^Nov 20: Down, \d+(?:\.\d+)?%$/u);
    await page.mouse.move(2, 2);
    expect(await valueOn(page)).toBe("");
    await bars.dispatchEvent("pointerdown", { ...at, pointerType: "touch", bubbles: true });
    expect(await valueOn(page)).toMatch(/^Nov 20: Down/u);
    expect(complaints).toEqual([]);
  });

  test("are shown by keys: one stop for all charts, arrows within them", async () => {
    const { page } = await visited("overview");
    const bars = page.locator("[data-from]");
    expect(
      await bars.evaluateAll((all) => all.filter((one) => one.getAttribute("tabindex") === "0").length),
    ).toBe(1);
    await bars.first().focus();
    expect(await valueOn(page)).toBe("Nov 20: Up");
    await page.keyboard.press("Home");
    expect(await valueOn(page)).toBe("Aug 23: no data");
    await page.keyboard.press("ArrowLeft");
    expect(await valueOn(page)).toBe("Aug 23: no data");
    await page.keyboard.press("ArrowDown");
    // The last half hour, in the reader's time.
    expect(await valueOn(page)).toMatch(/^13:00: \d+ ms$/u);
    await page.keyboard.press("ArrowLeft");
    expect(await valueOn(page)).toMatch(/^12:30: \d+ ms$/u);
    await page.keyboard.press("Escape");
    expect(await valueOn(page)).toBe("");
  });

  test("of both lines are shown on the gateway's page", async () => {
    const { page } = await visited("gateway");
    await page.locator(".plot [data-from]").first().focus();
    expect(await valueOn(page)).toMatch(/^13:00: p50 \d+ ms, p95 \d+ ms$/u);
  });
});

describe.skipIf(hasNoChromium)("the filter", () => {
  test("answers while one types, and keeps the focus", async () => {
    const { page, complaints } = await visited("overview-filtered");
    expect(await textsOf(page, "tbody a b")).toEqual(["Brook", "Grove"]);
    const found = page.locator("form").getByRole("status");
    expect(await found.textContent()).toBe("2 of 9 monitors");
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    await page.getByRole("searchbox").fill("gro");
    await page.clock.runFor(200);
    await expect.poll(() => textsOf(page, "tbody a b")).toEqual(["Grove"]);
    expect(await found.textContent()).toBe("1 of 9 monitors");
    expect(new URL(page.url()).search).toBe("?name=gro&state=down&turn=");
    expect(await page.evaluate(() => [document.activeElement?.localName, "isSame" in globalThis])).toEqual([
      "input",
      true,
    ]);
    expect(complaints).toEqual([]);
  });

  test("works without scripts, and leads the reader on a phone to what it found", async () => {
    const visit = await visited("overview-filtered", { javaScript: false });
    const page = await visit.show({ width: 390 });
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("State").selectOption("blocked");
    await page.getByRole("button").click();
    await expect.poll(() => textsOf(page, "tbody a b")).toEqual(["Cedar"]);
    expect(await page.locator("output").textContent()).toBe("1 of 9 monitors");
    const { height = 0 } = page.viewportSize() ?? {};
    for (const found of ["output", "tbody a"]) {
      const box = await page.locator(found).boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeLessThan(height);
    }
  });
});

test.skipIf(hasNoChromium)("a group stays as the reader folded it when the page is renewed", async () => {
  const { page } = await visited("overview-groups");
  const groups = page.locator(".group");
  const isOpen = () => groups.evaluateAll((all) => all.map((one) => one.hasAttribute("open")));
  expect(await isOpen()).toEqual([true, true, true]);
  await groups.last().locator("summary").click();
  const renewed = page.waitForResponse((answer) => answer.url() === page.url());
  await page.clock.runFor(30_000);
  await (await renewed).finished();
  await expect.poll(isOpen).toEqual([true, true, false]);
});
