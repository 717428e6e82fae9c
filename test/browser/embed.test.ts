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
let served: { readonly html: string; readonly policy: string };

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
  readonly before?: string;
  readonly scheme?: "light" | "dark";
  readonly embedded?: string;
}

/** A page whose policy lets in the site and no style that stands in the page. */
async function open({ state = "good", attributes = "", style = "", scheme = "light", ...more }: Host) {
  const site = siteOf(state);
  const script = `<script src="${site}/embed.js" async ${attributes}></script>`;
  served = {
    policy: `default-src 'none'; style-src 'sha256-none' data:; img-src data:; require-trusted-types-for 'script'; script-src ${site}; connect-src ${site}; frame-src ${site}`,
    html: `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="data:text/css,${encodeURIComponent(style)}"></head>
<body><main><h1>Shop</h1>${more.before ?? ""}<div id="place"></div>${more.embedded ?? script}</main></body></html>`,
  };
  context = await browser.newContext({ colorScheme: scheme, viewport: { width: 640, height: 240 } });
  await context.clock.install({ time: NOW_MS - 1000 });
  await context.clock.pauseAt(NOW_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => complaints.push("a dialog")));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const { port } = host.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`);
  return { page, complaints, asked, site, banner: page.getByRole("status").getByRole("link") };
}

const picture = (page: Page, name: string) => page.screenshot({ path: `${PICTURES}embed-${name}.png` });

const HOSTILE = `*{all:unset!important;display:none!important;color:red!important;font-size:90px!important;direction:rtl!important}
  html,head~body,main{display:block!important} a,svg{visibility:hidden!important}`;

describe.skipIf(opened === null)("in a page of another site", () => {
  test.each(["light", "dark"] as const)("it is read, and seen in %s", async (scheme) => {
    const { page, banner, complaints, asked, site } = await open({ state: "troubled", scheme });
    await banner.waitFor();
    expect(await banner.textContent()).toMatch(/^Model gateways: 4 of 9 monitors are down$/u);
    expect(await banner.getAttribute("href")).toBe(`${site}/?lang=en`);
    await page.clock.resume();
    expect(await inaccessible(page)).toEqual([]);
    const [text, ground] = await banner.evaluate((link) => {
      const { color, backgroundColor } = getComputedStyle(link);
      return [color, backgroundColor];
    });
    expect([text, ground]).toEqual(
      scheme === "light"
        ? ["rgb(23, 25, 30)", "rgb(255, 255, 255)"]
        : ["rgb(236, 238, 240)", "rgb(23, 26, 29)"],
    );
    await picture(page, scheme);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => url.startsWith(site))).toEqual([
      `${site}/embed.js`,
      `${site}/embed.json?lang=en`,
    ]);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  });

  test("styles of that site do not reach it, and it stands still", async () => {
    const plain = await open({});
    const sizeOf = async ({ banner }: typeof plain) => {
      await banner.waitFor();
      return banner.evaluate((link) => {
        const { color, fontSize, direction, display, visibility } = getComputedStyle(link);
        const moving = link.getAnimations({ subtree: true }).length;
        return {
          color,
          fontSize,
          direction,
          display,
          visibility,
          height: link.getBoundingClientRect().height,
          moving,
        };
      });
    };
    const usual = await sizeOf(plain);
    expect(usual).toMatchObject({ fontSize: "15px", direction: "ltr", display: "block", moving: 0 });
    await context.close();
    const hostile = await open({ style: HOSTILE });
    expect(await sizeOf(hostile)).toEqual(usual);
    await picture(hostile.page, "hostile");
  });

  test("it shows one gateway at another place, in Chinese", async () => {
    const { page, banner } = await open({
      attributes: `data-gateway="acme" data-target="#place" data-lang="zh-CN"`,
    });
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

  test("while all is up it can be left out, and comes when that changes", async () => {
    const { page, banner } = await open({ attributes: "data-hide-when-up" });
    await page.getByRole("status").waitFor({ state: "attached" });
    expect(await banner.count()).toBe(0);
    await context.route(/\/embed\.json/u, (route) => route.abort());
    await page.clock.runFor(60_000);
    await banner.waitFor();
    expect(await banner.textContent()).toBe("Model gateways: Unknown");
  });

  test("where the site cannot be reached nothing is shown, and what was shown is no longer claimed", async () => {
    const { page, banner, site } = await open({});
    await banner.waitFor();
    const said = await banner.textContent();
    await context.route(/\/embed\.json/u, (route) => route.abort());
    await page.clock.runFor(60_000);
    await expect.poll(() => banner.textContent()).toBe("Model gateways: Unknown");
    expect(await banner.getAttribute("class")).toBe("unknown");
    await context.unrouteAll();
    await page.clock.runFor(60_000);
    await expect.poll(() => banner.textContent()).toBe(said);
    await context.route(`${site}/**`, (route) =>
      route.request().url().endsWith(".js") ? route.continue() : route.abort(),
    );
    const failed = page.waitForEvent("requestfailed");
    await page.reload();
    await failed;
    expect(await page.locator("main > *").count()).toBe(3);
  });

  test("it asks each minute, and not while nobody sees it", async () => {
    const { page, banner, asked } = await open({});
    await banner.waitFor();
    const count = () => asked.filter((url) => url.includes("/embed.json")).length;
    expect(count()).toBe(1);
    await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }));
    await page.clock.runFor(300_000);
    expect(count()).toBe(1);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: false });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect.poll(count).toBe(2);
    await page.clock.runFor(60_000);
    await expect.poll(count).toBe(3);
  });
});

describe.skipIf(opened === null)("in a frame", () => {
  const framed = (state: StateName, path: string) =>
    `<iframe src="${siteOf(state)}${path}" title="Status" width="600" height="60"></iframe>`;

  test("the banner is shown, and is accessible", async () => {
    const { page, complaints } = await open({
      state: "troubled",
      embedded: framed("troubled", "/embed?gateway=brook"),
    });
    const link = page.frameLocator("iframe").getByRole("status").getByRole("link");
    await link.waitFor();
    expect(await link.textContent()).toBe("Brook: Down");
    expect(complaints).toEqual([]);
    await page.clock.resume();
    expect(await inaccessible(page)).toEqual([]);
    await picture(page, "framed");
  });

  test("no other page is", async () => {
    const { complaints } = await open({ embedded: framed("good", "/") });
    await expect.poll(() => complaints.join()).toContain("frame-ancestors");
  });
});
