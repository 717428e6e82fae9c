/** The banner in pages of another site, which have styles, policies and clocks of their own. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { NOW_MS, PICTURES } from "./pages.ts";
import { inaccessible } from "./support/judging.ts";
import type { StateName } from "./support/states.ts";

const opened = inject("opened");
const siteOf = (state: StateName): string => opened?.sites[state].origin ?? "";

let browser: Browser;
let context: BrowserContext;
/** Another origin than that of any status page. */
let host: Server;
let served = { html: "", policy: "" };

beforeAll(async () => {
  if (opened === null) return;
  browser = await chromium.connect(opened.chromium);
  host = createServer((_, response) => {
    response.setHeader("content-security-policy", served.policy);
    response.setHeader("content-type", "text/html; charset=utf-8").end(served.html);
  });
  await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  host?.close();
});

interface Host {
  readonly state?: StateName;
  readonly attributes?: string;
  readonly style?: string;
  readonly scheme?: "light" | "dark";
  /** Default: the script. */
  readonly frame?: string;
}

/** A page whose policy lets in the script, and no style or markup of it. */
async function open({ state = "good", attributes = "", style = "", scheme = "light", frame }: Host = {}) {
  const site = siteOf(state);
  const banner = frame
    ? `<iframe src="${site}${frame}" title="Status" width="600" height="60"></iframe>`
    : `<script src="${site}/embed.js" async ${attributes}></script>`;
  const own = "default-src 'none'; style-src data:; img-src data:; require-trusted-types-for 'script'";
  served = {
    policy: `${own}; script-src ${site}; connect-src ${site}; frame-src ${site}`,
    html: `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark"><link rel="stylesheet" href="data:text/css,${encodeURIComponent(style)}"></head>
<body><main><h1>Shop</h1><div id="place"></div>${banner}</main></body></html>`,
  };
  context = await browser.newContext({ colorScheme: scheme, viewport: { width: 640, height: 240 } });
  await context.clock.install({ time: NOW_MS - 1000 });
  await context.clock.pauseAt(NOW_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", ({ message }) => complaints.push(message));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  return { page, complaints, asked, site, banner: page.getByRole("status").getByRole("link") };
}

const picture = (page: Page, name: string) => page.screenshot({ path: `${PICTURES}embed-${name}.png` });

const HOSTILE = `*{all:unset!important;display:none!important;color:red!important;font-size:90px!important;direction:rtl!important}
  html,head~body,main{display:block!important} a,svg{visibility:hidden!important}`;

describe.skipIf(opened === null)("in a page of another site", () => {
  test.each([
    ["light", "rgb(23, 25, 30)", "rgb(255, 255, 255)"],
    ["dark", "rgb(236, 238, 240)", "rgb(23, 26, 29)"],
  ] as const)("it is read, seen in %s, and keeps nothing", async (scheme, text, ground) => {
    const { page, banner, complaints, asked, site } = await open({ state: "troubled", scheme });
    await banner.waitFor();
    expect(await banner.textContent()).toBe("Model gateways: 4 of 9 monitors are down");
    expect(await banner.getAttribute("href")).toBe(`${site}/?lang=en`);
    const colors = await banner.evaluate((link) => [
      getComputedStyle(link).color,
      getComputedStyle(link).backgroundColor,
    ]);
    expect(colors).toEqual([text, ground]);
    const ofSite = asked.filter((url) => url.startsWith(site));
    expect(ofSite).toEqual([`${site}/embed.js`, `${site}/embed.json?gateway=&lang=en`]);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    await picture(page, scheme);
    expect(complaints).toEqual([]);
    await page.clock.resume();
    expect(await inaccessible(page)).toEqual([]);
  });

  test("styles of that site do not reach it, and it stands still", async () => {
    const seen = async ({ banner }: Awaited<ReturnType<typeof open>>) => {
      await banner.waitFor();
      return banner.evaluate((link) => {
        const { color, fontSize, direction, visibility } = getComputedStyle(link);
        const moving = link.getAnimations({ subtree: true }).length;
        return { color, fontSize, direction, visibility, moving, height: link.clientHeight };
      });
    };
    const usual = await seen(await open());
    expect(usual).toMatchObject({ fontSize: "15px", direction: "ltr", moving: 0 });
    await context.close();
    const hostile = await open({ style: HOSTILE });
    expect(await seen(hostile)).toEqual(usual);
    await picture(hostile.page, "hostile");
  });

  test("it shows one gateway at another place, in Chinese", async () => {
    const attributes = `data-gateway="acme" data-target="#place" data-lang="zh-CN"`;
    const { page, banner } = await open({ attributes });
    await banner.waitFor();
    expect(await banner.textContent()).toBe("Acme：正常");
    expect(await page.locator("#place [role=status]").getAttribute("lang")).toBe("zh-Hans");
    expect(await banner.getAttribute("href")).toMatch(/\/gateways\/acme\?lang=zh$/u);
  });

  test("names are text", async () => {
    const { banner, complaints } = await open({ state: "hostile", attributes: `data-gateway="markup"` });
    await banner.waitFor();
    expect(await banner.textContent()).toContain(`<script>alert(1)</script><b title="x">"bold" & 'bald'`);
    expect(await banner.locator("script, b").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("what was shown is not claimed while the site is down, and before it answers nothing is shown", async () => {
    const { page, banner } = await open({ attributes: "data-hide-when-up" });
    await page.getByRole("status").waitFor({ state: "attached" });
    expect(await banner.count()).toBe(0);
    await context.route(/embed\.json/u, (route) => route.abort());
    await page.clock.runFor(60_000);
    await banner.waitFor();
    expect(await banner.textContent()).toBe("Model gateways: Unknown");
    await context.unrouteAll();
    await page.clock.runFor(60_000);
    await expect.poll(() => banner.count()).toBe(0);
    await context.route(/embed\.json/u, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.reload();
    await failed;
    expect(await page.locator("main > *").count()).toBe(3);
  });

  test("it asks each minute, and not while nobody sees it", async () => {
    const { page, banner, asked } = await open();
    await banner.waitFor();
    const count = () => asked.filter((url) => url.includes("/embed.json")).length;
    const hide = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await hide(true);
    await page.clock.runFor(300_000);
    expect(count()).toBe(1);
    await hide(false);
    await expect.poll(count).toBe(2);
    await page.clock.runFor(60_000);
    await expect.poll(count).toBe(3);
  });

  test("the focus stays on the link when the script takes the place of the page in the frame", async () => {
    const { page, site } = await open();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await context.route(/embed\.json/u, async (route) => {
      await released;
      return route.continue();
    });
    await page.goto(`${site}/embed`);
    await page.getByRole("link").focus();
    release();
    const link = page.getByRole("status").getByRole("link");
    await link.waitFor();
    expect(await link.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  test("a frame shows it, and no other page", async () => {
    const { page, complaints } = await open({ state: "troubled", frame: "/embed?gateway=brook" });
    const link = page.frameLocator("iframe").getByRole("status").getByRole("link");
    await link.waitFor();
    expect(await link.textContent()).toBe("Brook: Down");
    expect(complaints).toEqual([]);
    await page.clock.resume();
    expect(await inaccessible(page)).toEqual([]);
    await picture(page, "framed");
    await context.close();
    const other = await open({ frame: "/" });
    await expect.poll(() => other.complaints.join()).toContain("frame-ancestors");
  });
});
