/** In which language who gets what, and how one comes to another. In Chinese no English word is left but where it is said to be English, or is a name. */
import { parseAtomFeed } from "feedsmith";
import { beforeEach, expect, test, vi } from "vitest";
import type { IncidentDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type * as app from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import { expectWords, readHtml, spokenIn, textOf } from "./html.ts";
import {
  BALANCE_GONE,
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  oneGateway,
  plannedWindow,
  publishedIncident,
  reportDocument,
  STALE_MS,
  statusDocument,
  timelineEntry,
} from "./documents.ts";
import { BEARER, openDesk } from "./admin-desk.ts";
import { courseTail, depsOf, probesTail, stepsOf, useWorld } from "./published-status.ts";
import { EN, TERMS, ZH } from "./words.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { causeRow } from "../../src/protocol/causes.ts";
import { type Cause, CAUSES, type Diagnosis, HEALTHS } from "../../src/protocol/diagnosis.ts";

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

/** Names and ids of these tests, formats, units, and zones: the same in any language. */
const NAMES =
  /\b(?:Acme gateways|Acme|acme|The acme|models|chat|Gatepulse|gatepulse|HTTP|TLS|JSON|Markdown|API|DNS|URL|User-Agent|GET|HEAD|UTC|GMT|Asia\/Shanghai|p50|p95|p99|ms|id|v1|gpt-9|gpt-10|authentication|[mn]\d+|[a-z]+_[a-z_]+)\b/gu;

/** What is neither Chinese nor a name, though the page says it is Chinese. */
function foreignIn(html: string): string[] {
  readHtml(html);
  return spokenIn(html)
    .filter(({ lang, within }) => lang === "zh-Hans" && !within.includes("code") && !within.includes("small"))
    .map(({ text, within }) => (within.includes("pre") ? text.replaceAll(/`[^`]*`/gu, "") : text))
    .filter((text) => /\p{Script=Latin}/u.test(text.replaceAll(NAMES, "")));
}

type Shown = Partial<{ status: Partial<StatusDocument>; tail: Partial<SnapshotTail>; nowMs: number }>;

/** The words of the page; its document is published first, where there is one. */
async function wordsAt(path: string, { status, tail, nowMs = NOW_MS }: Shown = {}): Promise<string> {
  if (status) await world.publish(statusDocument(status), tail);
  const headers = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8", accept: "text/html" };
  const html = await (await world.ask(path, { headers }, { now: () => nowMs })).text();
  expect(html).toContain('<html lang="zh-Hans">');
  expect(foreignIn(html)).toEqual([]);
  // Chinese punctuation has its space in itself.
  return textOf(html).replaceAll(/ ?([，。；：、（）]) ?/gu, "$1");
}

function monitorOf(cause: Cause, more: Partial<MonitorDocument> = {}): MonitorDocument {
  const at = {
    layer: "http",
    httpStatus: 500,
    businessCode: null,
    retryAllowed: true,
    key: null,
    via: null,
  } as const;
  const { owner, health, ok, advice } = causeRow(cause, at);
  const retry = { afterSeconds: 100, allowed: true, hint: null };
  const diagnosis: Diagnosis = {
    ...BALANCE_GONE,
    cause,
    owner,
    health,
    ok,
    advice,
    retry,
    ambiguous: ["timeout"],
    message: "Something broke in here",
  };
  return monitorThatIs(health, { diagnosis, missingModels: ["gpt-9", "gpt-10"], ...more });
}

const OPEN = incidentDocument();
const ITSELF = {
  gateway: null,
  monitors: [],
  cause: "dns_failure",
  owner: "network",
  health: "unknown",
} as const;
const END = endEntry({ at: "2026-11-20T09:30:00.000Z" });
const entry = (type: string, text: string) => timelineEntry({ type, text });
const FLAPPING = entry("flapping", "More than 4 changes within an hour: until it is steady, only reminders.");
const JOINED = entry("joined", "acme/chat cannot reach the gateway either.");

/** Each is published in turn; with what its own page says. */
const INCIDENTS: readonly (readonly [incident: Partial<IncidentDocument>, words: string])[] = [
  [{}, "由您处理 并非网关故障。请检查账户的余额"],
  [
    { flapping: true, acknowledgedAt: END.at, timeline: [timelineEntry(), JOINED, FLAPPING] },
    "另一监控项加入 首次失败后 1 分钟 acme/chat 也无法连接网关。",
  ],
  [{ resolvedAt: END.at, timeline: [timelineEntry(), END] }, "前，历时 1 小时 31 分钟。"],
  [ITSELF, "监控系统自身：域名无法解析"],
  [{ cause: null, owner: null, timeline: [] }, "原因不公开 这些网关只公开状态。"],
];

test.each(INCIDENTS)("pages about an incident: %j", async (more, words) => {
  const incident = incidentDocument(more);
  const told = {
    ...oneGateway(
      monitorOf("service_misconfigured", { incident: OPEN.id, report: `${OPEN.id}-2` }),
      monitorOf("timeout", { id: "acme/chat" }),
      monitorThatIs("unknown", { lastStatus: "down", pausedAt: "2026-11-20T09:00:00.000Z" }),
      monitorThatIs("unknown", { lastStatus: null, lastProbe: null }),
      monitorDocument({ status: "blocked", diagnosis: null }),
    ),
    maintenance: [plannedWindow([], ["14:00:00.000", "15:00:00.000"], "迁移机房")],
    timeZone: "Asia/Shanghai",
    notice: "These data are simulated",
  };
  const unsent = reportDocument({ cause: "authentication", attempts: 0, httpStatus: null, streaming: true });
  const reports = [{ ...unsent, id: `${incident.id}-1` }];
  const tail = { incidents: [{ incident, reports, fullReports: [] }] };
  for (const status of [told, { ...told, maintenance: [plannedWindow([])] }]) {
    await wordsAt("/", {
      status: { ...status, incidents: incident.resolvedAt === null ? [incident] : [] },
      tail,
    });
    for (const path of ["/", "/gateways/acme", `/incidents/${incident.id}`, `/reports/${incident.id}-1`])
      for (const nowMs of [NOW_MS, STALE_MS]) await wordsAt(path, { nowMs });
  }
  expect(await wordsAt(`/incidents/${incident.id}`)).toContain(words);
});

test("every cause, in cards, charts and checks", async () => {
  const monitors = CAUSES.flatMap((cause, index) => [
    monitorOf(cause, { id: `acme/m${index}` }),
    monitorOf(cause, { id: `acme/n${index}`, status: "unknown", lastStatus: "down" }),
  ]);
  const first = { ...monitorDocument(), missingModels: [] };
  const steps = stepsOf(Object.fromEntries(CAUSES.map((cause, index) => [index, { health: "down", cause }])));
  const note = { atMs: NOW_MS, count: 42, vanished: ["gpt-9", "gpt-10"], returned: ["gpt-9"] };
  const tail = {
    ...courseTail(steps),
    ...probesTail([
      ...CAUSES.map((cause) => ({ health: "down", cause, attempts: 3, waitedMs: 7310 }) as const),
      ...HEALTHS.map((health) => ({ health, cause: "ok", inMaintenance: true, attempts: 0 }) as const),
    ]),
    modelNotes: { "acme/models": [note] },
  };
  expectWords(await wordsAt("/gateways/acme", { status: oneGateway(first, ...monitors), tail }), [
    "由谁处理：监控所用密钥的持有者。",
    "3，等待 7 秒",
    "列表中有 42 个模型。消失：",
  ]);
  await wordsAt("/");
});

test.each(["/", "/gateways/none", "/incidents/acme.models-20261120t120000z", "/nowhere"])(
  "a failure: %s",
  async (path) => {
    await wordsAt(path);
    await world.publish(statusDocument());
    await wordsAt(path);
  },
);

interface ProblemText {
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly { readonly detail: string }[];
}

/** All words of the problem that answers, without code and the names of settings. */
async function problemIn(response: Response): Promise<string> {
  expect(response.headers.get("content-language")).toBe("zh-Hans");
  expect(response.headers.get("vary")).toContain("accept-language");
  const { title, detail, errors = [] } = (await response.json()) as ProblemText;
  const CODE =
    /"[^"]*"|\S*\/\S*|^\w+: |; \w+: |\b(?:errors|step|region|from|text|announcement|incident|model|gpt-4o|true|false|z|status|headers|body|for|kind|RFC|Ledger|UTF-8|(?:\w+, )+\w+)\b|[\d:TZ-]{10,}/gu;
  return [title, detail, ...errors.map((fault) => fault.detail)]
    .join("\n")
    .replaceAll(CODE, "")
    .replaceAll(TERMS, "");
}

const ZH_CN = { "accept-language": "zh-CN", accept: "application/json" };

test.each([
  ["/nowhere"],
  ["/api/v1/gateways/acme/monitors/none"],
  ["/api/v1/gateways/acme/monitors/models/history?step=2&from=x&region=moon"],
  ["/api/v1/gateways/acme/monitors/models/history?from=2026-11-20T12:00:00Z&to=2026-11-19T12:00:00Z"],
  ["/api/v1/incidents/none"],
  ["/api/v1/route"],
  ["/badge/none.json"],
  ["/api/v1/status", { method: "DELETE" }],
  ["/api/v1/explain", { method: "POST" }],
  ["/api/v1/explain", { method: "POST", body: "{" }],
  ["/api/v1/explain?kind=none", { method: "POST", body: "x" }],
  ["/push", { method: "POST", body: "{}" }],
] as const)(
  "the problem at %s is told in Chinese to a client that prefers it",
  async (path, more?: RequestInit) => {
    const type = more?.body === undefined ? "text/html" : "application/json";
    const init = { ...more, headers: { ...ZH_CN, "content-type": type } };
    expect(await problemIn(await world.ask(path, init, { memory }))).not.toMatch(/[A-Za-z]{2,}/u);
  },
);

test.each([
  ["POST", "incidents/acme.models-20261120t080000z/notes", {}],
  ["POST", "incidents/acme.models-20261120t080000z/notes", { text: "", public: 1, more: 1 }],
  ["POST", "gateways/acme/pause", { for: "2h", until: "2026-11-20T13:00:00Z" }],
  ["POST", "gateways/acme/pause", { for: "x", until: "x" }],
  ["POST", "maintenance", { gateways: [], title: "" }],
  ["POST", "announcements", { kind: "x", status: "x" }],
  ["POST", "alerts/replay", { event: "!", channel: "!" }],
  ["POST", "alerts/test", "{"],
  ["PUT", "maintenance", undefined],
  ["GET", "nothing", undefined],
] as const)("so is that of administrators at %s %s with %j", async (method, path, body) => {
  const desk = openDesk();
  const init = {
    method,
    headers: { ...BEARER, ...ZH_CN },
    ...(body && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
  const answer = await desk.send(`/api/v1/admin/${path}`, init);
  expect(await problemIn(answer)).not.toMatch(/[A-Za-z]{2,}/u);
});
