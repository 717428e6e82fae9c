/** In which language who gets what, who may keep it, and how one comes to another language. */
import { parseAtomFeed } from "feedsmith";
import { beforeEach, expect, test } from "vitest";
import type { StatusDocument } from "../../src/history/documents.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import { readHtml, spokenIn, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  incidentDocument,
  monitorThatIs,
  plannedWindow,
  publishedIncident,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";
import { messagesIn } from "../../src/http/pages/i18n/messages.ts";

const EN = messagesIn("en");
const ZH = messagesIn("zh");

const world = useWorld();
const INCIDENT = "acme-models-20261120t080000z";

const FAILING = monitorThatIs("blocked", { incident: INCIDENT, report: `${INCIDENT}-2` });
const STATUS = statusDocument({
  gateways: [gatewayDocument({ status: "blocked", monitors: [FAILING] })],
  incidents: [incidentDocument()],
});

/** What was read of what is published now. */
let memory = new SnapshotMemory();

async function publish(language?: string, more: Partial<StatusDocument> = {}): Promise<void> {
  memory = new SnapshotMemory();
  const tail = { incidents: [publishedIncident()], ...(language && { language }) };
  await world.publish({ ...STATUS, ...more }, tail);
}

beforeEach(() => publish());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  world.ask(path, { headers: { accept: "text/html", ...headers } }, { memory });
const htmlAt = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();

async function tagOf(path: string, acceptLanguage?: string): Promise<string | undefined> {
  const html = await htmlAt(path, acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage });
  return /<html lang="([^"]*)">/u.exec(html)?.[1];
}

const OWN = ["/", "/gateways/acme", `/incidents/${INCIDENT}`, `/reports/${INCIDENT}-1`];
const PAGES = [...OWN, "/docs", "/causes", "/explain"];
const FAILURES = ["/nowhere", "/gateways/none", "/incidents/none", "/reports/none-1"];
const EVERYWHERE = [...PAGES, ...FAILURES];
const SOON = "/incidents/acme.models-20261120t120000z";

test.each(EVERYWHERE)("%s is in the language that its address, else the browser asks for", async (path) => {
  for (const [asked, browser, tag] of [
    ["", undefined, "en"],
    ["", "zh-CN", "zh-Hans"],
    ["", "de", "en"],
    ["?lang=zh", undefined, "zh-Hans"],
    ["?lang=zh", "en", "zh-Hans"],
    ["?lang=en", "zh", "en"],
    ...["de", "zh-CN", "ZH", "", "constructor", "__proto__"].map(
      (unknown) => [`?lang=${unknown}`, "zh", "zh-Hans"] as const,
    ),
  ] as const) {
    expect(await tagOf(`${path}${asked}`, browser), `${asked} ${browser}`).toBe(tag);
  }
  await publish("zh");
  for (const [asked, browser, tag] of [
    ["", undefined, "zh-Hans"],
    ["", "de, fr;q=0.5", "zh-Hans"],
    ["", "*", "zh-Hans"],
    ["", "de, en;q=0.1", "en"],
    ["?lang=en", undefined, "en"],
  ] as const) {
    expect(await tagOf(`${path}${asked}`, browser), `configured: ${asked} ${browser}`).toBe(tag);
  }
});

test("a configured language that this version does not know is none; without a publication the browser is followed", async () => {
  await publish("tlh");
  expect(await tagOf("/")).toBe("en");
  expect(await tagOf("/", "zh")).toBe("zh-Hans");
  await world.clear();
  memory = new SnapshotMemory();
  expect(await tagOf("/", "zh")).toBe("zh-Hans");
  expect(await tagOf("/?lang=zh")).toBe("zh-Hans");
  expect(await tagOf("/")).toBe("en");
});

test.each(PAGES)("%s is told apart by the language only where its address does not say it", async (path) => {
  for (const headers of [{}, { "accept-language": "zh" }]) {
    for (const [asked, vary] of [
      ["", "accept-language"],
      ["?lang=zh", null],
      ["?lang=de", "accept-language"],
    ] as const) {
      expect((await get(`${path}${asked}`, headers)).headers.get("vary")).toBe(vary);
    }
  }
});

test.each(FAILURES)("nobody keeps a failure at %s; it says on what its language depends", async (path) => {
  const { headers } = await get(path);
  expect([headers.get("vary"), headers.get("cache-control")]).toEqual(["accept-language", "no-store"]);
  expect((await get(`${path}?lang=zh`)).headers.get("vary")).toBeNull();
});

/** The links of a page's header. */
const navOf = (html: string) =>
  /<header>(?:(?!<\/header>).)*<nav aria-label="[^"]+">(.*?)<\/nav><\/header>/su.exec(html)?.[1] ?? "";

/** Of anchors and of the feed; not those to the same page in another language, or to the API. */
const linksOf = (html: string) =>
  [...html.matchAll(/<(?:a|link)\b[^>]*? href="(\/[^"]*)"/gu)]
    .map(([, href = ""]) => href)
    .filter((href) => !/^\/(?:api\/|healthz|assets\/|openapi\.json|schemas\/)/u.test(href));

test.each([...EVERYWHERE, SOON])("links from %s keep its language, or are to the other", async (path) => {
  const html = await htmlAt(path, { "accept-language": "en" });
  expect(html).toContain('<link rel="alternate" hreflang="en" href="?lang=en">');
  expect(html).toContain('<link rel="alternate" hreflang="zh-Hans" href="?lang=zh">');
  expect(navOf(html)).toContain('<a href="?lang=zh" hreflang="zh-Hans" lang="zh-Hans">中文</a>');
  expect(linksOf(navOf(html))).toEqual(["/explain", "/docs", "/feed.atom"]);
  const chinese = await htmlAt(`${path}?lang=zh`);
  expect(navOf(chinese)).toContain('<a href="?lang=en" hreflang="en" lang="en">English</a>');
  expect(chinese).not.toContain("中文</a>");
  const asked = linksOf(chinese);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.filter((href) => !/\?lang=zh(?:#|$)/u.test(href))).toEqual([]);
  const chosen = linksOf(html);
  expect(chosen.filter((href) => href.includes("lang="))).toEqual([]);
  expect(asked.map((href) => href.replace("?lang=zh", ""))).toEqual(chosen);
});

test("a page that a browser chose in another language than the configured one names the feed in its own", async () => {
  const feedOn = async (accept: string) =>
    linksOf(await htmlAt("/", { "accept-language": accept })).find((href) => href.includes("feed"));
  expect([await feedOn("zh"), await feedOn("en")]).toEqual(["/feed.atom?lang=zh", "/feed.atom"]);
  await publish("zh");
  expect([await feedOn("zh"), await feedOn("en")]).toEqual(["/feed.atom", "/feed.atom?lang=en"]);
});

async function feedAt(path: string, headers: Record<string, string> = {}) {
  const response = await get(path, headers);
  expect(response.headers.get("vary")).toBeNull();
  const xml = await response.text();
  const { subtitle, links, entries } = parseAtomFeed(xml);
  const [entry] = entries ?? [];
  const lang = /<feed [^>]*xml:lang="([^"]+)"/u.exec(xml)?.[1];
  const story = textOf(entry?.content?.value ?? "");
  return { lang, subtitle: subtitle?.value, links, title: entry?.title?.value, story, id: entry?.id, entry };
}

test("the feed is in the configured language, whatever its reader's program says, or as its address asks", async () => {
  const english = await feedAt("/feed.atom", { "accept-language": "zh" });
  expect(english).toMatchObject({
    lang: "en",
    subtitle: EN.feed.subtitle,
    title: "Monitor blocked: Acme · models: The balance is used up",
  });
  const chinese = await feedAt("/feed.atom?lang=zh");
  expect(chinese).toMatchObject({
    lang: "zh-Hans",
    subtitle: ZH.feed.subtitle,
    title: "监控受阻：Acme · models：余额已用尽",
    links: [
      { rel: "self", href: "https://status.example/feed.atom?lang=zh" },
      { rel: "alternate", href: "https://status.example/?lang=zh" },
    ],
    entry: { links: [{ href: `https://status.example/incidents/${INCIDENT}?lang=zh` }] },
  });
  expect(chinese.story).toContain("监控受阻。受阻的监控项看不到网关是否正常。这本身不是网关故障。");
  expect(chinese.id).toBe(english.id);
  await publish("zh");
  const configured = await feedAt("/feed.atom", { "accept-language": "en" });
  expect(configured).toMatchObject({ lang: "zh-Hans", title: chinese.title });
  expect(configured.links?.[0]?.href).toBe("https://status.example/feed.atom");
});

test("what is not in the page's language says so: names, messages, notes, the site's title", async () => {
  const monitors = [{ ...FAILING, diagnosis: { ...BALANCE_GONE, message: "no credit left" } }];
  const gateways = [gatewayDocument({ name: "上海模型网关", status: "blocked", monitors })];
  await publish(undefined, { title: "Model gateways", notice: "数据为模拟", gateways });
  const chinese = await htmlAt("/gateways/acme?lang=zh");
  for (const [told, lang] of [
    ["上海模型网关", "zh-Hans"],
    ["no credit left", "en"],
    ["Model gateways", "en"],
    ["数据为模拟", "zh-Hans"],
  ] as const) {
    const langs = spokenIn(chinese).flatMap((spoken) => (spoken.text === told ? [spoken.lang] : []));
    expect(new Set(langs)).toEqual(new Set([lang]));
  }
  expect(() => readHtml(chinese)).not.toThrow();
});

test("names and titles of people turn nothing around that stands after them", async () => {
  const turning = "Good \u202e网关";
  const gateways = [gatewayDocument({ name: turning, status: "blocked", monitors: [FAILING] })];
  const maintenance = [plannedWindow(["acme"], undefined, turning)];
  await publish(undefined, { title: turning, notice: turning, gateways, maintenance });
  for (const path of PAGES) {
    const told = spokenIn(await htmlAt(path)).filter(({ text }) => text.includes("\u202e"));
    const open = told.filter(({ within }) => !["bdi", "title", "content"].includes(within.at(-1) ?? ""));
    expect(open).toEqual([]);
    expect(told.length).toBeGreaterThan(2);
  }
});
