/** What tests of the pages' script share: a visit whose timers are held, and what the page is answered when it loads itself anew. */
import type { Page, Request } from "playwright-core";
import { afterEach } from "vitest";
import { browsing, pageNamed, targetOf } from "./browsing.ts";
import { NOW_MS } from "./states.ts";
import type { Manner, Visit } from "./visit.ts";

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;

/** Call it at the top of the file; each test visits one page, or one after the other. */
export function visiting(): (name: string, manner?: Manner) => Promise<Visit> {
  const browse = browsing();
  let open: Visit | null = null;
  afterEach(async () => {
    await open?.close();
    open = null;
  });
  return async (name, manner = { holdsTimers: true }) => {
    open = await browse.visit({ ...targetOf(pageNamed(name)), nowMs: NOW_MS }, manner);
    return open;
  };
}

export type Change = (html: string) => string;

/**
 * From now on the page's own requests for itself are answered so; null: by a server that fails. Those whose answer has
 * arrived are counted.
 */
export async function answerWith(page: Page, change: Change | null): Promise<{ readonly count: number }> {
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
export async function renewed(page: Page): Promise<void> {
  const arrived = page.waitForResponse((response) => response.url() === page.url());
  await page.clock.runFor(30 * SECOND_MS);
  await (await arrived).finished();
  await page.evaluate(() => new Promise((done) => queueMicrotask(() => done(null))));
}

export const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents();

/** Which of what can be folded is open, in order. */
export const openOf = (page: Page) =>
  page.locator("details").evaluateAll((all) => all.map((details) => details.hasAttribute("open")));
