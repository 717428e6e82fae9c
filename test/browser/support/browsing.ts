/** What every file of browser tests begins with. */
import { type Browser, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, inject } from "vitest";
import { isFull } from "../../extent.ts";
import { addressOf, NOW_MS, PAGES, type PageUnderTest } from "../pages.ts";
import { type Manner, type Target, visit, type Visit } from "./visit.ts";

const opened = inject("opened");

/** Tests with it are skipped. */
export const hasNoChromium = opened === null;

/** Connects to the chromium of the run by vitest's hooks. The caller closes each visit. */
function browsing(): (target: Target, manner?: Manner) => Promise<Visit> {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = opened && (await chromium.connect(opened.chromium));
  });
  afterAll(() => browser?.close());
  return async (target, manner) => {
    if (browser === null) throw new Error("no chromium is open");
    return visit(browser, target, manner);
  };
}

/** The page's address on the site that is in its state. */
function targetOf(page: PageUnderTest): Target {
  if (opened === null) throw new Error("no site is open");
  const site = opened.sites[page.state];
  return { ...page, address: addressOf(page, site), nowMs: site.nowMs };
}

/** @throws where there is none. */
function pageNamed(name: string): PageUnderTest {
  const page = PAGES.find((one) => one.name === name);
  if (page === undefined) throw new Error(`there is no page ${name}`);
  return page;
}

/** By default every third page, in the full suite each. Pages of one kind stand side by side. */
export function everyThird(offset: 0 | 1 | 2): readonly PageUnderTest[] {
  return PAGES.filter((_, index) => isFull || index % 3 === offset);
}

/** Facts of these pages; each is loaded once for all of them. A file's pages share one visit. */
export function describePages(
  pages: readonly PageUnderTest[],
  facts: (at: { readonly visit: Visit; readonly page: PageUnderTest; readonly index: number }) => void,
): void {
  const browse = browsing();
  let open: Visit | null = null;
  afterAll(() => open?.close());
  describe.skipIf(hasNoChromium).each(pages)("$name", (page) => {
    beforeAll(async () => {
      if (open === null) open = await browse(targetOf(page));
      else await open.go(targetOf(page));
    });
    facts({
      page,
      index: PAGES.indexOf(page),
      get visit() {
        if (open === null) throw new Error("nothing is open outside of tests");
        return open;
      },
    });
  });
}

/** Call it at the top of the file; each test visits one page, or one after the other. */
export function visiting(): (name: string, manner?: Manner) => Promise<Visit> {
  const browse = browsing();
  let open: Visit | null = null;
  afterEach(async () => {
    await open?.close();
    open = null;
  });
  return async (name, manner = { holdsTimers: true }) => {
    open = await browse({ ...targetOf(pageNamed(name)), nowMs: NOW_MS }, manner);
    return open;
  };
}
