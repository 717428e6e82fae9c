/** A visit to pages in a context of its own. Everything that the browser complains of is kept, also requests that leave the site. */
import { type Browser, type BrowserContext, chromium, type Page, type Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, inject } from "vitest";
import { isFull } from "../../extent.ts";
import { addressOf, NOW_MS, PAGES, type PageUnderTest } from "../pages.ts";

export interface Look {
  /** Default: light. */
  readonly scheme?: "light" | "dark";
  readonly width: number;
  readonly height?: number;
  readonly forcedColors?: boolean;
  readonly print?: boolean;
}

export interface Visit {
  readonly page: Page;
  /** What went wrong on this page so far, in words. */
  readonly complaints: readonly string[];
  /** Loads another page; complaints begin again. */
  go(target: Target): Promise<void>;
  /** Shows the page so, without loading it again. */
  show(at: Look): Promise<Page>;
  /** Shows the page so, as it is when it is loaded: what an earlier look or act changed of it is undone. */
  look(at: Look): Promise<Page>;
  close(): Promise<void>;
}

interface Target {
  readonly address: string;
  /** By the clock that the site was published by, which the page's scripts are given too. */
  readonly nowMs: number;
  /** Of the document; default 200. */
  readonly status?: number;
  /** Absent: the page is read; else it answers this form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** For each step of playwright; a busy machine is slow. */
const PATIENCE_MS = 60_000;

interface Manner {
  /** Default true. */
  readonly javaScript?: boolean;
  /** Default: `Europe/Berlin`. */
  readonly timeZone?: string;
  /** Device pixels in one of CSS; default 1. */
  readonly scale?: number;
  /** Timers go off only where the test lets time pass (`page.clock.runFor`). Default: as time passes, while the date stands. */
  readonly holdsTimers?: boolean;
}

async function visit(browser: Browser, first: Target, manner: Manner = {}): Promise<Visit> {
  const context = await browser.newContext({
    javaScriptEnabled: manner.javaScript ?? true,
    locale: "en-US",
    timezoneId: manner.timeZone ?? "Europe/Berlin",
    serviceWorkers: "block",
    deviceScaleFactor: manner.scale ?? 1,
  });
  const close = () => context.close();
  try {
    context.setDefaultTimeout(PATIENCE_MS);
    let target = first;
    let isTouched = false;
    const complaints = await listen(context, () => target);
    const page = await context.newPage();
    if (manner.holdsTimers === true) {
      // It runs until it is held.
      await context.clock.install({ time: first.nowMs - 3_600_000 });
      await context.clock.pauseAt(first.nowMs);
    }
    const open = async (): Promise<void> => {
      isTouched = false;
      if (manner.holdsTimers !== true) await context.clock.setFixedTime(target.nowMs);
      const { status = 200, form = null } = target;
      if (form !== null) await page.route(target.address, posting(form), { times: 1 });
      const answer = await page.goto(target.address, { waitUntil: "load" });
      if (answer?.status() !== status) complaints.push(`the page answers ${answer?.status()}`);
    };
    const go = async (to: Target): Promise<void> => {
      // What the page before still asked for is no complaint of this one.
      await page.goto("about:blank");
      complaints.length = 0;
      target = to;
      await open();
    };
    const touch = async (at: Look): Promise<Page> => {
      isTouched = true;
      return show(page, at);
    };
    const look = async (at: Look): Promise<Page> => {
      await show(page, at);
      if (isTouched) await open();
      isTouched = true;
      return page;
    };
    await open();
    return { page, complaints, go, show: touch, look, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function show(page: Page, at: Look): Promise<Page> {
  await page.setViewportSize({ width: at.width, height: at.height ?? 900 });
  await page.emulateMedia({
    colorScheme: at.scheme ?? "light",
    forcedColors: at.forcedColors === true ? "active" : "none",
    media: at.print === true ? "print" : "screen",
  });
  return page;
}

/** Sends a form in place of reading: the page is at its beginning, as every other is. */
function posting(form: Readonly<Record<string, string>>): (route: Route) => Promise<void> {
  const type = "application/x-www-form-urlencoded";
  return (route) =>
    route.continue({
      method: "POST",
      headers: { ...route.request().headers(), "content-type": type },
      postData: new URLSearchParams(form).toString(),
    });
}

async function listen(context: BrowserContext, target: () => Target): Promise<string[]> {
  const complaints: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      console.error(`the policy's ${effectiveDirective} refused ${blockedURI}`);
    });
  });
  context.on("console", (message) => {
    const { address, status = 200 } = target();
    const isNews = ["error", "warning"].includes(message.type());
    // That the document itself is no 200 is what the page is about.
    const isOwnStatus = message.location().url === address && message.text().includes(`status of ${status}`);
    if (isNews && !isOwnStatus) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${String(error.error())}`));
  context.on("request", (request) => {
    const { protocol, origin, host } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(target().address).origin)
      complaints.push(`request to ${host}`);
  });
  context.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  context.on("response", (response) => {
    const isPage = response.url() === target().address;
    if (!isPage && response.status() !== 200) complaints.push(`${response.status()} for ${response.url()}`);
  });
  return complaints;
}

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
