import { expect, test } from "vitest";
import type {
  IncidentDocument,
  ReportDocument,
  StatusDocument,
  TimelineEntryDocument,
} from "../../src/history/documents.ts";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { textOf } from "./html.ts";
import {
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  reportDocument,
  useWorld,
  statusDocument,
  timelineEntry,
} from "./published-status.ts";

const STATUS = statusDocument({
  gateways: [gatewayDocument({ monitors: [monitorDocument({ nextProbeAt: "2026-11-20T12:05:00.000Z" })] })],
});
const RESOLVED = { resolvedAt: "2026-11-20T09:30:00.000Z" };
const OVER = endEntry({ at: "2026-11-20T09:30:00.000Z" });

const world = useWorld();

/** Without a tick for so long, everything is stale. */
const STALE_MS = NOW_MS + HOUR_MS;

interface Shown {
  readonly status?: StatusDocument;
  readonly report?: Partial<ReportDocument>;
  readonly nowMs?: number;
}

async function show(path: string, incident: IncidentDocument, shown: Shown = {}): Promise<string> {
  const { status = STATUS, report, nowMs = NOW_MS } = shown;
  const reports = [reportDocument({ id: `${incident.id}-1`, ...report })];
  await world.publish(status, { incidents: [{ incident, reports, fullReports: [] }] });
  return world.text(path, nowMs);
}

async function pageOf(incident: IncidentDocument, shown: Shown = {}): Promise<string> {
  return show(`/incidents/${incident.id}`, incident, shown);
}

async function wordsOf(more: Partial<IncidentDocument>, shown: Shown = {}): Promise<string> {
  return textOf(await pageOf(incidentDocument(more), shown));
}

const OUTAGE = timelineEntry({
  cause: "upstream_unavailable",
  health: "down",
  owner: "upstream",
  text: "Look behind it.",
});
const MOVED = timelineEntry({
  at: "2026-11-20T08:30:00.000Z",
  type: "updated",
  cause: "wrong_url",
  health: "blocked",
  owner: "caller",
  text: "Check the address.",
});
const TURNED = {
  cause: "wrong_url",
  health: "blocked",
  owner: "caller",
  timeline: [OUTAGE, MOVED],
} satisfies Partial<IncidentDocument>;

test("an open incident says whose turn it is, what to do, in whose words, and when it is tried again", async () => {
  const text = await wordsOf({});
  expect(text).toContain("Blocked This incident is open.");
  expect(text).toContain(
    "The monitor cannot see whether the gateway works. This is no outage of the gateway.",
  );
  expect(text).toContain(
    "Whose turn the owner of the monitor’s key What to do Top up. The service’s own words, last no credit " +
      "Next check 2026-11-20 12:05:00 UTC First failure seen 2026-11-20 07:59:00 UTC " +
      "Opened 2026-11-20 08:00:00 UTC (4 h 1 min, counted from the first failed check), not resolved yet Gateway Acme",
  );
});

test("an incident's page says how fresh it is, and has the words for when nothing new comes; a stale one does not", async () => {
  for (const more of [{}, { ...RESOLVED, timeline: [timelineEntry(), OVER] }]) {
    const html = await pageOf(incidentDocument(more), { nowMs: NOW_MS + 61_000 });
    expect(textOf(html)).toContain("Checked 1 minute ago (2026-11-20 12:00:00 UTC).");
    expect(html).toContain('data-limit="420000"');
    expect(html).toContain('<p id="lost" role="alert" hidden');
    expect(await pageOf(incidentDocument(more), { nowMs: STALE_MS })).not.toContain('id="lost"');
  }
});

test("a resolved incident sends nobody to act", async () => {
  const text = await wordsOf({ ...RESOLVED, timeline: [timelineEntry(), OVER] });
  expect(text).toContain("Resolved (was Blocked) This incident is resolved.");
  expect(text).toContain(
    "The monitor could not see whether the gateway worked. That was no outage of the gateway.",
  );
  expect(text).toContain("Whose turn it was the owner of the monitor’s key What was to be done Top up.");
  expect(text).toContain(
    "Resolved 2026-11-20 09:30:00 UTC (after 1 h 31 min, counted from the first failed check)",
  );
  for (const present of [
    "must act",
    "Whose turn:",
    "Whose turn the owner",
    "What to do",
    "Next check",
    "not resolved",
    "cannot see",
  ]) {
    expect(text).not.toContain(present);
  }
});

test("in lists a resolved incident bears no mark of a failure", async () => {
  const incident = incidentDocument({ ...RESOLVED, health: "down", timeline: [{ ...OUTAGE }, OVER] });
  const html = await show("/", incident);
  expect(textOf(html)).toContain("Recent incidents Resolved (was Down) Acme · models");
  expect(html).not.toContain('class="mark down"');
});

test("an outage that turned into a blocked view is not told to be no outage", async () => {
  const text = await wordsOf(TURNED);
  expect(text).toContain(
    "Acme · models: The provider behind the gateway is unavailable; later: The address answers, but not as a gateway",
  );
  expect(text).toContain(
    "It is blocked now; before that: down (The provider behind the gateway is unavailable).",
  );
  expect(text).not.toContain("no outage");
});

test("what an incident was is told when it is over too, and when nobody knows", async () => {
  expect(await wordsOf({ ...TURNED, ...RESOLVED, timeline: [OUTAGE, MOVED, OVER] })).toContain(
    "Resolved (was Down, then Blocked) This incident is resolved. It was blocked at the end; before that: down (The provider",
  );
  expect(await wordsOf(TURNED, { nowMs: STALE_MS })).toContain(
    "It was blocked when the checks stopped; before that: down",
  );
});

test("an incident that came back to its first health names what lay between once", async () => {
  const again = { ...OUTAGE, type: "updated" };
  expect(
    await wordsOf({
      ...TURNED,
      health: "down",
      cause: "upstream_unavailable",
      timeline: [OUTAGE, MOVED, again, MOVED, again],
    }),
  ).toContain("It is down now; before that: blocked (The address answers, but not as a gateway).");
});

const OLDER = { health: null, owner: null, sent: null } as const;

test("an older record that does not tell how it was is not guessed at", async () => {
  const timeline = [
    { ...OUTAGE, ...OLDER },
    { ...MOVED, ...OLDER },
  ];
  const text = await wordsOf({ ...TURNED, timeline });
  expect(text).toContain("It is blocked now; before that: not recorded.");
  expect(text).not.toContain("no outage");
  expect(await wordsOf({ timeline: [timelineEntry(OLDER)] })).toContain("This is no outage of the gateway.");
});

test("each line of the timeline tells how it was and whose turn; its end has no cause", async () => {
  const text = await wordsOf({ ...TURNED, ...RESOLVED, timeline: [OUTAGE, MOVED, OVER] });
  expect(text).toContain(
    "opened (Down: The provider behind the gateway is unavailable). Whose turn then: the provider behind the gateway. Look behind it.",
  );
  expect(text).toContain("2026-11-20 09:30:00 UTC resolved: The last probes succeeded.");
});

test("an incident of a removed monitor is not told to have recovered", async () => {
  const removed: TimelineEntryDocument = { ...OVER, type: "removed", text: "The monitor was removed." };
  const text = await wordsOf({ ...RESOLVED, timeline: [timelineEntry(), removed] });
  expect(text).toContain(
    "Monitor removed (was Blocked) This incident ended because its monitor was removed; that it recovered was never seen.",
  );
  expect(text).toContain("UTC removed: The monitor was removed.");
  expect(text).not.toContain("Resolved");
});

test("the monitoring's own that nobody could tell any more is not told to have lost a monitor", async () => {
  const removed: TimelineEntryDocument = { ...OVER, type: "removed", text: "Fewer than two are left." };
  const own = { gateway: null, health: "unknown", owner: "network" } as const;
  const text = await wordsOf({ ...own, ...RESOLVED, monitors: [], timeline: [timelineEntry(), removed] });
  expect(text).toContain(
    "This incident ended because fewer than two gateways were left to tell it by; that it recovered was never seen.",
  );
  expect(text).toContain("Ended unseen (was ");
  expect(text).not.toContain("Monitor removed");
});

test("without causes an incident is titled by its health", async () => {
  const hidden = timelineEntry({ cause: null, text: "", owner: null, sent: null });
  const html = await pageOf(incidentDocument({ cause: null, owner: null, timeline: [hidden], report: null }));
  expect(html).toContain("<title>Acme · models: Blocked · Acme gateways</title>");
  expect(textOf(html)).toContain("Whose turn not published");
  expect(textOf(html)).toContain("2026-11-20 08:00:00 UTC opened (Blocked)");
});

test("an incident without a key to send does not say that a key was refused", async () => {
  const unsent = timelineEntry({ cause: "authentication", text: "The secret KEY is not set.", sent: false });
  const text = await wordsOf({ cause: "authentication", timeline: [unsent] });
  expect(text).toContain("Acme · models: No usable key is set");
  expect(text).toContain("opened (Blocked: No usable key is set)");
  expect(text).not.toContain("refused");
});

test("a stale incident page bears the notice, and nothing of it is of now", async () => {
  const text = await wordsOf({}, { nowMs: STALE_MS });
  expect(text).toContain(
    "The checks have stopped The last round of checks whose results arrived here is that of",
  );
  expect(text).toContain("This incident was open when the checks stopped; it may be over by now.");
  expect(text).toContain("Whose turn it was the owner");
  expect(text).toContain("Next check was due 2026-11-20 12:05:00 UTC");
  expect(text).not.toContain("not resolved yet");
});

test("an open incident of a gateway in planned maintenance says so first", async () => {
  const maintenance = [
    { gateways: [], from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T13:00:00.000Z", title: "Moving" },
  ];
  const words = "In planned maintenance until 2026-11-20 13:00:00 UTC.";
  expect(await wordsOf({}, { status: { ...STATUS, maintenance } })).toContain(
    `${words} Blocked This incident is open.`,
  );
  const ended = await wordsOf(
    { ...RESOLVED, timeline: [timelineEntry(), OVER] },
    { status: { ...STATUS, maintenance } },
  );
  expect(ended).not.toContain(words);
});

test("a gateway that left the configuration is named by its id, and of why it failed nothing is told any more", async () => {
  const words = await wordsOf({ gateway: "gone", monitors: ["gone/models"] });
  expect(words).toContain("gone/models: Blocked");
  expect(words).not.toContain("balance");
});

async function reportPage(report: Partial<ReportDocument> = {}, nowMs = NOW_MS): Promise<string> {
  const incident = incidentDocument();
  return show(`/reports/${incident.id}-1`, incident, { report, nowMs });
}

test("a report names its gateway in heading and title, and bears the stale notice", async () => {
  const html = await reportPage();
  expect(html).toContain("<h1>Problem report: <bdi>Acme · models</bdi></h1>");
  expect(html).toContain(
    "<title>Problem report: Acme · models: The balance is used up · Acme gateways</title>",
  );
  expect(html).toContain(
    '<meta name="description" content="What was seen of Acme · models, without any secret: The balance is used up.">',
  );
  expect(html).not.toContain("The checks have stopped");
  expect(await reportPage({}, STALE_MS)).toContain("The checks have stopped");
});

test("a report of a probe that sent nothing says so", async () => {
  const text = textOf(
    await reportPage({ cause: "authentication", attempts: 0, httpStatus: null, message: null }),
  );
  expect(text).toContain("Nothing was sent: no usable key is set.");
  expect(text).toContain("Attempts 0: nothing was sent");
  expect(text).not.toContain("The key was refused");
});

test("a message in another script says its language", async () => {
  expect(await reportPage({ message: "余额不足" })).toContain('<bdi lang="zh">余额不足</bdi>');
});
