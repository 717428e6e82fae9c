/** An administrator with a phone at night: a log-in, and an incident that gets acknowledged. */
import { describe, expect, test } from "vitest";
import { hasNoChromium, visiting } from "./support/browsing.ts";
import { inaccessible, overflowing } from "./support/judging.ts";
import { ADMIN_TOKEN } from "./support/states.ts";

const visited = visiting();
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
