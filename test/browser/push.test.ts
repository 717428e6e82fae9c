/**
 * Notifications, from the button on the page to what the browser shows. No push service can be reached from here: a server of this
 * machine stands in for it, and the browser's tools hand over what it got.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Browser, type BrowserContext, type BrowserServer, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browser as subscriber, type Browser as Subscriber, VAPID } from "../alert/browser.ts";
import { startChromium } from "../local/support/chromium.ts";
import { startWorld, type World } from "../local/support/world.ts";
import { programPath } from "../programs.ts";
import { inaccessible } from "./support/judging.ts";
import { PICTURES } from "./pages.ts";

const path = programPath("chromium");

let arrived: { headers: Record<string, string>; body: Buffer }[] = [];
let status = 201;
const service = createServer((request, response) => void receive(request, response));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = request.headers as Record<string, string>;
  arrived.push({ headers, body: await buffer(request) });
  response.writeHead(status).end();
}

let reader: Subscriber;
let stranger: Subscriber;
let world: World;
let server: BrowserServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  if (path === null) return;
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  reader = subscriber(`http://127.0.0.1:${port}/reader`);
  stranger = subscriber(`http://127.0.0.1:${port}/stranger`);
  world = await startWorld({
    gateways: [{ id: "acme", baseUrl: "http://127.0.0.1:9", apiKey: "KEY" }],
    secrets: { KEY: "k", PUSH_KEY: VAPID.privateKey },
    config: {
      title: "Acme gateways",
      push: {
        publicKey: VAPID.publicKey,
        privateKey: "PUSH_KEY",
        subject: "mailto:oncall@acme.example",
        services: ["127.0.0.1"],
      },
    },
  });
  await world.tick(world.startMs);
  await world.publish();
  server = await startChromium(path);
  browser = await chromium.connect(server.wsEndpoint());
});
afterEach(() => context?.close());
afterAll(async () => {
  await server?.close();
  await world?.stop();
  service.close();
});

/** @param subscription what the browser's push service gives it; null: it refuses. */
async function open(subscription: object | null): Promise<Page> {
  arrived = [];
  context = await browser.newContext();
  await context.grantPermissions(["notifications"], { origin: world.url.origin });
  const page = await context.newPage();
  await page.addInitScript((given) => {
    PushManager.prototype.subscribe = async (options) => {
      if (given === null || options?.userVisibleOnly !== true || !options.applicationServerKey)
        throw new DOMException("no push service", "AbortError");
      return { toJSON: () => given, unsubscribe: async () => true } as unknown as PushSubscription;
    };
  }, subscription);
  await page.goto(world.url.href, { waitUntil: "load" });
  return page;
}

describe.skipIf(path === null)("the button for notifications", () => {
  test("subscribes, and the browser shows what comes, with the page to open", async () => {
    status = 201;
    const page = await open(reader.subscription);
    const button = page.getByRole("button", { name: "Notifications" });
    await button.waitFor();
    expect(await button.getAttribute("aria-pressed")).toBe("false");

    const cdp = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
        if (first !== undefined) resolve(first.registrationId);
      });
    });
    await cdp.send("ServiceWorker.enable");
    await button.click();
    await page.locator("#push[aria-pressed=true]").waitFor();
    await page.getByText("Notifications are on.").waitFor();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.screenshot({ path: `${PICTURES}/push.png`, clip: { x: 0, y: 0, width: 1280, height: 160 } });
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = arrived;
    const data = JSON.stringify(reader.read(headers, body));
    const { origin } = world.url;
    await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
    const shown = () =>
      page.evaluate(async () => {
        const all = await (await navigator.serviceWorker.ready).getNotifications();
        return all.map(({ title, body: text, data: url }) => ({ title, text, url }));
      });
    await expect.poll(shown).toEqual([{ title: "Notifications are on", text: "Acme gateways", url: "/" }]);
    expect(await inaccessible(page)).toEqual([]);
    await button.press("Enter");
    await page.locator("#push[aria-pressed=false]").waitFor();
    await page.getByText("Notifications are off.").waitFor();
  });

  test.each([
    ["the browser has no push service", () => null, "This browser could not subscribe."],
    [
      "the push service does not know the browser",
      () => stranger.subscription,
      "The push service does not know this browser.",
    ],
  ])("says so where %s", async (_, subscriptionOf, words) => {
    status = 404;
    const page = await open(subscriptionOf());
    await page.getByRole("button", { name: "Notifications" }).click();
    await page.getByText(words).waitFor();
    expect(await page.locator("#push").getAttribute("aria-pressed")).toBe("false");
  });

  test("is not there where the browser has no notifications", async () => {
    context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript("delete window.PushManager");
    await page.goto(world.url.href, { waitUntil: "networkidle" });
    expect(await page.locator("#push").isVisible()).toBe(false);
  });
});
