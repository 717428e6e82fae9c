/** The frame of pages: how fresh they are, the icon in the tab, what is planned, the script and where one goes from here. */
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { GatewayDocument, StatusDocument } from "../../src/history/documents.ts";
import { handleRequest } from "../../src/http/app.ts";
import { iconOf } from "../../src/http/pages/icon.ts";
import { SHAPES } from "../../src/http/pages/shapes.ts";
import { scriptPath } from "../../src/http/pages/script.ts";
import { summaryOf } from "../../src/history/standing.ts";
import type { Health } from "../../src/protocol/diagnosis.ts";
import { readHtml, textOf } from "./html.ts";
import {
  depsOf,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  publishedIncident,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

async function get(path: string, nowMs = NOW_MS): Promise<string> {
  const request = new Request(`https://status.example${path}`, { headers: { accept: "text/html" } });
  return (await handleRequest(request, depsOf(world.kv, { now: () => nowMs }))).text();
}

function gatewayOf(health: Health, id = "acme"): GatewayDocument {
  const monitor = monitorDocument({ id: `${id}/models`, status: health, lastStatus: health });
  return gatewayDocument({ id, name: `The ${id}`, status: health, monitors: [monitor] });
}

function statusOf(healths: readonly Health[], more: Partial<StatusDocument> = {}): StatusDocument {
  const gateways = healths.map((health, index) => gatewayOf(health, index === 0 ? "acme" : `g${index}`));
  return statusDocument({ gateways, summary: summaryOf(healths), ...more });
}

const freshOf = (html: string) => /<p class="fresh">.*?<\/p>/su.exec(html)?.[0] ?? null;

test.each([
  [0, "less than a minute ago"],
  [59_999, "less than a minute ago"],
  [60_000, "1 minute ago"],
  [4 * MINUTE_MS - 1, "3 minutes ago"],
  // The clock of this machine may be behind.
  [-5000, "less than a minute ago"],
])("%i ms after the last round both pages say that it was %s", async (age, words) => {
  await world.publish(statusDocument());
  for (const path of ["/", "/gateways/acme"]) {
    const fresh = freshOf(await get(path, NOW_MS + age));
    expect(textOf(fresh ?? "")).toBe(`Checked ${words} (2026-11-20 12:00:00 UTC).`);
  }
});

test("within a minute a page does not change, so that whoever has it need not load it again", async () => {
  await world.publish(statusDocument());
  for (const path of ["/", "/gateways/acme"]) {
    const first = await get(path, NOW_MS + 61_000);
    expect(await get(path, NOW_MS + 119_000)).toBe(first);
    expect(await get(path, NOW_MS + 120_000)).not.toBe(first);
  }
});

test("the script is told from when to count, and the age at which the server too would call the page stale", async () => {
  await world.publish(statusDocument(), {}, { tickMs: 60_000 });
  const html = await get("/");
  const [, at, limit] = /<span data-ago="([^"]+)" data-limit="(\d+)">/u.exec(html) ?? [];
  expect(at).toBe("2026-11-20T12:00:00.000Z");
  expect(html).toContain(
    '<p id="lost" role="alert" hidden data-title="Out of date · " data-icon="data:image/svg+xml,',
  );
  expect(freshOf(await get("/", NOW_MS + Number(limit)))).not.toBeNull();
  expect(freshOf(await get("/", NOW_MS + Number(limit) + 1))).toBeNull();
});

test("a stale page claims no freshness, and hides no words for a script to show", async () => {
  await world.publish(statusDocument());
  for (const path of ["/", "/gateways/acme"]) {
    const html = await get(path, NOW_MS + HOUR_MS);
    expect(freshOf(html)).toBeNull();
    expect(html).not.toContain("data-ago");
    expect(html).not.toContain('id="lost"');
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

test.each(["up", "degraded", "down", "blocked", "unknown"] as const)(
  "where the worst is %s, the icon of every page has its shape",
  async (health) => {
    await world.publish(statusOf([health, "up"]), { incidents: [publishedIncident()] });
    for (const path of ["/", "/gateways/acme", `/incidents/${publishedIncident().incident.id}`]) {
      expect(drawnIn(hrefOfIcon(await get(path)))[1]).toBe(SHAPES[health]);
    }
    expect(drawnIn(hrefOfIcon(await get("/", NOW_MS + HOUR_MS)))[1]).toBe(SHAPES.unknown);
  },
);

test("in planned maintenance the icon is that of maintenance; tones differ in shape and in colour", async () => {
  const window = {
    gateways: ["acme"],
    from: "2026-11-20T11:00:00.000Z",
    to: "2026-11-20T13:00:00.000Z",
    title: "Moving",
  };
  await world.publish(statusOf(["down"], { maintenance: [window] }));
  expect(drawnIn(hrefOfIcon(await get("/")))[1]).toBe(SHAPES.maintenance);
  const drawn = (["up", "degraded", "down", "blocked", "unknown", "maintenance"] as const).map((tone) =>
    drawnIn(iconOf(tone)),
  );
  expect(new Set(drawn.map(([colour]) => colour)).size).toBe(6);
  expect(new Set(drawn.map(([, shape]) => shape)).size).toBe(6);
  expect(iconOf("stale")).toBe(iconOf("unknown"));
});

test("what is not known has no icon of health, no time zone and no script", async () => {
  for (const path of ["/", "/nowhere"]) {
    const html = await get(path);
    expect(drawnIn(hrefOfIcon(html))[1]).toBe(SHAPES.unknown);
    expect(html).not.toContain("<script");
    expect(html).toContain("<body><a");
  }
});

test("pages of what was published name their zone and load the script when they are read, and /docs does not", async () => {
  await world.publish(statusDocument({ timeZone: "Asia/Shanghai" }), { incidents: [publishedIncident()] });
  const { id } = publishedIncident().incident;
  for (const path of ["/", "/gateways/acme", `/incidents/${id}`, `/reports/${id}-1`]) {
    const html = await get(path);
    expect(html).toContain('<body data-zone="Asia/Shanghai">');
    expect(html.match(/<script [^>]*>/gu)).toEqual([`<script src="${scriptPath()}" defer>`]);
    expect(html).toMatch(/<span data-local="[^"]+">Times and days are those of Asia\/Shanghai\.<\/span>/u);
  }
  const docs = await get("/docs");
  expect(docs).not.toContain("<script");
  expect(docs).not.toContain("data-zone");
});

test("the header leads home, to what explains an answer, to the API, to the feed and to the other language", async () => {
  await world.publish(statusDocument());
  const header = /<header>.*?<\/header>/su.exec(await get("/gateways/acme?lang=en"))?.[0] ?? "";
  expect(
    [...header.matchAll(/<a href="([^"]*)"[^>]*>(?:<bdi>)?([^<]*)</gu)].map(([, href, words]) => [
      href,
      words,
    ]),
  ).toEqual([
    ["/?lang=en", "Acme gateways"],
    ["/explain?lang=en", "Explain"],
    ["/docs?lang=en", "API"],
    ["/feed.atom?lang=en", "Feed"],
    ["?lang=zh", "中文"],
  ]);
});

test("a gateway's page without incidents says so of open ones and of those that ended", async () => {
  await world.publish(statusDocument());
  const of = async (nowMs: number) => textOf(await get("/gateways/acme", nowMs));
  expect(await of(NOW_MS)).toContain("Incidents No open incident, and none ended lately.");
  expect(await of(NOW_MS + HOUR_MS)).toContain(
    "Incidents None was open when the checks stopped, and none had ended lately.",
  );
});

const planned = (gateways: string[], from: string, to: string, title: string) => ({
  gateways,
  from: `2026-11-20T${from}.000Z`,
  to: `2026-11-20T${to}.000Z`,
  title,
});

/** By their headings: the sections of maintenance. */
function maintenanceOf(html: string): Readonly<Record<string, readonly string[]>> {
  const sections = html.matchAll(/<section class="box"><h2>([^<]*)<\/h2><ul>(.*?)<\/ul><\/section>/gsu);
  return Object.fromEntries(
    [...sections].map(([, heading = "", list = ""]) => [
      heading,
      [...list.matchAll(/<li>(.*?)<\/li>/gsu)].map(([, item = ""]) => textOf(item)),
    ]),
  );
}

test("maintenance under way and to come is told of those whom it concerns; on a gateway's page, of its own", async () => {
  const maintenance = [
    planned(["acme"], "11:00:00", "12:00:00", "Over"),
    planned(["acme"], "11:00:00", "12:00:01", "Moving"),
    planned(["g1"], "12:00:00", "13:00:00", "Beginning"),
    planned(["g1", "gone"], "12:00:01", "13:00:00", "Elsewhere"),
    planned([], "14:00:00", "15:00:00", "Everywhere"),
  ];
  await world.publish(statusOf(["up", "up"], { maintenance }));
  const moving = "Moving (The acme): under way since 2026-11-20 11:00:00 UTC until 2026-11-20 12:00:01 UTC";
  const everywhere =
    "Everywhere (all gateways): planned from 2026-11-20 14:00:00 UTC until 2026-11-20 15:00:00 UTC";
  expect(maintenanceOf(await get("/"))).toEqual({
    Maintenance: [
      moving,
      "Beginning (The g1): under way since 2026-11-20 12:00:00 UTC until 2026-11-20 13:00:00 UTC",
    ],
    "Planned maintenance": [
      "Elsewhere (The g1, gone): planned from 2026-11-20 12:00:01 UTC until 2026-11-20 13:00:00 UTC",
      everywhere,
    ],
  });
  expect(maintenanceOf(await get("/gateways/acme"))).toEqual({
    Maintenance: [moving],
    "Planned maintenance": [everywhere],
  });
  await world.publish(statusOf(["up"], { maintenance: maintenance.slice(0, 1) }));
  expect(maintenanceOf(await get("/"))).toEqual({});
});

test("maintenance to come stands after what is open and what fails now", async () => {
  const maintenance = [
    planned([], "11:00:00", "13:00:00", "Moving"),
    planned([], "14:00:00", "15:00:00", "Moving back"),
  ];
  await world.publish(statusOf(["down"], { maintenance }));
  const headingsOf = async (path: string) =>
    [...(await get(path)).matchAll(/<h2>(.*?)<\/h2>/gsu)].map(([, words = ""]) => textOf(words));
  expect(await headingsOf("/")).toEqual([
    "Maintenance",
    "Open incidents",
    "Planned maintenance",
    "The acme Maintenance",
    "Recent incidents",
  ]);
  expect(await headingsOf("/gateways/acme")).toEqual([
    "Maintenance",
    "Monitors The acme: Maintenance",
    "Planned maintenance",
    "Incidents",
  ]);
});
