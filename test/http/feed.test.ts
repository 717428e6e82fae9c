/** Feeds and the calendar, as readers that did not write them understand them. */
import * as fc from "fast-check";
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import RssParser from "rss-parser";
import { expect, test } from "vitest";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { rounds } from "../extent.ts";
import { hostileText } from "../formats/hostile-text.ts";
import { readXml } from "../formats/xml-reader.ts";
import { expectWords, readHtml, textOf } from "./html.ts";
import {
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  plannedWindow,
  publishedIncident,
  reportDocument,
  statusDocument,
  timelineEntry,
} from "./documents.ts";
import { config } from "../fixtures/config.ts";
import { depsOf, useWorld } from "./published-status.ts";
import ICAL from "ical.js";
import { instant } from "../../src/domain/calendar.ts";
import { recurringWindows } from "../../src/domain/recurrence.ts";

const world = useWorld();

const INCIDENT_ID = "acme-models-20261120t080000z";

const hoursOn = (hours: number): Partial<AppDeps> => ({ now: () => NOW_MS + hours * 3_600_000 });

type Parsed = ReturnType<typeof parseAtomFeed<string>>;
type Entry = NonNullable<Parsed["entries"]>[number] & { readonly words: string };
interface Feed extends Omit<Parsed, "entries"> {
  readonly entries: readonly Entry[];
}

const get = (headers: Record<string, string> = {}, deps: Partial<AppDeps> = {}, host = "status.example") =>
  handleRequest(new Request(`https://${host}/feed.atom`, { headers }), depsOf(world.kv, deps));
const text = async (deps?: Partial<AppDeps>, host?: string): Promise<string> =>
  (await get({}, deps, host)).text();
const feed = async (deps?: Partial<AppDeps>): Promise<Feed> => {
  const xml = await text(deps);
  readXml(xml);
  const parsed = parseAtomFeed(xml);
  const entries = (parsed.entries ?? []).map((entry) =>
    Object.assign(entry, { words: textOf(entry.content?.value ?? "") }),
  );
  return { ...parsed, entries };
};
test("the feed says what it is, where it is, and where its page is", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  expect(await feed()).toMatchObject({
    id: "tag:status.example,2026:feed",
    title: { value: "Acme gateways" },
    subtitle: { value: "Incidents and planned maintenance." },
    updated: "2026-11-20T08:00:00.000Z",
    authors: [{ name: "Acme gateways" }],
    links: [
      { rel: "self", type: "application/atom+xml", href: "https://status.example/feed.atom" },
      { rel: "alternate", type: "text/html", href: "https://status.example/" },
    ],
  });
});

test("where nothing ever happened the feed is empty, and as old as the last change of a health", async () => {
  const since = ["2026-11-20T08:00:00.000Z", "2026-11-20T08:30:00.000Z"];
  const monitors = since.map((at) => monitorDocument({ since: at }));
  await world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }));
  expect(await feed()).toMatchObject({ updated: "2026-11-20T08:30:00.000Z", entries: [] });
  await world.clear();
  await world.publish(statusDocument({ gateways: [] }));
  expect(await feed()).toMatchObject({ updated: "1970-01-01T00:00:00.000Z", entries: [] });
});

test("nothing in it comes from the clock: later checks and publications leave every byte as it is", async () => {
  const incident = publishedIncident();
  await world.publish(statusDocument({ notice: "Simulated." }), { incidents: [incident] });
  const before = await get();
  const at = "2026-11-20T14:00:00.000Z";
  const monitors = [monitorDocument({ status: "blocked", nextProbeAt: "2026-11-20T14:01:00.000Z" })];
  const gateways = [gatewayDocument({ status: "blocked", monitors })];
  const later = statusDocument({ notice: "Simulated.", generatedAt: at, lastTickAt: at, gateways });
  const laterReport = reportDocument({ id: `${INCIDENT_ID}-2`, requestedAt: at, message: "later" });
  const reports = [incident.reports[0]!, laterReport];
  await world.publish(later, { incidents: [{ ...incident, reports }] }, { lastTickMs: NOW_MS + 7_200_000 });
  const etag = before.headers.get("etag") ?? "";
  const after = await get({}, hoursOn(2));
  expect(await after.text()).toBe(await before.text());
  expect(after.headers.get("etag")).toBe(etag);
  expect((await get({ "if-none-match": etag }, hoursOn(2))).status).toBe(304);
});

test("the configured address names everything, whatever host was asked", async () => {
  const url = "https://Status.Acme.example";
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  const deps = { config: config([], { url }) };
  const one = await text(deps);
  expect(await text(deps, "gatepulse.someone.workers.example")).toBe(one);
  const ids = ["2026:feed", `2026-11-20:incidents/${INCIDENT_ID}`];
  expectWords(one, [
    ...ids.map((id) => `<id>tag:status.acme.example,${id}</id>`),
    ...["feed.atom", `incidents/${INCIDENT_ID}`].map((path) => `href="${url}/${path}"`),
  ]);
});

const at = (time: string): string => `2026-11-20T${time}:00.000Z`;
const TIMEOUT = { cause: "timeout", owner: "operator", health: "down" } as const;

/** As of so many hours on. */
function publish(
  tail: Partial<SnapshotTail>,
  maintenance = tail.maintenance ?? [],
  hours = 0,
): Promise<void> {
  const facts = { lastTickMs: NOW_MS + hours * 3_600_000 };
  return world.publish(statusDocument({ maintenance: [...maintenance] }), tail, facts);
}

test("an entry is an incident: id, dates, title, author, its page, and its story", async () => {
  await publish({ incidents: [publishedIncident()] });
  const [entry] = (await feed()).entries;
  expect(entry).toMatchObject({
    id: `tag:status.example,2026-11-20:incidents/${INCIDENT_ID}`,
    title: { value: "Monitor blocked: Acme · models: The balance is used up" },
    published: at("08:00"),
    updated: at("08:00"),
    authors: [{ name: "Acme gateways" }],
    links: [{ rel: "alternate", type: "text/html", href: `https://status.example/incidents/${INCIDENT_ID}` }],
    content: { type: "html" },
  });
  expect(entry?.words).toBe(
    "Monitor blocked. A blocked monitor cannot see whether its gateway works. If production uses this account, its calls fail too. " +
      "Whose turn: the owner of the monitor’s key. Top up. " +
      "2026-11-20 08:00:00 UTC Incident opened. The balance is used up.",
  );
});

test("an ended incident tells its end, its notes and who saw it, and is as new as the last of them", async () => {
  const ended = publishedIncident({
    ...TIMEOUT,
    resolvedAt: at("09:30"),
    acknowledgedAt: at("08:05"),
    timeline: [timelineEntry({ ...TIMEOUT, text: "Wait." }), endEntry({ at: at("09:30"), cause: "timeout" })],
    notes: [{ at: at("10:15"), text: "A switch had failed." }],
  });
  await publish({ incidents: [ended] });
  const [entry] = (await feed()).entries;
  const title = { value: "Resolved: Acme · models: The request timed out" };
  expect(entry).toMatchObject({ title, published: at("08:00"), updated: at("10:15") });
  expectWords(entry?.words ?? "", [
    "Acknowledged.",
    "The request timed out. Whose turn then: the gateway’s operator.",
    "Note of 2026-11-20 10:15:00 UTC: A switch had failed.",
    "2026-11-20 09:30:00 UTC Resolved. The last probes succeeded.",
  ]);
});

const MOVE = { from: "2026-11-22T12:00:00.000Z", to: "2026-11-22T14:00:00.000Z", title: "Move" };
const OF_ACME = { gateways: ["acme"], ...MOVE };
const WINDOW_ID = "tag:status.example,2026-11-21:maintenance/maintenance.mwrsbk00";

test("planned maintenance is told from a day before, and anew when it begins and when it ends", async () => {
  const maintenance = [{ id: "m1", ...OF_ACME }];
  const told = async (hours: number, planned = maintenance) => {
    await publish({ maintenance }, planned, hours);
    const { entries, updated } = await feed(hoursOn(hours));
    return entries.map((entry) => [entry.id, entry.title?.value, entry.updated, updated]);
  };
  const row = (title: string, when: string) => [
    ["tag:status.example,2026-11-21:maintenance/m1", title, when, when],
  ];
  expect(await told(23.99)).toEqual([]);
  expect(await told(24)).toEqual(row("Planned maintenance: Move", "2026-11-21T12:00:00.000Z"));
  expect(await told(48)).toEqual(row("Planned maintenance, under way: Move", MOVE.from));
  const over = row("Planned maintenance, over: Move", MOVE.to);
  expect(await told(50)).toEqual(over);
  expect(await told(60, [])).toEqual(over);
});

test("a window of the configuration has no id of its own, and is known by when it begins, and whom it concerns", async () => {
  await publish({ maintenance: [{ gateways: [], ...MOVE }, OF_ACME] }, undefined, 24);
  const { entries } = await feed(hoursOn(24));
  expect(entries.map(({ id }) => id)).toEqual([WINDOW_ID, `${WINDOW_ID}.acme`]);
  expect(entries[0]?.words).toBe(
    "Move: from 2026-11-22 12:00:00 UTC to 2026-11-22 14:00:00 UTC. Affects Acme. " +
      "Checks during maintenance do not count in uptime.",
  );
});

test("when the checks have stopped, the subtitle says so, and no incident is called open", async () => {
  await publish({ incidents: [publishedIncident()] });
  const told = await feed({ now: () => NOW_MS + 420_001 });
  expect(told.subtitle?.value).toBe(
    "The checks have stopped. The current state of the gateways is not known.",
  );
  expect(told.entries.map(({ words }) => words)).toEqual([expect.not.stringContaining("is open")]);
});

test("RSS 2.0 and JSON Feed 1.1 have the same entries, with dates as each wants them", async () => {
  await publish({ incidents: [publishedIncident()] });
  const [entry] = (await feed()).entries;
  const date = "Fri, 20 Nov 2026 08:00:00 GMT";
  const [title, description] = ["Acme gateways", "Incidents and planned maintenance."];
  const rss = await world.text("/feed.rss");
  readXml(rss);
  expect(parseRssFeed(rss)).toMatchObject({
    title,
    description,
    language: "en",
    link: "https://status.example/",
    lastBuildDate: date,
    atom: { links: [{ rel: "self", href: "https://status.example/feed.rss" }] },
    items: [
      {
        guid: { value: entry?.id, isPermaLink: false },
        link: entry?.links?.[0]?.href,
        pubDate: date,
        content: { encoded: entry?.content?.value },
      },
    ],
  });
  const json: unknown = await (await world.ask("/feed.json?lang=en")).json();
  expect(json).toMatchObject({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description,
    language: "en",
    home_page_url: "https://status.example/?lang=en",
    feed_url: "https://status.example/feed.json?lang=en",
    items: [{ id: entry?.id, date_published: at("08:00"), date_modified: at("08:00") }],
  });
  const { title: name, url, content_html: html } = parseJsonFeed(json).items?.[0] ?? {};
  expect([name, url]).toEqual([entry?.title?.value, `${entry?.links?.[0]?.href}?lang=en`]);
  expect(textOf(html ?? "")).toBe(entry?.words);
});

test("a gateway's feed has what concerns it, also from before it was renamed, and its former address works", async () => {
  const named = (id: string, monitor: string) =>
    publishedIncident({ id, gateway: monitor.split("/")[0]!, monitors: [monitor] });
  const windows = [["beta"], ["acme"], []].map((gateways) => Object.assign({ gateways }, MOVE));
  const other = gatewayDocument({ id: "beta", name: "Beta", monitors: [] });
  const tail = {
    incidents: [named("one", "acme/models"), named("two", "old/list"), named("three", "beta/list")],
    formerly: { "acme/models": ["old/list", "beta/models"] },
    maintenance: windows,
  };
  await world.publish(statusDocument({ gateways: [gatewayDocument(), other] }), tail);
  for (const id of ["acme", "old"]) {
    const response = await world.ask(`/gateways/${id}/feed.json`, {}, hoursOn(24));
    const { title, home_page_url, feed_url, items = [] } = parseJsonFeed(await response.json());
    const page = "https://status.example/gateways/acme";
    expect([title, home_page_url, feed_url]).toEqual(["Acme · Acme gateways", page, `${page}/feed.json`]);
    const keys = [
      "maintenance/maintenance.mwrsbk00.acme",
      "maintenance/maintenance.mwrsbk00",
      "incidents/one",
      "incidents/two",
    ];
    expect(items.map((item) => item.id?.split(":").at(-1))).toEqual(keys);
  }
  expect((await world.ask("/gateways/none/feed.rss")).status).toBe(404);
});

test("pages name the feeds: a gateway's page its own, others those of all", async () => {
  await publish({});
  const linksOn = async (path: string) =>
    [...(await world.text(path)).matchAll(/<link rel="alternate" type="([^"]+)"[^>]* href="([^"]+)"/gu)].map(
      ([, ...of]) => of,
    );
  const links = (of: string) => [
    ["application/atom+xml", `${of}/feed.atom`],
    ["application/rss+xml", `${of}/feed.rss`],
    ["application/feed+json", `${of}/feed.json`],
  ];
  expect(await linksOn("/")).toEqual(links(""));
  expect(await linksOn("/gateways/acme")).toEqual(links("/gateways/acme"));
});

/** Everything that others put into words. */
async function publishWords(words: string): Promise<void> {
  const status = statusDocument({
    title: words,
    notice: words,
    gateways: [gatewayDocument({ name: words, monitors: [monitorDocument({ kind: words, model: words })] })],
    maintenance: [plannedWindow([], undefined, words)],
  });
  const incident = incidentDocument({
    timeline: [timelineEntry({ text: words }), timelineEntry({ type: words, text: words })],
    notes: [{ at: "2026-11-20T08:30:00.000Z", text: words }],
    url: words,
  });
  const reports = [reportDocument({ id: `${INCIDENT_ID}-1`, message: words })];
  await world.publish(status, { incidents: [{ incident, reports, fullReports: [] }] });
}

/** Without what XML cannot carry. */
function shownIn(content: string): string {
  return content
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}

test("whatever the words are, both readers find the same entries, and the words as text in them", async () => {
  await publishWords("words");
  const harmless = await feed();
  const harmlessTags = harmless.entries.map(({ content }) => readHtml(content?.value ?? "").tags);
  await fc.assert(
    fc.asyncProperty(hostileText, async (hostile) => {
      await publishWords(hostile);
      const xml = await text();
      const root = readXml(xml);
      const names = root.children.map(({ name }) => name).join(" ");
      expect(names).toBe("id title subtitle updated author link link entry entry");
      const contents = root.children
        .filter(({ name }) => name === "entry")
        .map(({ children }) => children.find(({ name }) => name === "content")?.text ?? "")
        // What the language is depends on the words.
        .map((content) => content.replaceAll(/ lang="zh"/gu, ""));
      expect(contents.map((content) => readHtml(content).tags)).toEqual(harmlessTags);
      const words = shownIn(hostile).replaceAll(/\r\n?/gu, "\n");
      for (const content of contents)
        expect(readHtml(content).texts.join("").replaceAll(/\r\n?/gu, "\n")).toContain(words);
      const ids = harmless.entries.map(({ id }) => id);
      expect(parseAtomFeed(xml).entries?.map(({ id }) => id)).toEqual(ids);
      const { items } = await new RssParser().parseString(xml);
      expect(items.map((item) => item["id"] as unknown)).toEqual(ids);
      const rss = await world.text("/feed.rss");
      readXml(rss);
      const read = await new RssParser().parseString(rss);
      expect(read.items.map(({ guid }) => guid)).toEqual(ids);
      const told = parseJsonFeed(await (await world.ask("/feed.json")).json());
      expect(told.items?.map((item) => item.id)).toEqual(ids);
    }),
    { numRuns: rounds(25, 100) },
  );
});

/** Its lines are whole, have nothing but what RFC 5545 allows, and at most 75 bytes. */
async function calendarAt(path = "/calendar.ics") {
  const written = await world.text(path);
  // oxlint-disable-next-line no-control-regex -- these characters must not be there
  expect(written.replaceAll("\r\n", "")).not.toMatch(/[\0-\x08\n-\x1f\x7f]/u);
  for (const line of written.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const calendar = new ICAL.Component(ICAL.parse(written) as [string, unknown[], unknown[]]);
  const events = calendar.getAllSubcomponents();
  expect(events.every(({ name }) => name === "vevent")).toBe(true);
  // The reader does not know that this one is a text too.
  const name = String(calendar.getFirstPropertyValue("x-wr-calname")).replaceAll(/\\(.)/gu, "$1");
  return { name, events: events.map(eventOf) };
}

function eventOf(event: InstanceType<typeof ICAL.Component>) {
  const valueOf = (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null;
  const [uid, sequence, url] = ["uid", "sequence", "url"].map(valueOf);
  const times = ["dtstart", "dtend", "dtstamp", "last-modified"].map(valueOf);
  return { uid, sequence, url, times, summary: valueOf("summary"), description: valueOf("description") };
}

test("an incident is an event that is dated by its last change, and ends when it is over", async () => {
  await publish({ incidents: [publishedIncident()] });
  const { name, events } = await calendarAt();
  expect(name).toBe("Acme gateways");
  const [begun, over, resolvedAt] = ["2026-11-20T08:00:00Z", "2026-11-20T09:30:00Z", at("09:30")];
  const same = {
    uid: "incidents/acme-models-20261120t080000z@status.example",
    url: "https://status.example/incidents/acme-models-20261120t080000z",
  };
  const summary = "Monitor blocked: Acme · models: The balance is used up";
  expect(events).toMatchObject([{ ...same, summary, times: [begun, null, begun, begun], sequence: "1" }]);
  expect(events[0]?.description).toMatch(/^Monitor blocked\. .*\nWhose turn: .*\n2026-11-20 08:00:00 UTC/u);
  const timeline = [timelineEntry(), endEntry({ at: resolvedAt })];
  await publish({ incidents: [publishedIncident({ resolvedAt, timeline })] });
  expect((await calendarAt()).events).toMatchObject([
    { ...same, times: [begun, over, over, over], sequence: "2" },
  ]);
});

test("windows to come of a rule are events, in local time; a cancelled one is gone", async () => {
  const rule = { rrule: "FREQ=WEEKLY", from: "2026-11-15T02:00", timeZone: "Europe/Berlin" };
  const recurring = [{ ...rule, durationMs: 3_600_000, gateways: ["acme"], title: "Upgrade" }];
  const windows = recurringWindows(recurring, NOW_MS).map(({ fromMs, toMs, title }) => {
    return { gateways: ["acme"], title, from: instant(fromMs), to: instant(toMs) };
  });
  await publish({ maintenance: [...windows, { id: "m1", ...plannedWindow(["acme"], undefined, "Move") }] });
  const { events } = await calendarAt();
  const upgrades = ["29", "22", "15"].map((day) => `Planned maintenance: Upgrade 2026-11-${day}T01:00:00Z`);
  const told = events.map(({ summary, times }) => `${summary} ${times[0]}`);
  expect(told.filter((words) => words.includes("Upgrade"))).toEqual(upgrades);
  expect(events.map(({ uid }) => uid)).toContain("maintenance/m1@status.example");
  await publish({ maintenance: windows });
  expect((await calendarAt()).events).toHaveLength(3);
});

test("a gateway has a calendar of what concerns it, and others are not found", async () => {
  const maintenance = [["beta"], ["acme"], []].map((of) => plannedWindow(of, undefined, `of ${of.join()}`));
  const updates = [{ at: "2026-11-20T11:00:00.000Z", status: "resolved" as const, body: "It works." }];
  const announcements = (["incident", "announcement"] as const).map((kind) => {
    return { id: kind, kind, title: "Login", gateways: ["acme"], until: null, updates };
  });
  await publish({ maintenance, announcements });
  const { name, events } = await calendarAt("/calendar.ics?gateway=acme");
  expect(name).toBe("Acme · Acme gateways");
  const summaries = ["Planned maintenance: of acme", "Planned maintenance: of", "Resolved: Login"];
  expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(summaries));
  // It ended with its first update: an end that is no later than the start is not allowed.
  const times = events.find(({ summary }) => summary === "Resolved: Login")?.times.slice(0, 2);
  expect(times).toEqual(["2026-11-20T11:00:00Z", null]);
  expect((await world.ask("/calendar.ics?gateway=none")).status).toBe(404);
});

test("whatever names, titles and messages are, the events are the same, and have the words as text", async () => {
  const shown = async (words: string) => {
    const monitors = [monitorDocument({ model: words })];
    const gateways = [gatewayDocument({ name: words, monitors })];
    const notes = [{ at: "2026-11-20T08:30:00.000Z", text: words }];
    await world.publish(statusDocument({ title: words, gateways }), {
      incidents: [publishedIncident({ notes, url: words })],
      maintenance: [plannedWindow([], undefined, words)],
    });
    return calendarAt();
  };
  const harmless = await shown("words");
  await fc.assert(
    fc.asyncProperty(hostileText, async (hostile) => {
      const { name, events } = await shown(hostile);
      const plain = /[\w ,;\\:<>&"']+/u.exec(hostile)?.[0].trim().replaceAll(/ +/gu, " ") ?? "";
      expect(name).toContain(plain);
      for (const [index, { summary, description, ...same }] of events.entries()) {
        expect(harmless.events[index]).toMatchObject(same);
        expect(`${summary}${description}`).toContain(plain);
      }
      expect(events).toHaveLength(2);
    }),
    { numRuns: rounds(25, 100) },
  );
});
