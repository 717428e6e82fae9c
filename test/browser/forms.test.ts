/** Forms as people use them: `/explain` with keys, with and without scripts; an administrator with a phone at night. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoChromium, visiting } from "./support/visit.ts";
import { inaccessible, overflowing } from "./support/judging.ts";
import { ADMIN_TOKEN } from "./support/states.ts";

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

const PHONE = { width: 390, height: 844 } as const;

describe.skipIf(hasNoChromium)("at phone size", () => {
  test.each([
    [true, "Cedar"],
    [false, "Hazel"],
  ] as const)(
    "someone logs in, acknowledges an incident, and the timeline says who (scripts: %s)",
    async (javaScript, gateway) => {
      const visit = await visited("incident-notes", { javaScript });
      const page = await visit.show(PHONE);
      const isFine = async (): Promise<void> => {
        // axe is a script.
        if (!javaScript) return;
        expect(await overflowing(page)).toEqual([]);
        expect(await inaccessible(page)).toEqual([]);
      };
      await page.goto(new URL("/admin", page.url()).href);
      await isFine();
      await page.getByLabel("The administrator’s token").fill(ADMIN_TOKEN);
      await page.getByLabel("Your name").fill("Anna");
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByRole("link", { name: new RegExp(`^${gateway}.*:`, "u") }).click();
      await isFine();
      await page.getByRole("button", { name: "Acknowledge" }).click();
      await page.getByRole("heading", { name: /^Acknowledged by Anna/u }).waitFor();
      expect(await page.getByRole("button", { name: "Acknowledge" }).count()).toBe(0);
      await page.getByRole("link", { name: "Open incidents and all gateways" }).click();
      await page.getByRole("link", { name: gateway, exact: true }).click();
      await page.getByRole("button", { name: "Plan maintenance" }).waitFor();
      await isFine();
    },
  );
});
