/** What every file of browser tests begins with. */
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { addressOf, PAGES, type PageUnderTest } from "../pages.ts";
import { type Manner, type Target, visit, type Visit } from "./visit.ts";

const opened = inject("opened");

/** Tests with it are skipped. */
export const hasNoChromium = opened === null;

export interface Browsing {
  /** Whoever visits closes the visit. */
  visit(target: Target, manner?: Manner): Promise<Visit>;
}

/** Call it at the top of the file: it connects to the chromium of the run by vitest's hooks. */
export function browsing(): Browsing {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = opened && (await chromium.connect(opened.chromium));
  });
  afterAll(() => browser?.close());
  return {
    visit: async (target, manner) => {
      if (browser === null) throw new Error("no chromium is open");
      return visit(browser, target, manner);
    },
  };
}

/** The page's address on the site that is in its state. */
export function targetOf(page: PageUnderTest): Target {
  if (opened === null) throw new Error("no site is open");
  const site = opened.sites[page.state];
  return { ...page, address: addressOf(page, site), nowMs: site.nowMs };
}

/** Facts of each page; it is loaded once for all of them. A file's pages share one visit. */
export function describePages(
  browse: Browsing,
  facts: (at: { readonly visit: Visit; readonly page: PageUnderTest }) => void,
): void {
  let open: Visit | null = null;
  afterAll(() => open?.close());
  describe.skipIf(hasNoChromium).each(PAGES)("$name", (page) => {
    beforeAll(async () => {
      if (open === null) open = await browse.visit(targetOf(page));
      else await open.go(targetOf(page));
    });
    facts({
      page,
      get visit() {
        if (open === null) throw new Error("nothing is open outside of tests");
        return open;
      },
    });
  });
}
