/** The frame of pages: how fresh they are, the icon in the tab, what is planned, the script and where one goes from here. */
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { iconOf, SHAPES } from "../../src/http/pages/view.ts";
import { SCRIPT_PATH } from "../../src/http/pages/layout.tsx";
import { DEMO_NOTICE } from "../../src/local/demo.ts";
import { expectWords, plainSpaces, readHtml, textOf } from "./html.ts";
import {
  gatewayDocument,
  gatewayThatIs,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  plannedWindow,
  publishedIncident,
  resolvedIncident,
  STALE_MS,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();
const get = (path: string, nowMs?: number) => world.text(path, nowMs);

const PUBLISHED = publishedIncident();
const INCIDENT = `/incidents/${PUBLISHED.incident.id}`;
const OVER = resolvedIncident(NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS);
const FRESH = ["/", "/gateways/acme", INCIDENT, `/incidents/${OVER.incident.id}`];
const freshOf = (html: string) => /<p class="fresh">.*?<\/p>/su.exec(html)?.[0] ?? null;

test.each([
  [0, "under 1 min ago"],
  [59_999, "under 1 min ago"],
  [60_000, "1 min ago"],
  [4 * MINUTE_MS - 1, "3 min ago"],
  // The clock of this machine may be behind.
  [-5000, "under 1 min ago"],
])("%i ms after the last round the overview says that it was %s", async (age, words) => {
  await world.publish(statusDocument());
  const fresh = freshOf(await get("/", NOW_MS + age));
  expect(plainSpaces(textOf(fresh ?? ""))).toBe(`Checked ${words}.`);
  expect(fresh).toContain('title="2026-11-20 12:00:00 UTC"');
});

test("pages of a gateway and of an incident say when their own monitors were checked last", async () => {
  const probed = (at: string) => ({ lastProbe: { at, latencyMs: 800, attempts: 1, waitedMs: 0 } });
  const monitors = [
    monitorDocument(probed("2026-11-20T11:57:00.000Z")),
    monitorDocument({ id: "acme/chat", ...probed("2026-11-20T11:40:00.000Z") }),
    monitorDocument({ id: "acme/new", lastProbe: null }),
  ];
  const incident = incidentDocument({ monitors: ["acme/chat", "acme/new"] });
  await world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }), {
    incidents: [publishedIncident(incident)],
  });
  const wordsOn = async (path: string) => plainSpaces(textOf(freshOf(await get(path)) ?? ""));
  expect(await wordsOn("/")).toBe("Checked under 1 min ago.");
  expect(await wordsOn("/gateways/acme")).toBe("Checked 3 min ago.");
  expect(await wordsOn(`/incidents/${incident.id}`)).toBe("Checked 20 min ago.");
});

test("an incident and its report lead back to what is above them", async () => {
  const { incident } = PUBLISHED;
  const own = incidentDocument({ id: "own", gateway: null, monitors: [] });
  await world.publish(statusDocument(), { incidents: [PUBLISHED, publishedIncident(own)] });
  const wayOf = async (path: string) => {
    const html = await get(path);
    const [nav = ""] = /<nav class="crumbs" aria-label="Where you are">.*?<\/nav>/su.exec(html) ?? [];
    return [...nav.matchAll(/<li(?: aria-current="(page)")?>(?:<a href="([^"]+)">)?(.*?)<\/li>/gsu)].map(
      ([, current, href, words = ""]) => [current ?? href, textOf(words)],
    );
  };
  const above = [
    ["/", "Overview"],
    ["/gateways/acme", "Acme"],
  ];
  expect(await wayOf(INCIDENT)).toEqual([...above, ["page", "Incident"]]);
  expect(await wayOf(`/reports/${PUBLISHED.reports[0]?.id}`)).toEqual([
    ...above,
    [`/incidents/${incident.id}`, "Incident"],
    ["page", "Problem report"],
  ]);
  expect(await wayOf("/incidents/own")).toEqual([
    ["/", "Overview"],
    ["page", "Incident"],
  ]);
});

test("the demo's note is in the language of the page, and any other as it was written", async () => {
  const noteOf = async (notice: string) => {
    await world.publish(statusDocument({ notice }));
    return /<p class="notice">.*?<\/p>/su.exec(await get("/?lang=zh"))?.[0];
  };
  expect(await noteOf(DEMO_NOTICE)).toContain("本机模拟");
  expect(await noteOf("We move.")).toContain('<bdi lang="en">We move.</bdi>');
});

test("within a minute a page does not change, so a reader who has it need not load it again", async () => {
  await world.publish(statusDocument());
  for (const path of ["/", "/gateways/acme"]) {
    const first = await get(path, NOW_MS + 61_000);
    expect(await get(path, NOW_MS + 119_000)).toBe(first);
    expect(await get(path, NOW_MS + 120_000)).not.toBe(first);
  }
});

test("the script is told from when to count, and the age at which the server too would call the page stale", async () => {
  await world.publish(statusDocument(), { incidents: [PUBLISHED, OVER] }, { tickMs: 60_000 });
  for (const path of FRESH) {
    const html = await get(path);
    expect(html).toContain(
      '<p id="lost" role="alert" hidden data-since="2026-11-20T12:00:00.000Z" data-limit="420000" data-title="Out of date · " data-icon="data:image/svg+xml,',
    );
    expect(freshOf(await get(path, NOW_MS + 420_000))).not.toBeNull();
    expect(freshOf(await get(path, NOW_MS + 420_001))).toBeNull();
  }
});

test("a stale page claims no freshness, and hides no words for a script to show", async () => {
  await world.publish(statusDocument(), { incidents: [PUBLISHED, OVER] });
  for (const path of FRESH) {
    const html = await get(path, STALE_MS);
    expect(freshOf(html)).toBeNull();
    expectWords(html, [], ["data-ago", 'id="lost"']);
    expect(textOf(html)).toContain("The checks have stopped");
  }
  await world.publish(statusDocument({ lastTickAt: null }), {}, { lastTickMs: null });
  expect(freshOf(await get("/"))).toBeNull();
});

const hrefOfIcon = (html: string) => /<link rel="icon" href="([^"]+)">/u.exec(html)?.[1] ?? "";

/** Colour and shape of an icon, as a browser reads the address. */
function drawnIn(href: string): [colour: string, shape: string] {
  const svg = decodeURIComponent(href.replace(/^data:image\/svg\+xml,/u, ""));
  expect(() => readHtml(svg)).not.toThrow();
  expect(svg).toContain('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">');
  const [, colour = "", shape = ""] =
    /fill="(#[0-9a-f]{6})" fill-rule="evenodd" d="([^"]+)"/u.exec(svg) ?? [];
  return [colour, shape];
}
const shapeOf = (html: string) => drawnIn(hrefOfIcon(html))[1];

const TONES = ["up", "degraded", "down", "blocked", "unknown"] as const;

test.each(TONES)("where the worst is %s, the icon of every page has its shape", async (health) => {
  const gateways = [gatewayThatIs(health), gatewayThatIs("up", "g1")];
  await world.publish(statusDocument({ gateways }), { incidents: [PUBLISHED] });
  for (const path of ["/", "/gateways/acme", INCIDENT]) expect(shapeOf(await get(path))).toBe(SHAPES[health]);
  expect(shapeOf(await get("/", STALE_MS))).toBe(SHAPES.unknown);
  const planned = await world.show({
    gateways: [gatewayThatIs(health)],
    maintenance: [plannedWindow(["acme"])],
  });
  expect(shapeOf(planned)).toBe(SHAPES.maintenance);
});

test("icons of different tones differ in shape and in colour", () => {
  const drawn = ([...TONES, "maintenance"] as const).map((tone) => drawnIn(iconOf(tone)));
  for (const part of [0, 1]) expect(new Set(drawn.map((icon) => icon[part])).size).toBe(6);
});

test("pages of what was published name their zone and load the script when they are read, and /docs does not", async () => {
  await world.publish(statusDocument({ timeZone: "Asia/Shanghai" }), { incidents: [PUBLISHED] });
  for (const path of ["/", "/gateways/acme", INCIDENT, `/reports/${PUBLISHED.incident.id}-1`]) {
    const html = await get(path);
    expect(html).toContain('<body data-zone="Asia/Shanghai">');
    expect(html.match(/<script [^>]*>/gu)).toEqual([`<script src="${SCRIPT_PATH}" defer>`]);
    expect(html).toMatch(/<span data-local="[^"]+">Times and days are in Asia\/Shanghai\.<\/span>/u);
  }
  expectWords(await get("/docs"), [], ["<script", "data-zone"]);
  // The full times are those of the zone too, with their instants for machines.
  expect(await get(INCIDENT)).toContain(
    '<time datetime="2026-11-20T07:59:00.000Z">2026-11-20 15:59:00 GMT+8</time>',
  );
});

/** Of the section of maintenance. */
function maintenanceOf(html: string): readonly string[] {
  const [, list = ""] =
    /<section class="box plan"><h2>Planned maintenance<\/h2><ul>(.*?)<\/ul><\/section>/su.exec(html) ?? [];
  return [...list.matchAll(/<li>(.*?)<\/li>/gsu)].map(([, item = ""]) => textOf(item));
}

test("maintenance under way and to come is told of those whom it concerns; on a gateway's page, of its own", async () => {
  const past = plannedWindow(["acme"], ["11:00:00.000", "12:00:00.000"], "Over");
  const maintenance = [
    past,
    plannedWindow(["acme"], ["11:00:00.000", "12:00:01.000"], "Moving"),
    plannedWindow(["g1"], ["12:00:00.000", "13:00:00.000"], "Beginning"),
    plannedWindow(["g1", "gone"], ["12:00:01.000", "13:00:00.000"], "Elsewhere"),
    plannedWindow([], ["14:00:00.000", "15:00:00.000"], "Everywhere"),
  ];
  const gateways = [gatewayThatIs("up"), gatewayThatIs("up", "g1")];
  const moving = "Moving (The acme): under way for another under 1 min";
  const everywhere = "Everywhere (all gateways): starts in 2 h, lasts 1 h";
  expect(maintenanceOf(await world.show({ gateways, maintenance }))).toEqual([
    moving,
    "Beginning (The g1): under way for another 1 h",
    "Elsewhere (The g1, gone): starts in under 1 min, lasts 59 min 59 s",
    everywhere,
  ]);
  expect(maintenanceOf(await get("/gateways/acme"))).toEqual([moving, everywhere]);
  expect(await world.show({ gateways, maintenance: [past] })).not.toContain("Planned maintenance");
});
