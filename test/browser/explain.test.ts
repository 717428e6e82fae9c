/** The form of `/explain` as people use it: with keys, with and without scripts. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoChromium, visiting } from "./support/browsing.ts";

const visited = visiting();

const PASTED = `HTTP/1.1 402 Payment Required
x-request-id: req_77

{"error":{"message":"balance is not enough","code":"insufficient_balance"}}`;
const SAVED = '{"status":402,"body":"{\\"error\\":{\\"code\\":\\"insufficient_balance\\"}}"}';

/** Does it, and waits for the page that answers. */
async function answered(page: Page, act: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent("load");
  await act();
  await loaded;
}
const send = (page: Page) =>
  answered(page, () => page.getByRole("button", { name: "Explain", exact: true }).click());

/** The page as it is first, at a width. */
const shown = async (width: number) => (await visited("explain", {})).show({ width });

describe.skipIf(hasNoChromium)("the form", () => {
  test.each([true, false])("is filled and sent with keys alone (scripts: %s)", async (javaScript) => {
    const visit = await visited("explain", { javaScript });
    const page = await visit.show({ width: 1440 });
    await page.getByLabel("The answer", { exact: true }).focus();
    await page.keyboard.insertText(SAVED);
    await page.keyboard.press("Tab");
    await page.keyboard.type("A chat");
    await page.keyboard.press("Tab");
    await answered(page, () => page.keyboard.press("Enter"));
    expect(await page.getByRole("status").innerText()).toContain("The balance is used up");
    expect(await page.getByRole("combobox").inputValue()).toBe("chat");
    expect(await page.getByRole("textbox").inputValue()).toBe(SAVED);
    expect(visit.complaints).toEqual([]);
  });

  test("leads its reader to the verdict, and the next key to what stands there", async () => {
    const page = await shown(320);
    await page.getByRole("textbox").fill(SAVED);
    await send(page);
    expect(await page.locator(":focus").innerText()).toBe("What it means");
    const box = await page.locator("#result").boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(900);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").getAttribute("href")).toBe("/causes#insufficient_balance");
  });

  test.each([true, false])("has examples that one click explains (scripts: %s)", async (javaScript) => {
    const { page, complaints } = await visited("explain", { javaScript });
    await answered(page, () => page.getByRole("button", { name: "Rate limit" }).click());
    expect(await page.getByRole("status").innerText()).toContain("Too many requests");
    expect(await page.getByRole("textbox").inputValue()).toMatch(/^HTTP\/2 429\n/u);
    expect(complaints).toEqual([]);
  });

  test("is sent again as it is shown, and has the same lines then", async () => {
    const page = await shown(1440);
    await page.getByRole("textbox").fill(PASTED);
    for (let time = 0; time < 2; time += 1) {
      await send(page);
      expect(await page.getByRole("textbox").inputValue()).toBe(PASTED);
    }
  });
});
