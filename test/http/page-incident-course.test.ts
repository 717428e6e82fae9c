/** How an incident goes on: who joins and leaves, what flaps, who has seen it, what ends it; on its page and in lists. */
import { expect, test } from "vitest";
import type { IncidentDocument, StatusDocument, TimelineEntryDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { expectWords, readHtml, textOf } from "./html.ts";
import {
  endEntry,
  incidentDocument,
  monitorDocument,
  oneGateway,
  plannedWindow,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const MODELS = monitorDocument({ nextProbeAt: "2026-11-20T12:05:00.000Z" });
const CHAT = monitorDocument({ id: "acme/chat", kind: "chat" });
const CHAT_DOWN = { status: oneGateway(MODELS, { ...CHAT, status: "down" }) };

type Shown = Readonly<{ status?: Partial<StatusDocument>; nowMs?: number; tail?: Partial<SnapshotTail> }>;

/** Messages of the incident's own page, and of the overview with its list. */
async function bothOf(more: Partial<IncidentDocument>, shown: Shown = {}): Promise<[string, string]> {
  const status = { ...oneGateway(MODELS, CHAT), ...shown.status };
  const page = await world.showIncident(incidentDocument(more), { ...shown, status });
  const list = await world.text("/", shown.nowMs);
  for (const html of [page, list]) expect(() => readHtml(html)).not.toThrow();
  return [textOf(page), textOf(list)];
}

const REFUSED = { cause: "connection_failed", health: "down", owner: "operator" } as const;
const refused = (type: string, text: string, more: Partial<TimelineEntryDocument> = {}) =>
  timelineEntry({ ...REFUSED, type, text, ...more });
const OPENED = refused("opened", "Look at the gateway.");
const JOINED = refused("joined", "acme/chat does not reach the gateway either.", {
  at: "2026-11-20T08:01:00.000Z",
});
const LEFT = refused("left", "acme/chat works again.", { at: "2026-11-20T09:00:00.000Z" });
const FLAPPING = refused("flapping", "More than 4 changes within an hour.");
const STEADY = refused("steady", "It goes on.");

const SHARED = { ...REFUSED, monitors: ["acme/models", "acme/chat"], timeline: [OPENED, JOINED] };
const FLAPS = { ...REFUSED, flapping: true, timeline: [OPENED, FLAPPING] };
const SEEN = { acknowledgedAt: "2026-11-20T08:10:00.000Z" };
const OWN = { cause: "dns_failure", owner: "network", health: "unknown" } as const;

const ended = (type: string, text = "All is well.") =>
  endEntry({ at: "2026-11-20T09:30:00.000Z", type, text });
const over = (type: string, before: readonly TimelineEntryDocument[] = [timelineEntry()], text?: string) => ({
  resolvedAt: "2026-11-20T09:30:00.000Z",
  timeline: [...before, ended(type, text)],
});
const GOOD = "The last check was good;";
const RECOVERING = `${GOOD} the incident ends when good checks go on.`;
const FLAPS_NOW =
  "Flapping: checks succeeded and failed by turns, so often that their changes are not told one by one.";

interface Row {
  readonly title: string;
  readonly incident?: Partial<IncidentDocument>;
  readonly both?: readonly string[];
  readonly page?: readonly string[];
  readonly list?: readonly string[];
  /** What neither says. */
  readonly absent?: readonly string[];
  readonly at?: Shown;
}

const ROWS: readonly Row[] = [
  {
    title: "of several monitors is the gateway's",
    incident: SHARED,
    both: ["Acme: The connection failed"],
    page: [
      "Gateway Acme Monitors acme/models, acme/chat Id",
      "UTC another monitor joined: acme/chat does not reach the gateway either.",
      "Next check 2026-11-20 12:01:00 UTC",
    ],
  },
  {
    title: "tells who has left it, and when the others are tried again",
    incident: { ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LEFT] },
    page: [
      "Monitors acme/models, acme/chat (not in it any more) Id",
      "UTC a monitor left: acme/chat works again.",
      "Next check 2026-11-20 12:05:00 UTC",
    ],
  },
  {
    title: "with one monitor left in it is titled by that one, and by the present cause",
    incident: {
      ...SHARED,
      members: ["acme/models"],
      cause: "service_misconfigured",
      timeline: [OPENED, JOINED, LEFT, refused("updated", "Top up.", { cause: "service_misconfigured" })],
    },
    both: ["Acme · models: The service failed within itself"],
  },
  {
    title: "whose timeline lost what told of the present cause gives no advice of another",
    incident: { ...SHARED, cause: "timeout", timeline: [OPENED, { ...JOINED, cause: "timeout" }] },
    page: ["Acme: No complete answer in time"],
    absent: ["What to do"],
  },
  {
    title: "without causes tells its health, and who joined without the reason",
    incident: { ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LEFT] },
    page: [
      "Acme · models: Down",
      "2026-11-20 08:01:00 UTC another monitor joined 2026-11-20 09:00:00 UTC a monitor left",
    ],
    absent: ["reach", "Reach", "onnection", "perator"],
    at: { tail: { withCauses: [] }, status: { incidents: [] } },
  },
  {
    title: "of the monitoring itself names no gateway",
    incident: { ...OWN, gateway: null, monitors: [], report: null, timeline: [timelineEntry(OWN)] },
    both: ["The monitoring itself: The name does not resolve"],
  },
  {
    title: "that flaps says so",
    incident: { ...FLAPS, timeline: [{ ...OPENED, health: "degraded" }, FLAPPING] },
    both: [FLAPS_NOW],
    page: ["UTC began to flap: More than 4 changes within an hour."],
  },
  {
    title: "that is steady again flaps no more",
    incident: { ...FLAPS, flapping: false, timeline: [OPENED, FLAPPING, STEADY] },
    page: ["UTC flaps no more: It goes on."],
    absent: ["Flapping:"],
  },
  {
    title: "that a person has seen says so while it is open, and when on its page",
    incident: SEEN,
    page: ["Seen by a person 2026-11-20 08:10:00 UTC"],
    list: ["when good checks go on. A person has seen it."],
  },
  {
    title: "that a person has seen tells it on its page alone when it is over",
    incident: { ...SEEN, ...over("resolved") },
    page: ["Seen by a person 2026-11-20 08:10:00 UTC Resolved"],
    absent: ["A person has seen it."],
  },
  {
    title: "that nobody has seen, without a note, has words of neither",
    both: [RECOVERING],
    absent: ["seen it", "Seen by", "Notes"],
  },
  {
    title: "that a pause ended is not told to have recovered",
    incident: over("paused", [timelineEntry()], "The monitor was paused."),
    page: [
      "Monitor paused That it recovered was never seen.",
      "Monitor paused 2026-11-20 09:30:00 UTC (after 1 h 31 min, counted from the first failed check)",
      "UTC paused: The monitor was paused.",
    ],
    list: [
      "Recent incidents Monitor paused Acme · models",
      "(1 h 31 min, counted from the first failed check). That it recovered was never seen.",
    ],
    absent: ["Resolved"],
  },
  {
    title: "in planned maintenance is not promised to end with good checks",
    absent: [RECOVERING],
    at: { status: { maintenance: [plannedWindow([])] } },
  },
  {
    title: "is recovering when those who are still in it are well",
    incident: { ...SHARED, members: ["acme/models"] },
    page: [GOOD],
    at: CHAT_DOWN,
  },
  { title: "is not recovering while one in it is down", incident: SHARED, absent: [GOOD], at: CHAT_DOWN },
];

test.each(ROWS.map((row) => [row.title, row] as const))("an incident %s", async (_, row) => {
  const { incident = {}, both = [], page = [], list = [], absent, at } = row;
  const [own, listed] = await bothOf(incident, at);
  expectWords(own, [...both, ...page], absent);
  expectWords(listed, [...both, ...list], absent);
});

test("joining and leaving change neither the cause nor whose turn it is", async () => {
  const [page] = await bothOf({ ...SHARED, timeline: [OPENED, JOINED, LEFT] });
  expect(page.match(/Whose turn then/gu)).toHaveLength(1);
  expect(page).toContain("What to do Look at the gateway.");
});

test("notes are counted in lists and told on the page, line by line and in their language", async () => {
  const notes = [
    { at: "2026-11-20T08:20:00.000Z", text: "The rack has no power.\nIt is back at 13:00." },
    { at: "2026-11-20T08:30:00.000Z", text: "正在恢复供电" },
  ];
  const page = await world.showIncident(incidentDocument({ notes }));
  expectWords(page, [
    "<bdi>The rack has no power.\nIt is back at 13:00.</bdi>",
    '<bdi lang="zh">正在恢复供电</bdi>',
  ]);
  expect(page.indexOf("<h2>Notes</h2>")).toBeLessThan(page.indexOf("<h2>Timeline</h2>"));
  expect(textOf(await world.text("/"))).toContain("when good checks go on. 2 notes.");
  const [, list] = await bothOf({ ...over("resolved"), notes: notes.slice(0, 1) });
  expect(list).toContain("(1 h 31 min, counted from the first failed check). 1 note.");
});

test("a tick stands only where it was seen to be well", async () => {
  const shapeOf = async (type: string): Promise<string> => {
    const html = await world.showIncident(incidentDocument(over(type)), { path: "/" });
    return /<span class="mark ended"><svg [^>]*><path d="([^"]+)"/u.exec(html)?.[1] ?? "no mark";
  };
  const well = await shapeOf("resolved");
  const removed = await shapeOf("removed");
  expect(await shapeOf("paused")).toBe(removed);
  expect([well, removed]).not.toContain("no mark");
  expect(well).not.toBe(removed);
});
