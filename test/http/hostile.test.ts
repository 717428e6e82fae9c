/** Every kind of page, whatever the words are: its markup, as html-validate judges it, and what no words can bring into it. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { SCRIPT_PATH } from "../../src/http/pages/layout.tsx";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { hostileTextOf } from "../formats/hostile-text.ts";
import { type Html, readHtml } from "./html.ts";
import { courseTail, probesTail, stepsOf, TROUBLED } from "./published-status.ts";
import {
  BALANCE_GONE,
  canaryMonitor,
  daysOf,
  gatewayDocument,
  gatewayThatIs,
  incidentDocument,
  lowConsole,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  pendingCanary,
  plannedWindow,
  publishedIncident,
  regionDocument,
  reportDocument,
  resolvedIncident,
  SILENT_REGION,
  STALE_MS,
  statusDocument,
  streamingCanary,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";
import { LANGUAGES } from "../../src/config/config.ts";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { faultsOf } from "./markup.ts";

const world = useWorld();

const INCIDENT = "acme-models-20261120t080000z";
const GATEWAYS = ["/gateways/acme", "/gateways/acme?lang=zh"];
const PAGES = ["/", ...GATEWAYS, `/incidents/${INCIDENT}`, `/reports/${INCIDENT}-1`];

/** Everything that a gateway, or the author of the configuration, may have put into words. */
function worldOf(text: string): { status: StatusDocument; tail: Partial<SnapshotTail> } {
  const error = { errorType: text, errorCode: text, requestId: text, taskId: text, message: text };
  const diagnosis: Diagnosis = { ...BALANCE_GONE, ...error, taskState: text, advice: text };
  const words = { kind: text, model: text, missingModels: [text], incident: text, report: text };
  const monitor = monitorDocument({ ...words, status: "blocked", diagnosis });
  const status = statusDocument({
    title: text,
    notice: text,
    status: "blocked",
    gateways: [gatewayDocument({ name: text, endpoint: text, monitors: [monitor] })],
    maintenance: [plannedWindow([text], undefined, text)],
  });
  const report = reportDocument({ ...error, endpoint: text, modelId: text, client: text, reproduce: text });
  const incident = incidentDocument({
    monitors: [`acme/${text}`],
    timeline: [timelineEntry({ type: "opened", text }), timelineEntry({ type: text, text })],
    notes: [{ at: "2026-11-20T08:00:00.000Z", text }],
    url: text,
  });
  const incidents = [{ incident, reports: [report], fullReports: [report] }];
  return { status, tail: { incidents, ...dayOf(text) } };
}

/** A day with all that a page can show of one: nothing but the names of models comes from elsewhere. */
function dayOf(text: string): Partial<SnapshotTail> {
  const steps = stepsOf({
    3: { health: "down", cause: "timeout" },
    30: { health: "degraded", cause: "slow", p50: 2000, p95: 3000 },
    47: { health: "blocked", cause: "insufficient_balance" },
  });
  const failed = { health: "blocked", cause: "insufficient_balance", httpStatus: 402 } as const;
  const notes = [
    { atMs: NOW_MS - 2000, count: 9, vanished: [], returned: [] },
    { atMs: NOW_MS - 1000, count: 8, vanished: [text, "gpt-9"], returned: [] },
    { atMs: NOW_MS, count: 9, vanished: [], returned: [text] },
  ];
  return { ...courseTail(steps), ...probesTail([{}, failed]), modelNotes: { "acme/models": notes } };
}

async function pagesOf(text: string): Promise<Html[]> {
  const { status, tail } = worldOf(text);
  await world.publish(status, tail);
  return Promise.all(
    PAGES.map(async (path) => {
      const response = await world.ask(path);
      expect(response.status, path).toBe(200);
      return readHtml(withoutLanguages(await response.text()));
    }),
  );
}

/** What the language is depends on the words; no words can bring these attributes into a page, whose quotes are escaped. */
function withoutLanguages(html: string): string {
  return html.replaceAll(/ lang="(?:en|zh|zh-Hans)"/gu, "");
}

const MARKUP = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "<!--",
  "]]>",
];
const ESCAPES = [
  "</title><script>",
  "&lt;script&gt;",
  "&#60;",
  "javascript:alert(1)",
  "`${1}`",
  "{{1}}",
  "valueOf",
];
const SIGNS = ["\u0000", "\u001b[31m", "\u202e", "😀", "\ud800", "\r\n"];
const hostileText = hostileTextOf([...MARKUP, ...ESCAPES, ...SIGNS]);

test("whatever the words are, a page has the tags and attributes of a harmless one, and shows them as text", async () => {
  const harmless = await pagesOf("words");
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      // JSON and UTF-8 carry no lone surrogates.
      const shown = text.toWellFormed();
      for (const [index, page] of (await pagesOf(text)).entries()) {
        expect(page.tags).toEqual(harmless[index]?.tags);
        expect(page.texts.join("\n")).toContain(shown);
        for (const [place, value] of page.values.entries()) {
          const usual = harmless[index]?.values[place] ?? "";
          const written = /^\/[a-z]/u.test(usual) ? encodeURIComponent(shown) : shown;
          expect(value).toBe(usual.replaceAll("words", written));
        }
      }
    }),
    { numRuns: rounds(15, 60) },
  );
});

test("no page has a script but its own file, an inline style or an inline handler", async () => {
  for (const { tags, values } of await pagesOf("words")) {
    expect(tags.filter((tag) => tag.startsWith("<script"))).toEqual(["<script src defer>"]);
    expect(tags[tags.indexOf("<script src defer>") + 1]).toBe("</script>");
    expect(values.filter((value) => value.endsWith(".js"))).toEqual([SCRIPT_PATH]);
    for (const tag of tags) expect(tag).not.toMatch(/^<(?:style|iframe|object|form)|\s(?:style|on\w+)[\s>]/u);
  }
});

test("a link's target is always an address of this site, or of the project", async () => {
  const { status, tail } = worldOf("javascript:alert(1)");
  await world.publish(status, tail);
  for (const path of PAGES.flatMap((page) => (page.includes("?") ? [page] : [page, `${page}?lang=zh`]))) {
    const html = await world.text(path);
    const targets = [...html.matchAll(/href="([^"]*)"/gu)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(3);
    for (const target of targets)
      expect(target).toMatch(
        /^(?:\/(?!\/)|#(?:main|report)$|\?lang=\w+$|data:image\/svg\+xml,%3Csvg%20|https:\/\/github\.com\/gatepulse\/gatepulse(?:\/tree\/main\/docs)?$)/u,
      );
  }
});

const OPEN = publishedIncident();
const OVER = resolvedIncident(NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS);
interface Asked {
  readonly path: string;
  /** Absent: the page is read; else it answers this form. */
  readonly form?: string;
  readonly nowMs?: number;
}

const EVERY_KIND: readonly Asked[] = [
  { path: "/" },
  { path: "/", nowMs: STALE_MS },
  { path: "/?state=down&name=a" },
  { path: "/gateways/acme" },
  { path: "/gateways/acme", nowMs: STALE_MS },
  { path: `/incidents/${OPEN.incident.id}` },
  { path: `/incidents/${OVER.incident.id}` },
  { path: `/reports/${OPEN.incident.id}-1` },
  { path: "/docs" },
  { path: "/causes" },
  { path: "/embed" },
  { path: "/embed?gateway=none" },
  { path: "/explain" },
  { path: "/explain", form: "text=HTTP/2 429%0A%0A{}&kind=chat" },
  { path: "/explain", form: "text=+" },
  { path: "/nothing-here" },
];

async function markupOf(
  language: string,
  { path, form, nowMs = NOW_MS }: Asked,
  deps: Partial<AppDeps> = {},
) {
  const headers = { accept: "text/html", "accept-language": language };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const init =
    form === undefined ? { headers } : { method: "POST", headers: { ...headers, ...type }, body: form };
  return (await world.ask(path, init, { now: () => nowMs, ...deps })).text();
}

function publishTrouble(): Promise<void> {
  const days = daysOf((index) => (index === 3 ? "down" : index === 4 ? "blocked" : "up"));
  const regions = [regionDocument(), SILENT_REGION];
  const monitors = [
    monitorThatIs("blocked", { days, regions, incident: OPEN.incident.id, report: OPEN.incident.report }),
    canaryMonitor(),
    streamingCanary(),
    pendingCanary(),
    lowConsole(),
    monitorDocument({ id: "acme/rest", nextProbeAt: null, pausedAt: "2026-11-20T10:00:00.000Z" }),
  ];
  const acme = gatewayDocument({ status: "blocked", monitors });
  const others = (["down", "degraded", "unknown", "up"] as const).map((health) =>
    gatewayThatIs(health, health),
  );
  // With so many there is a filter.
  const grouped = Array.from({ length: 30 }, (_, index) =>
    Object.assign(gatewayThatIs("up", `m${index}`), { group: index < 15 ? "East" : "West" }),
  );
  return world.publish(
    statusDocument({
      notice: "<b>Simulated</b>",
      gateways: [acme, ...others, ...grouped],
      incidents: [OPEN.incident],
      maintenance: [plannedWindow(["up"])],
    }),
    {
      incidents: [OPEN, OVER],
      ...courseTail(TROUBLED),
      ...probesTail([{}, { health: "down", cause: "timeout" }]),
    },
  );
}

const IN_LANGUAGES = LANGUAGES.flatMap((language) =>
  EVERY_KIND.map((asked) => ({ language, path: asked.path, asked })),
);

test.each(IN_LANGUAGES)("in $language: $path", async ({ language, asked }) => {
  await publishTrouble();
  expect(await faultsOf(await markupOf(language, asked))).toEqual([]);
});

test.each(LANGUAGES)("in %s: without anything published, and without the token", async (language) => {
  for (const viewToken of [null, "a-token-of-viewers"])
    expect(await faultsOf(await markupOf(language, { path: "/" }, { viewToken }))).toEqual([]);
});

test("a list with a paragraph in it is a fault", async () => {
  const html = await markupOf("en", { path: "/nothing-here" });
  expect(await faultsOf(html.replace("<main id=", '<main id="main"><ul><p></p></ul><i id='))).not.toEqual([]);
});
