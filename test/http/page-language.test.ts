/** In which language who gets what, who may keep it, and how one comes to another language. */
import { parseAtomFeed } from "feedsmith";
import { beforeEach, expect, test, vi } from "vitest";
import type { StatusDocument } from "../../src/history/documents.ts";
import type * as app from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
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
import { depsOf, useWorld } from "./published-status.ts";
import { EN, ZH } from "./words.ts";

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

/** The language of the page, and what a cache has to tell apart. */
async function answered(
  path: string,
  accept?: string,
): Promise<[lang: string | undefined, vary: string | null]> {
  const response = await get(path, accept === undefined ? {} : { "accept-language": accept });
  return [/<html lang="([^"]*)">/u.exec(await response.text())?.[1], response.headers.get("vary")];
}

const OWN = ["/", "/gateways/acme", `/incidents/${INCIDENT}`, `/reports/${INCIDENT}-1`];
const PAGES = [...OWN, "/docs", "/causes", "/explain"];
const FAILURES = ["/nowhere", "/gateways/none", "/incidents/none", "/reports/none-1"];
const EVERYWHERE = [...PAGES, ...FAILURES];
const SOON = "/incidents/acme.models-20261120t120000z";

type Choice = readonly [configured: string, asked: string, browser: string | undefined, lang: string];

const CHOICES: readonly Choice[] = [
  ["en", "", undefined, "en"],
  ["en", "", "zh-CN", "zh-Hans"],
  ["en", "", "de", "en"],
  ["en", "?lang=zh", "en", "zh-Hans"],
  ["en", "?lang=en", "zh", "en"],
  ["en", "?lang=ZH", "zh", "zh-Hans"],
  ["en", "?lang=__proto__", "zh", "zh-Hans"],
  ["zh", "", undefined, "zh-Hans"],
  ["zh", "", "de, fr;q=0.5", "zh-Hans"],
  ["zh", "", "*", "zh-Hans"],
  ["zh", "", "de, en;q=0.1", "en"],
  ["zh", "?lang=en", undefined, "en"],
  ["tlh", "", undefined, "en"],
];

test.each(CHOICES)("configured %s, asked for %j by a browser of %s, pages are in %s", async (...choice) => {
  const [configured, asked, browser, lang] = choice;
  await publish(configured);
  const vary = /lang=(?:en|zh)$/u.test(asked) ? null : "accept-language";
  for (const path of EVERYWHERE)
    expect(await answered(`${path}${asked}`, browser), path).toEqual([lang, vary]);
});

test("without a publication the browser is followed", async () => {
  await world.clear();
  memory = new SnapshotMemory();
  for (const [path, browser, lang] of [
    ["/", "zh", "zh-Hans"],
    ["/?lang=zh", undefined, "zh-Hans"],
    ["/", undefined, "en"],
  ] as const)
    expect((await answered(path, browser))[0]).toBe(lang);
});

test("where the catalogue of a language cannot be read pages are in English, until it can", async () => {
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.resetModules();
  // What stands in its place in tests (described-answers.ts) outlives the reset.
  const { handleRequest } = await vi.importActual<typeof app>("../../src/http/app.ts");
  const works: AppDeps["asset"] = (name) => depsOf(world.kv).asset(name);
  const langAt = async (path: string, asset: typeof works, viewToken: string | null = null) => {
    const request = new Request(`https://status.example${path}`, {
      headers: { accept: "text/html", "accept-language": "zh" },
    });
    const response = await handleRequest(request, depsOf(world.kv, { asset, viewToken }));
    return [response.status, /(?:html |:)lang="([^"]*)"/u.exec(await response.text())?.[1]];
  };
  const broken: readonly (typeof works)[] = [
    async () => new Response(null, { status: 404 }),
    async () => new Response("<!doctype html>"),
    () => Promise.reject(new Error("network connection lost")),
  ];
  for (const cannot of broken) {
    const asset: typeof works = (name) => (name === "zh.json" ? cannot(name) : works(name));
    for (const path of [...PAGES, "/feed.atom?lang=zh"])
      expect(await langAt(path, asset), path).toEqual([200, "en"]);
    for (const path of FAILURES) expect(await langAt(path, asset)).toEqual([404, "en"]);
    expect(await langAt("/", asset, "a-token-of-readers")).toEqual([401, "en"]);
  }
  expect(complaints).toHaveBeenCalledWith(
    "http: a page is in English, not in zh:",
    "zh.json is not among the static files: 404",
  );
  complaints.mockRestore();
  expect(await langAt("/", works)).toEqual([200, "zh-Hans"]);
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
  expect(linksOf(navOf(html))).toEqual(["/explain", "/docs", "/feed.atom", "/calendar.ics"]);
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

async function feedAt(path: string) {
  const response = await get(path, { "accept-language": "zh" });
  expect(response.headers.get("vary")).toBeNull();
  const xml = await response.text();
  const { entries = [], ...feed } = parseAtomFeed(xml);
  return { lang: /<feed [^>]*xml:lang="([^"]+)"/u.exec(xml)?.[1], ...feed, entry: entries[0] };
}

test("the feed is in the configured language, whatever its reader's program says, or as its address asks", async () => {
  const english = await feedAt("/feed.atom");
  expect(english).toMatchObject({ lang: "en", subtitle: { value: EN.feed.subtitle } });
  const words = {
    lang: "zh-Hans",
    subtitle: { value: ZH.feed.subtitle },
    entry: { id: english.entry?.id, title: { value: "监控受阻：Acme · models：余额已用尽" } },
  };
  const chinese = await feedAt("/feed.atom?lang=zh");
  expect(chinese).toMatchObject({
    ...words,
    links: [
      { rel: "self", href: "https://status.example/feed.atom?lang=zh" },
      { rel: "alternate", href: "https://status.example/?lang=zh" },
    ],
  });
  expect(chinese.entry?.links).toMatchObject([
    { href: `https://status.example/incidents/${INCIDENT}?lang=zh` },
  ]);
  expect(textOf(chinese.entry?.content?.value ?? "")).toContain("监控受阻。受阻的监控项看不到网关是否正常。");
  await publish("zh");
  const links = [{ href: "https://status.example/feed.atom" }, {}];
  expect(await feedAt("/feed.atom")).toMatchObject({ ...words, links });
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
