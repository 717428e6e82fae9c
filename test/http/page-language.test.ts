/** In which language who gets what, who may keep it, and how one comes to another language. */
import { beforeEach, expect, test } from "vitest";
import { parseAtomFeed } from "feedsmith";
import { SnapshotMemory } from "../../src/http/snapshot-memory.ts";
import { EN } from "../../src/http/pages/words/en.ts";
import { ZH } from "../../src/http/pages/words/zh.ts";
import { readHtml, spokenIn, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  publishedIncident,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();
const INCIDENT = "acme-models-20261120t080000z";

const FAILING = monitorDocument({
  status: "blocked",
  diagnosis: BALANCE_GONE,
  incident: INCIDENT,
  report: `${INCIDENT}-2`,
});
const STATUS = statusDocument({
  status: "blocked",
  summary: { up: 0, degraded: 0, down: 0, blocked: 1, unknown: 0 },
  gateways: [gatewayDocument({ status: "blocked", monitors: [FAILING] })],
  incidents: [incidentDocument()],
});

/** What was read of what is published now. */
let memory = new SnapshotMemory();

async function publish(language?: string): Promise<void> {
  memory = new SnapshotMemory();
  await world.publish(STATUS, { incidents: [publishedIncident()], ...(language && { language }) });
}

beforeEach(() => publish());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return world.ask(path, { headers: { accept: "text/html", ...headers } }, { memory });
}

async function tagOf(path: string, acceptLanguage?: string): Promise<string | undefined> {
  const response = await get(path, acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage });
  return /<html lang="([^"]*)">/u.exec(await response.text())?.[1];
}

const PAGES = [
  "/",
  "/gateways/acme",
  `/incidents/${INCIDENT}`,
  `/reports/${INCIDENT}-1`,
  "/docs",
  "/causes",
  "/explain",
];
const FAILURES = ["/nowhere", "/gateways/none", "/incidents/none", "/reports/none-1"];

test.each([...PAGES, ...FAILURES])(
  "%s is in the language that its address, else the browser asks for",
  async (path) => {
    expect(await tagOf(path)).toBe("en");
    expect(await tagOf(path, "zh-CN")).toBe("zh-Hans");
    expect(await tagOf(path, "de")).toBe("en");
    expect(await tagOf(`${path}?lang=zh`)).toBe("zh-Hans");
    expect(await tagOf(`${path}?lang=zh`, "en")).toBe("zh-Hans");
    expect(await tagOf(`${path}?lang=en`, "zh")).toBe("en");
    for (const unknown of ["de", "zh-CN", "ZH", "", "constructor", "__proto__"]) {
      expect(await tagOf(`${path}?lang=${unknown}`, "zh")).toBe("zh-Hans");
    }
  },
);

test.each([...PAGES, ...FAILURES])(
  "%s is in the configured language where nobody asks for one of ours",
  async (path) => {
    await publish("zh");
    expect(await tagOf(path)).toBe("zh-Hans");
    expect(await tagOf(path, "de, fr;q=0.5")).toBe("zh-Hans");
    expect(await tagOf(path, "*")).toBe("zh-Hans");
    expect(await tagOf(path, "de, en;q=0.1")).toBe("en");
    expect(await tagOf(`${path}?lang=en`)).toBe("en");
  },
);

test("a configured language that this version does not know is none", async () => {
  await publish("tlh");
  expect(await tagOf("/")).toBe("en");
  expect(await tagOf("/", "zh")).toBe("zh-Hans");
});

test("without a publication the browser is still followed", async () => {
  await world.clear();
  memory = new SnapshotMemory();
  expect(await tagOf("/", "zh")).toBe("zh-Hans");
  expect(await tagOf("/?lang=zh")).toBe("zh-Hans");
  expect(await tagOf("/")).toBe("en");
});

test.each(PAGES)("%s is told apart by the language only where its address does not say it", async (path) => {
  for (const headers of [{}, { "accept-language": "zh" }]) {
    const chosen = await get(path, headers);
    expect(chosen.headers.get("vary")).toBe("accept-language");
    const asked = await get(`${path}?lang=zh`, headers);
    expect(asked.headers.get("vary")).toBeNull();
    const unknown = await get(`${path}?lang=de`, headers);
    expect(unknown.headers.get("vary")).toBe("accept-language");
  }
});

test("each language has a tag of its own, and 304 knows them apart", async () => {
  const english = (await get("/")).headers.get("etag") ?? "";
  const chinese = (await get("/", { "accept-language": "zh" })).headers.get("etag") ?? "";
  expect(english).not.toBe(chinese);
  const same = await get("/", { "accept-language": "zh", "if-none-match": chinese });
  expect([same.status, same.headers.get("vary")]).toEqual([304, "accept-language"]);
  expect((await get("/", { "accept-language": "zh", "if-none-match": english })).status).toBe(200);
});

test.each(FAILURES)(
  "a failure at %s is kept by nobody, and says on what its language depends",
  async (path) => {
    const chosen = await get(path);
    expect([chosen.headers.get("vary"), chosen.headers.get("cache-control")]).toEqual([
      "accept-language",
      "no-store",
    ]);
    expect((await get(`${path}?lang=zh`)).headers.get("vary")).toBeNull();
  },
);

/** The links of a page's header. */
const navOf = (html: string) =>
  /<header>(?:(?!<\/header>).)*<nav aria-label="[^"]+">(.*?)<\/nav><\/header>/su.exec(html)?.[1] ?? "";

test.each([...PAGES, ...FAILURES])("%s has links to itself in each language", async (path) => {
  const html = await (await get(path)).text();
  expect(html).toContain('<link rel="alternate" hreflang="en" href="?lang=en">');
  expect(html).toContain('<link rel="alternate" hreflang="zh-Hans" href="?lang=zh">');
  expect(navOf(html)).toContain('<a href="?lang=zh" hreflang="zh-Hans" lang="zh-Hans">中文</a>');
  const chinese = await (await get(`${path}?lang=zh`)).text();
  expect(navOf(chinese)).toContain('<a href="?lang=en" hreflang="en" lang="en">English</a>');
  expect(chinese).not.toContain("中文</a>");
});

/** Of anchors and of the feed; not those to the same page in another language, or to the API. */
const linksOf = (html: string) =>
  [...html.matchAll(/<(?:a|link)\b[^>]*? href="(\/[^"]*)"/gu)]
    .map(([, href = ""]) => href)
    .filter((href) => !/^\/(?:api\/|healthz|assets\/|openapi\.json|schemas\/)/u.test(href));

test.each([...PAGES, ...FAILURES, "/incidents/acme.models-20261120t120000z"])(
  "links from %s keep the language that its address asks for, and no other does so",
  async (path) => {
    const asked = linksOf(await (await get(`${path}?lang=zh`)).text());
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((href) => !/\?lang=zh(?:#|$)/u.test(href))).toEqual([]);
    const chosen = linksOf(await (await get(path, { "accept-language": "en" })).text());
    expect(chosen.filter((href) => href.includes("lang="))).toEqual([]);
    expect(asked.map((href) => href.replace("?lang=zh", ""))).toEqual(chosen);
  },
);

test("a page that a browser chose in another language than the configured one names the feed in its own", async () => {
  const feedOn = async (accept: string) =>
    linksOf(await (await get("/", { "accept-language": accept })).text()).find((href) =>
      href.includes("feed"),
    );
  expect(await feedOn("zh")).toBe("/feed.atom?lang=zh");
  expect(await feedOn("en")).toBe("/feed.atom");
  await publish("zh");
  expect(await feedOn("zh")).toBe("/feed.atom");
  expect(await feedOn("en")).toBe("/feed.atom?lang=en");
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
  expect(await feedAt("/feed.atom", { "accept-language": "zh" })).toMatchObject({
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
  expect(chinese.story).toContain("此事件尚未结束。监控项看不到网关是否正常。这不是网关故障。");
  expect(chinese.id).toBe((await feedAt("/feed.atom")).id);
  await publish("zh");
  const configured = await feedAt("/feed.atom", { "accept-language": "en" });
  expect(configured).toMatchObject({ lang: "zh-Hans", title: chinese.title });
  expect(configured.links?.[0]?.href).toBe("https://status.example/feed.atom");
});

test("what is not in the page's language says so: names, messages, notes, the site's title", async () => {
  const gateway = gatewayDocument({
    name: "上海模型网关",
    status: "blocked",
    monitors: [{ ...FAILING, diagnosis: { ...BALANCE_GONE, message: "no credit left" } }],
  });
  memory = new SnapshotMemory();
  await world.publish({ ...STATUS, title: "Model gateways", notice: "数据为模拟", gateways: [gateway] });
  const chinese = await (await get("/?lang=zh")).text();
  const langsOf = (text: string) =>
    new Set(spokenIn(chinese).flatMap((spoken) => (spoken.text === text ? [spoken.lang] : [])));
  expect(langsOf("上海模型网关")).toEqual(new Set(["zh-Hans"]));
  expect(langsOf("no credit left")).toEqual(new Set(["en"]));
  expect(langsOf("Model gateways")).toEqual(new Set(["en"]));
  expect(langsOf("数据为模拟")).toEqual(new Set(["zh-Hans"]));
  expect(() => readHtml(chinese)).not.toThrow();
});

test("names and titles of people turn nothing around that stands after them", async () => {
  const turning = "Good \u202e网关";
  const gateways = [gatewayDocument({ name: turning, status: "blocked", monitors: [FAILING] })];
  const [from, to] = ["2026-11-20T11:00:00.000Z", "2026-11-20T13:00:00.000Z"];
  const maintenance = [{ from, to, gateways: ["acme"], title: turning }];
  const status = { ...STATUS, title: turning, notice: turning, gateways, maintenance };
  memory = new SnapshotMemory();
  await world.publish(status, { incidents: [publishedIncident()] });
  for (const path of PAGES) {
    const told = spokenIn(await (await get(path)).text()).filter(({ text }) => text.includes("\u202e"));
    const open = told.filter(({ within }) => !["bdi", "title", "content"].includes(within.at(-1) ?? ""));
    // What a block consists of reaches no further by itself.
    expect(open.map(({ text, within }) => [text, within.at(-1)])).toEqual(
      path.startsWith("/gateways/") ? [[turning, "h1"]] : [],
    );
    expect(told.length).toBeGreaterThan(2);
  }
});
