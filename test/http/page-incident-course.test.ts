import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import type { IncidentDocument, StatusDocument, TimelineEntryDocument } from "../../src/history/documents.ts";
import { readHtml, textOf } from "./html.ts";
import {
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  useWorld,
  statusDocument,
  timelineEntry,
} from "./published-status.ts";

const world = useWorld();

const monitors = [
  monitorDocument({ nextProbeAt: "2026-11-20T12:05:00.000Z" }),
  monitorDocument({
    id: "acme/chat",
    kind: "chat",
    model: "gpt-4o",
    nextProbeAt: "2026-11-20T12:01:00.000Z",
  }),
];
const STATUS = statusDocument({
  summary: { up: 2, degraded: 0, down: 0, blocked: 0, unknown: 0 },
  gateways: [gatewayDocument({ monitors })],
});

interface Shown {
  readonly status?: Partial<StatusDocument>;
  readonly nowMs?: number;
  readonly withCauses?: string[];
}

async function show(path: string, incident: IncidentDocument, shown: Shown = {}): Promise<string> {
  const { nowMs = NOW_MS, withCauses = ["acme"] } = shown;
  const incidents = incident.resolvedAt === null ? [incident] : [];
  await world.publish(
    { ...STATUS, incidents, ...shown.status },
    { withCauses, incidents: [{ incident, reports: [], fullReports: [] }] },
  );
  const html = await world.text(path, nowMs);
  expect(() => readHtml(html)).not.toThrow();
  return html;
}

/** The incident's own page, and the overview with its list. */
async function bothOf(more: Partial<IncidentDocument>, shown: Shown = {}): Promise<[string, string]> {
  const incident = incidentDocument(more);
  const page = await show(`/incidents/${incident.id}`, incident, shown);
  return [textOf(page), textOf(await show("/", incident, shown))];
}

const REFUSED = {
  cause: "connection_failed",
  health: "down",
  owner: "operator",
} as const satisfies Partial<TimelineEntryDocument>;
const OPENED = timelineEntry({ ...REFUSED, text: "Look at the gateway." });
const JOINED = timelineEntry({
  ...REFUSED,
  at: "2026-11-20T08:01:00.000Z",
  type: "joined",
  text: "acme/chat does not reach the gateway either.",
});
const LEFT = timelineEntry({
  ...REFUSED,
  at: "2026-11-20T09:00:00.000Z",
  type: "left",
  text: "acme/chat works again.",
});
const SHARED = { ...REFUSED, monitors: ["acme/models", "acme/chat"], timeline: [OPENED, JOINED] };
const RESOLVED = { resolvedAt: "2026-11-20T09:30:00.000Z" };
const ended = (type: string, text: string) => endEntry({ at: "2026-11-20T09:30:00.000Z", type, text });

test("an incident of several monitors is the gateway's: it cannot be reached", async () => {
  for (const text of await bothOf(SHARED)) {
    expect(text).toContain("Acme cannot be reached: The connection failed");
  }
  const [page] = await bothOf(SHARED);
  expect(page).toContain("Gateway Acme Monitors acme/models, acme/chat Id");
  expect(page).toContain("UTC another monitor joined: acme/chat does not reach the gateway either.");
  const over = { ...SHARED, ...RESOLVED, timeline: [OPENED, JOINED, ended("resolved", "All is well.")] };
  for (const text of await bothOf(over)) expect(text).toContain("Acme could not be reached: The connection");
});

test("who has left an incident is told, and when the others are tried again", async () => {
  const [page] = await bothOf({ ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LEFT] });
  expect(page).toContain("Monitors acme/models, acme/chat (not in it any more) Id");
  expect(page).toContain("UTC a monitor left: acme/chat works again.");
  expect(page).toContain("Next check 2026-11-20 12:05:00 UTC");
  const [together] = await bothOf(SHARED);
  expect(together).toContain("Next check 2026-11-20 12:01:00 UTC");
});

test("a gateway that is reached again and fails otherwise is not told to be unreachable", async () => {
  const updated = timelineEntry({ ...REFUSED, type: "updated", cause: "service_misconfigured" });
  const timeline = [OPENED, JOINED, LEFT, updated];
  const members = ["acme/models"];
  for (const text of await bothOf({ ...SHARED, members, cause: "service_misconfigured", timeline })) {
    expect(text).toContain("Acme · models: The connection failed; later: The service failed within itself");
    expect(text).not.toContain("cannot be reached");
  }
});

test("joining and leaving change neither the cause nor whose turn it is", async () => {
  const [page] = await bothOf({ ...SHARED, timeline: [OPENED, JOINED, LEFT] });
  expect(page.match(/Whose turn then/gu)).toHaveLength(1);
  expect(page).toContain("What to do Look at the gateway.");
});

test("of a timeline that was cut the last entry still tells how it was", async () => {
  const last = { ...LEFT, cause: null, owner: null, sent: null, text: "" };
  const first = { ...OPENED, cause: null, owner: null, sent: null, text: "", health: "degraded" } as const;
  const more = { ...SHARED, cause: null, owner: null, timeline: [first, last] };
  const [page, list] = await bothOf(more);
  expect(list).toContain("Acme: Degraded, later Down");
  expect(page).toContain("It is down now; before that: degraded.");
});

test("where the timeline lost what told of the present cause, no advice of another is given", async () => {
  const joined = { ...JOINED, cause: "timeout" } as const;
  const [page] = await bothOf({ ...SHARED, cause: "timeout", timeline: [OPENED, joined] });
  expect(page).toContain("Acme cannot be reached: No complete answer in time");
  expect(page).not.toContain("What to do");
});

test("without causes a shared incident tells its health, and who joined without the reason", async () => {
  const [page, list] = await bothOf(
    { ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LEFT] },
    { withCauses: [], status: { incidents: [] } },
  );
  expect(page).toContain("Acme · models: Down");
  expect(page).toContain(
    "2026-11-20 08:01:00 UTC another monitor joined 2026-11-20 09:00:00 UTC a monitor left",
  );
  for (const text of [page, list]) expect(text).not.toMatch(/reach|connection|operator/iu);
});

test("an incident of the monitoring itself says that no gateway is reached", async () => {
  const own = { cause: "dns_failure", owner: "network", health: "unknown" } as const;
  const more = { ...own, gateway: null, monitors: [], report: null, timeline: [timelineEntry(own)] };
  for (const text of await bothOf(more)) {
    expect(text).toContain("The monitoring itself can reach no gateway: The name does not resolve");
  }
});

const FLAPPING = timelineEntry({
  ...REFUSED,
  at: "2026-11-20T09:10:00.000Z",
  type: "flapping",
  text: "More than 4 changes within an hour.",
});
const FLAPS = { ...REFUSED, flapping: true, timeline: [OPENED, FLAPPING] };

test("an incident that flaps says so, on its page and in lists, and claims nothing of now", async () => {
  const before = { ...OPENED, health: "degraded" } as const;
  const [page, list] = await bothOf({ ...FLAPS, timeline: [before, FLAPPING] });
  for (const text of [page, list]) {
    expect(text).toContain(
      "Flapping: checks succeed and fail by turns, so often that their changes are not told one by one.",
    );
  }
  expect(page).toContain("It was down when that was last told; before that: degraded");
  expect(page).not.toContain("It is down now");
  expect(page).toContain("UTC began to flap: More than 4 changes within an hour.");
});

test("what was down while it flapped was an outage, however it began, and how it ended is not claimed", async () => {
  const began = { ...OPENED, health: "blocked" } as const;
  const flaps = { ...FLAPPING, health: "blocked" } as const;
  const seen = timelineEntry({ ...REFUSED, type: "updated", health: "down" });
  const timeline = [began, flaps, seen, ended("resolved", "All is well.")];
  const [page] = await bothOf({ ...FLAPS, ...RESOLVED, flapping: false, health: "down", timeline });
  expect(page).toContain("It was down when that was last told; before that: blocked");
  expect(page).not.toContain("no outage");
});

test("a stale page claims no flapping of now; what is steady again flaps no more", async () => {
  for (const text of await bothOf(FLAPS, { nowMs: NOW_MS + HOUR_MS })) {
    expect(text).toContain("Flapping: checks succeeded and failed by turns when they stopped.");
    expect(text).not.toContain("checks succeed and");
  }
  const steady = timelineEntry({ ...REFUSED, type: "steady", text: "It goes on." });
  const [page, list] = await bothOf({ ...FLAPS, flapping: false, timeline: [OPENED, FLAPPING, steady] });
  expect(page).toContain("UTC flaps no more: It goes on.");
  for (const text of [page, list]) expect(text).not.toContain("Flapping:");
});

test("that a person has seen an incident is told while it is open, and when on its page", async () => {
  const seen = { acknowledgedAt: "2026-11-20T08:10:00.000Z" };
  const [page, list] = await bothOf(seen);
  expect(page).toContain("not resolved yet Seen by a person 2026-11-20 08:10:00 UTC");
  expect(list).toContain("when good checks go on. A person has seen it.");
  const over = { ...seen, ...RESOLVED, timeline: [timelineEntry(), ended("resolved", "All is well.")] };
  const [overPage, overList] = await bothOf(over);
  expect(overPage).toContain("Seen by a person 2026-11-20 08:10:00 UTC Resolved");
  expect(overList).not.toContain("A person has seen it.");
  for (const text of await bothOf({})) expect(text).not.toMatch(/seen it|Seen by/u);
});

test("notes are counted in lists and told on the page, line by line and in their language", async () => {
  const notes = [
    { at: "2026-11-20T08:20:00.000Z", text: "The rack has no power.\nIt is back at 13:00." },
    { at: "2026-11-20T08:30:00.000Z", text: "正在恢复供电" },
  ];
  const incident = incidentDocument({ notes });
  const page = await show(`/incidents/${incident.id}`, incident);
  expect(page).toContain("<bdi>The rack has no power.\nIt is back at 13:00.</bdi>");
  expect(page).toContain('<bdi lang="zh">正在恢复供电</bdi>');
  expect(page.indexOf("<h2>Notes</h2>")).toBeLessThan(page.indexOf("<h2>Timeline</h2>"));
  expect(textOf(await show("/", incident))).toContain("when good checks go on. 2 notes.");
  const over = { ...RESOLVED, timeline: [timelineEntry(), ended("resolved", "All is well.")] };
  const [, list] = await bothOf({ ...over, notes: notes.slice(0, 1) });
  expect(list).toContain("(1 h 31 min, counted from the first failed check). 1 note.");
  expect((await bothOf({}))[0]).not.toContain("Notes");
});

test("an incident that a pause ended is not told to have recovered", async () => {
  const over = { ...RESOLVED, timeline: [timelineEntry(), ended("paused", "The monitor was paused.")] };
  const [page, list] = await bothOf(over);
  expect(page).toContain(
    "Monitor paused (was Blocked) This incident ended because its monitor was paused; that it recovered was never seen.",
  );
  expect(page).toContain(
    "Monitor paused 2026-11-20 09:30:00 UTC (after 1 h 31 min, counted from the first failed check)",
  );
  expect(page).toContain("UTC paused: The monitor was paused.");
  expect(list).toContain("Recent incidents Monitor paused (was Blocked) Acme · models");
  expect(list).toContain(
    "(1 h 31 min, counted from the first failed check). That it recovered was never seen.",
  );
  for (const text of [page, list]) expect(text).not.toContain("Resolved");
});

test("of several monitors it is the last one whose pause or removal ends the incident", async () => {
  for (const how of ["paused", "removed"]) {
    const timeline = [OPENED, JOINED, LEFT, ended(how, "")];
    const [page] = await bothOf({ ...SHARED, ...RESOLVED, timeline });
    expect(page).toContain(`This incident ended because its last monitor was ${how}; that it recovered was`);
  }
});

test("a tick stands only where it was seen to be well", async () => {
  const shapeOf = async (type: string): Promise<string | undefined> => {
    const incident = incidentDocument({ ...RESOLVED, timeline: [timelineEntry(), ended(type, "")] });
    const html = await show("/", incident);
    return /<span class="mark ended"><svg [^>]*><path d="([^"]+)"/u.exec(html)?.[1];
  };
  const [well, removed, paused] = [
    await shapeOf("resolved"),
    await shapeOf("removed"),
    await shapeOf("paused"),
  ];
  expect(well).toBeDefined();
  expect(removed).toBeDefined();
  expect(paused).toBe(removed);
  expect(well).not.toBe(removed);
});

const MAINTENANCE = [
  { gateways: [], from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T13:00:00.000Z", title: "Moving" },
];

test("in planned maintenance good checks end no incident, and the page promises no such thing", async () => {
  const words = "The last check was good; the incident ends when good checks go on.";
  for (const text of await bothOf({})) expect(text).toContain(words);
  for (const text of await bothOf({}, { status: { maintenance: MAINTENANCE } })) {
    expect(text).not.toContain(words);
  }
});

test("an incident is mending when those who are still in it are well", async () => {
  const words = "The last check was good;";
  const chat = monitorDocument({ id: "acme/chat", kind: "chat", status: "down" });
  const status = { gateways: [gatewayDocument({ monitors: [monitorDocument(), chat] })] };
  expect((await bothOf({ ...SHARED, members: ["acme/models"] }, { status }))[0]).toContain(words);
  expect((await bothOf(SHARED, { status }))[0]).not.toContain(words);
});
