/** What the pages' script adds: times of the reader's own zone, ages that grow, and what is new without a click. */
import type { Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { NOW_MS } from "./pages.ts";
import { hasNoChromium, visiting } from "./support/visit.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

const visited = visiting();

/** What screen readers read out when it changes. */
const LIVE = "main :is([role=status], [aria-live])";

type Change = (html: string) => string;

/** From now on the page's requests for itself are answered so; null: by a server that fails. Those answered are counted. */
async function answerWith(page: Page, change: Change | null): Promise<{ readonly count: number }> {
  const answered = { count: 0 };
  const own = new WeakSet<Request>();
  await page.unrouteAll();
  // One that is still on its way when the test lets time pass is given up by the page.
  page.on("requestfinished", (request) => {
    if (own.has(request)) answered.count += 1;
  });
  await page.route(page.url(), async (route) => {
    const request = route.request();
    if (request.isNavigationRequest()) return route.continue();
    own.add(request);
    if (change === null) return route.fulfill({ status: 503, body: "no" });
    const response = await route.fetch();
    return route.fulfill({ response, body: change(await response.text()) });
  });
  return answered;
}

/** Lets half a minute pass, and what it brought arrive. */
async function renewed(page: Page): Promise<void> {
  const arrived = page.waitForResponse((response) => response.url() === page.url());
  await page.clock.runFor(30 * SECOND_MS);
  await (await arrived).finished();
  await page.evaluate(() => new Promise((done) => queueMicrotask(() => done(null))));
}

const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents();

/** Which of what can be folded is open, in order. */
const openOf = (page: Page) =>
  page.locator("details").evaluateAll((all) => all.map((details) => details.hasAttribute("open")));

/** From now on: the elements within it that are changed. */
async function changesIn(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const seen = await page.locator(selector).evaluateHandle((element) => {
    const names: string[] = [];
    const nameOf = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.nodeName ?? "";
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    new MutationObserver((changes) => names.push(...changes.map(nameOf))).observe(element, all);
    return names;
  });
  return () => seen.jsonValue();
}

describe.skipIf(hasNoChromium)("times", () => {
  test("are the reader's, each with the site's own words beside it", async () => {
    const timeZone = "America/New_York";
    const incident = await visited("incident-notes", { timeZone });
    const shown = await incident.page
      .locator("time:not([data-hour], [data-age], [data-ago])")
      .evaluateAll((times) =>
        (times as HTMLTimeElement[]).map(({ dateTime, textContent, title }) => [
          dateTime,
          textContent,
          title,
        ]),
      );
    expect(shown).toHaveLength(1);
    for (const [dateTime = "", told = "", title = ""] of shown) {
      const seconds = Math.floor(Date.parse(dateTime) / 1000);
      expect(Date.parse(told.replace(" GMT-5", "-05:00"))).toBe(seconds * 1000);
      expect(Date.parse(title.replace(" GMT+8", "+08:00"))).toBe(seconds * 1000);
    }
    const { page, complaints } = await visited("gateway-flapping", { timeZone });
    expect(await textsOf(page, ".hours time")).toEqual(["07:30", "13:30", "19:30", "01:30"]);
    const titleOf = async (selector: string) => page.locator(selector).first().getAttribute("title");
    expect(await titleOf(".fresh time")).toMatch(/^2030-11-20 07:00:\d\d GMT-5$/u);
    expect(await titleOf(".hours time")).toBe("20:30 Asia/Shanghai");
    expect(await titleOf("td time[data-age]")).toMatch(/^2030-11-20 \d\d:\d\d:\d\d GMT-5$/u);
    expect(await textsOf(page, "[data-local]")).toEqual([
      "Times are in your time zone; days are in Asia/Shanghai.",
    ]);
    expect(complaints).toEqual([]);
  });

  test("are left as they are for a reader in the site's own zone", async () => {
    const { page } = await visited("gateway-flapping", { timeZone: "Asia/Shanghai" });
    expect(await page.locator(".fresh time").getAttribute("title")).toMatch(
      /^2030-11-20 20:00:\d\d GMT\+8$/u,
    );
    expect(await textsOf(page, "[data-local]")).toEqual(["Times and days are in Asia/Shanghai."]);
    const incident = await visited("incident-notes", { timeZone: "Asia/Shanghai" });
    const exact = incident.page.locator("time:not([data-hour], [data-age], [data-ago])");
    expect(await exact.evaluateAll((all) => all.map((time) => time.getAttribute("title")))).toEqual([null]);
  });

  test("ages grow each second, in the language of the page", async () => {
    const { page } = await visited("overview");
    const age = page.locator("[data-ago]");
    expect(await age.textContent()).toBe("0 seconds ago");
    await page.clock.runFor(20 * SECOND_MS);
    expect(await age.textContent()).toBe("20 seconds ago");
    const chinese = await visited("overview-chinese");
    expect(await chinese.page.locator("[data-ago]").textContent()).toBe("0秒钟前");
  });
});

describe.skipIf(hasNoChromium)("every half minute", () => {
  const anew: Change = (html) =>
    html
      .replace("<bdi>Acme</bdi><span", "<bdi>Acme anew</bdi><span")
      .replace("<title>Acme: Up", "<title>Acme: Down")
      .replace(/(rel="icon" href=")[^"]+/u, "$1data:image/svg+xml,new");

  test("what is new is shown, in the tab too, and what was opened stays open", async () => {
    const { page, complaints } = await visited("gateway");
    await answerWith(page, anew);
    const second = page.locator("details").nth(1);
    await second.evaluate((details) => details.setAttribute("open", ""));
    await renewed(page);
    await expect.poll(() => textsOf(page, "h1")).toEqual(["Acme anew: Up"]);
    expect(await page.title()).toBe("Acme: Down · Model gateways");
    expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("data:image/svg+xml,new");
    expect(await openOf(page)).toEqual([false, true, false, false]);
    const fresh = page.locator(".fresh time");
    const agoMs = await fresh.evaluate((time: HTMLTimeElement) => Date.now() - Date.parse(time.dateTime));
    expect(await fresh.textContent()).toBe(`${Math.round(agoMs / SECOND_MS)} seconds ago`);
    expect(await page.locator(".fresh time").getAttribute("title")).toMatch(/ CET$/u);
    expect(complaints).toEqual([]);
  });

  test("what is as it was is not touched", async () => {
    const { page } = await visited("gateway", { holdsTimers: true, timeZone: "America/New_York" });
    const asked = await answerWith(page, (html) => html);
    await renewed(page);
    const touched = await changesIn(page, "main");
    await renewed(page);
    await expect.poll(() => asked.count).toBe(2);
    await answerWith(page, (html) => anew(html));
    await renewed(page);
    await expect.poll(() => textsOf(page, "h1")).toEqual(["Acme anew: Up"]);
    expect(new Set(await touched())).toEqual(new Set(["BDI", "TIME"]));
  });

  test("what was opened is shut where another monitor takes its place", async () => {
    const { page } = await visited("gateway");
    await answerWith(page, (html) => html.replaceAll('"monitor-acme/', '"monitor-acme/other-'));
    const folded = page.locator("details");
    await folded.first().evaluate((details) => details.setAttribute("open", ""));
    await renewed(page);
    await expect.poll(() => page.locator("[id^='monitor-acme/other-']").count()).toBe(2);
    expect(await folded.first().evaluate((details) => details.hasAttribute("open"))).toBe(false);
  });

  test.each(["overview-troubled", "gateway-down", "incident-notes"])(
    "ages grow without being read out: %s",
    async (name) => {
      const { page } = await visited(name);
      expect(await page.getByRole("heading", { level: 1, name: /./u }).count()).toBe(1);
      const regions = await page.locator(LIVE).count();
      const changes = await changesIn(page, ".answer [aria-live]");
      await answerWith(page, (html) => html.replaceAll(/ data-age>[^<]*/gu, " data-age>9 d"));
      await renewed(page);
      await expect
        .poll(async () => new Set(await textsOf(page, "main [data-age]")))
        .toEqual(new Set(["9 d"]));
      expect(await changes()).toEqual([]);
      expect(await page.locator(LIVE).count()).toBe(regions);
      expect(await page.locator(`:is(${LIVE}) time`).count()).toBe(0);
    },
  );

  test("how all stands is read out only where it has changed", async () => {
    const { page } = await visited("overview-troubled");
    const banner = page.locator(".answer [aria-live]");
    await banner.evaluate((status) => Object.assign(globalThis, { before: status }));
    const isSame = () => banner.evaluate((status) => status === (globalThis as { before?: unknown }).before);
    const changes = await changesIn(page, ".answer [aria-live]");
    await answerWith(page, (html) => html.replace("<h2>Recent incidents", "<h2>Incidents anew"));
    await renewed(page);
    await expect.poll(() => textsOf(page, "h2")).toContain("Incidents anew");
    expect(await isSame()).toBe(true);
    expect(await changes()).toEqual([]);
    await answerWith(page, (html) => html.replaceAll("4 of 9 monitors are down", "All is well"));
    await renewed(page);
    await expect.poll(() => textsOf(page, "h1")).toContain("All is well");
    expect(await isSame()).toBe(true);
    expect(await changes()).toEqual(["SPAN"]);
  });

  test("a page for another stylesheet is loaded whole", async () => {
    const { page } = await visited("gateway");
    await answerWith(page, (html) => html.replace(/\/assets\/\w+\.css/u, "/assets/0123456789abcdef.css"));
    const loaded = page.waitForEvent("load");
    await page.clock.runFor(30 * SECOND_MS);
    await loaded;
    expect(await textsOf(page, "h1")).toEqual(["Acme: Up"]);
  });

  test("nothing is asked for while the reader has marked words", async () => {
    const { page } = await visited("gateway");
    const asked = await answerWith(page, anew);
    await page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector("h1") ?? document.body),
    );
    await page.clock.runFor(5 * MINUTE_MS);
    expect(asked.count).toBe(0);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await renewed(page);
    expect(asked.count).toBe(1);
    await expect.poll(() => textsOf(page, "h1")).toEqual(["Acme anew: Up"]);
  });
});

describe.skipIf(hasNoChromium)("where nothing new comes", () => {
  test("the page says so as soon as the server would call it stale, and not before", async () => {
    const { page, complaints } = await visited("overview");
    const asked = await answerWith(page, null);
    const lost = page.locator("#lost");
    const limitMs = Number(await lost.getAttribute("data-limit"));
    expect(limitMs).toBe(7 * MINUTE_MS);
    for (let count = 1; count < 14; count += 1) {
      await page.clock.runFor(30 * SECOND_MS);
      await expect.poll(() => asked.count).toBe(count);
    }
    await page.clock.runFor(29 * SECOND_MS);
    expect(await lost.isVisible()).toBe(false);
    await page.clock.runFor(SECOND_MS);
    expect(await lost.isVisible()).toBe(true);
    expect(await lost.textContent()).toMatch(/^Nothing new has come for a long time/u);
    expect(complaints.filter((complaint) => !complaint.includes("503"))).toEqual([]);
  });

  test("nothing stays green, in the tab neither, until what is new comes", async () => {
    const { page, complaints } = await visited("overview");
    const tab = () =>
      page.evaluate(() => [
        document.title,
        document.querySelector("link[rel=icon]")?.getAttribute("href") ?? "",
      ]);
    const colours = () =>
      page
        .locator(".answer .mark, .rows .mark")
        .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))]);
    const dayColours = () =>
      page
        .locator(".day")
        .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).stroke))].sort());
    const [title = "", icon = ""] = await tab();
    expect(title).toBe("All 4 monitors are up · Model gateways");
    expect(await colours()).toEqual(["rgb(26, 123, 75)"]);
    const days = await dayColours();
    await answerWith(page, null);
    await page.clock.runFor(7 * MINUTE_MS);
    expect(await colours()).toEqual(["rgb(100, 105, 114)"]);
    expect(await dayColours()).toEqual(days);
    const [lostTitle = "", lostIcon = ""] = await tab();
    expect(lostTitle).toBe("Out of date · All 4 monitors are up · Model gateways");
    expect(decodeURIComponent(lostIcon)).toMatch(/^data:image\/svg\+xml,<svg [^>]*><path fill="#8b949e"/u);
    await page.clock.runFor(MINUTE_MS);
    expect(await tab()).toEqual([lostTitle, lostIcon]);
    // As old as before: it is as lost as before.
    await answerWith(page, (html) => html.replace("<h2>Recent incidents", "<h2>Incidents anew"));
    await renewed(page);
    await expect.poll(() => textsOf(page, "h2")).toContain("Incidents anew");
    expect(await tab()).toEqual([lostTitle, lostIcon]);
    expect(await colours()).toEqual(["rgb(100, 105, 114)"]);
    await answerWith(page, (html) =>
      html.replace(/data-since="[^"]+"/u, `data-since="${new Date(NOW_MS + 8 * MINUTE_MS).toISOString()}"`),
    );
    await renewed(page);
    await expect.poll(() => page.locator("#lost").isVisible()).toBe(false);
    expect(await tab()).toEqual([title, icon]);
    expect(await colours()).toEqual(["rgb(26, 123, 75)"]);
    expect(complaints.filter((complaint) => complaint.startsWith("uncaught"))).toEqual([]);
  });

  test("what others answer in the site's place is not shown", async () => {
    const { page } = await visited("overview");
    await answerWith(page, () => "<!doctype html><title>Log in</title><h1>Log in</h1>");
    await renewed(page);
    await renewed(page);
    expect(await page.title()).not.toBe("Log in");
    expect(await page.locator(".answer").count()).toBe(1);
  });
});

/** New content is put in around what the reader is using. */
describe.skipIf(hasNoChromium)("what a reader is using stays when", () => {
  /** How many of the present rows are still there later. */
  async function rowsOf(page: Page): Promise<() => Promise<number>> {
    const before = await page.evaluateHandle(() => [...document.querySelectorAll("tbody tr")]);
    return () => before.evaluate((all) => all.filter((row) => row.isConnected).length);
  }
  const focusOf = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
  const lastToTop: Change = (html) => {
    const parts = html.match(/<tbody id.*?<\/tbody>/gsu) ?? [];
    return html.replace(parts.join(""), () => [...parts.slice(-1), ...parts.slice(0, -1)].join(""));
  };
  const namesOf = (page: Page) => textsOf(page, "tbody a b:not(.unseen)");

  test.each(["Acme", "Hazel"])("gateways change places, with the focus in %s", async (name) => {
    const { page, complaints } = await visited("overview-troubled");
    const kept = await rowsOf(page);
    const names = await namesOf(page);
    expect(names).toHaveLength(8);
    await page.locator("tbody a", { hasText: name }).first().focus();
    await answerWith(page, lastToTop);
    await renewed(page);
    await expect.poll(() => namesOf(page)).toEqual([...names.slice(-1), ...names.slice(0, -1)]);
    expect(await kept()).toBe(9);
    expect(await focusOf(page)).toContain(name);
    expect(complaints).toEqual([]);
  });

  test("a monitor fails whose details are open and in focus", async () => {
    const { page } = await visited("gateway");
    const second = page.locator("details").nth(1);
    await second.evaluate((details) => details.setAttribute("open", ""));
    await second.locator("summary").focus();
    await answerWith(page, (html) =>
      html.replaceAll('<figure class="days">', '<div class="verdict"><p>It failed.</p></div>$&'),
    );
    await renewed(page);
    await expect.poll(() => textsOf(page, ".verdict")).toEqual(["It failed.", "It failed."]);
    expect(await openOf(page)).toEqual([false, true, false, false]);
    expect(await focusOf(page)).toBe("The 24 hours as a table");
  });

  test("what has the focus is gone: until the focus leaves it", async () => {
    const { page } = await visited("gateway-down");
    const link = page.locator(".verdict a").last();
    await link.focus();
    await answerWith(page, (html) => html.replace(/<div class="verdict">.*?<\/div>/su, ""));
    await renewed(page);
    await renewed(page);
    expect(await focusOf(page)).toMatch(/^Problem report/u);
    await link.blur();
    await renewed(page);
    await expect.poll(() => page.locator(".verdict").count()).toBe(0);
  });
});

describe.skipIf(hasNoChromium)("the report of an incident", () => {
  test.each(["incident-notes", "report"])("is copied with the space bar: %s", async (name) => {
    const { page, complaints } = await visited(name, {});
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const address = page.url();
    await page.getByRole("button", { name: "Copy report" }).press("Space");
    await expect.poll(() => textsOf(page, ".acts [role=status]")).toEqual(["Copied."]);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(page.url()).toBe(address);
    if (name !== "report") await page.getByRole("link", { name: "Open the report" }).click();
    expect(await textsOf(page, "pre")).toEqual([copied]);
    expect(copied).toMatch(/^# Problem report: `Brook · models`\n/u);
    expect(complaints).toEqual([]);
  });

  test("is opened instead where nothing can be copied", async () => {
    const { page } = await visited("incident-notes", {});
    await page.evaluate(() =>
      Object.defineProperty(navigator.clipboard, "write", { value: () => Promise.reject(new Error("no")) }),
    );
    await page.getByRole("button", { name: "Copy report" }).click();
    await page.waitForURL(/\/reports\//u);
    expect((await textsOf(page, "pre"))[0]).toMatch(/^# Problem report: `Brook · models`\n/u);
  });

  test("has a link and no button where scripts are off", async () => {
    const { page } = await visited("incident-notes", { javaScript: false });
    expect(await page.locator("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Open the report" }).count()).toBe(1);
  });
});
