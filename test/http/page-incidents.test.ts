/** What an incident's page, its report and the lists tell of it: open, over, stale, and of older records. */
import { expect, test } from "vitest";
import type { IncidentDocument, ReportDocument, StatusDocument } from "../../src/history/documents.ts";
import { expectWords, textOf } from "./html.ts";
import {
  endEntry,
  gatewayDocument,
  gatewayThatIs,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  plannedWindow,
  reportDocument,
  STALE_MS,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const OPENED = timelineEntry();
const OVER = endEntry({ at: "2026-11-20T09:30:00.000Z" });
const ENDED = { resolvedAt: "2026-11-20T09:30:00.000Z" };
const RESOLVED = { ...ENDED, timeline: [OPENED, OVER] };
const OUTAGE = timelineEntry({
  cause: "upstream_unavailable",
  health: "down",
  owner: "upstream",
  text: "Look behind it.",
});
const BLOCKED = { cause: "wrong_url", health: "blocked", owner: "caller" } as const;
const MOVED = timelineEntry({
  ...BLOCKED,
  at: "2026-11-20T08:30:00.000Z",
  type: "updated",
  text: "Check the address.",
});
const TURNED = { ...BLOCKED, timeline: [OUTAGE, MOVED] };
const REFUSED = { cause: "connection_failed", health: "down", owner: "operator" } as const;
const REMOVED = { ...OVER, type: "removed", text: "The monitor was removed." };
const OLDER = { health: null, owner: null, sent: null } as const;
const UNSENT = timelineEntry({ cause: "authentication", text: "The secret KEY is not set.", sent: false });
const OWN = {
  gateway: null,
  health: "unknown",
  owner: "network",
  monitors: [],
} satisfies Partial<IncidentDocument>;
const PLANNED = { maintenance: [plannedWindow([])] };

type Shown = Readonly<{ status?: Partial<StatusDocument>; nowMs?: number; path?: string }>;

async function wordsOf(more: Partial<IncidentDocument>, shown?: Shown): Promise<string> {
  return textOf(await world.showIncident(incidentDocument(more), shown));
}

interface Row {
  readonly title: string;
  readonly incident?: Partial<IncidentDocument>;
  readonly told?: readonly string[];
  readonly absent?: readonly string[];
  readonly at?: Shown;
}

const ROWS: readonly Row[] = [
  {
    title: "that is open says whose turn it is, what to do, in whose words, and when it is tried again",
    told: [
      "Blocked This incident is open.",
      "A blocked monitor cannot see whether its gateway works. That alone is no outage of the gateway.",
      "Whose turn the owner of the monitor’s key What to do Top up. The service’s own words, last no credit " +
        "Next check 2026-11-20 12:01:00 UTC First failure seen 2026-11-20 07:59:00 UTC " +
        "Opened 2026-11-20 08:00:00 UTC Gateway Acme",
    ],
  },
  {
    title: "that is resolved sends nobody to act",
    incident: RESOLVED,
    told: [
      "Resolved A blocked monitor cannot see whether its gateway works. That alone is no outage of the gateway.",
      "Resolved 2026-11-20 09:30:00 UTC (after 1 h 31 min, counted from the first failed check)",
    ],
    absent: ["must act", "Whose turn:", "Whose turn the owner", "What to do", "Next check", "Notes"],
  },
  {
    title: "of an outage that turned into a blocked view is not told to be no outage",
    incident: TURNED,
    told: ["Acme · models: The address answers, but not as a gateway"],
    absent: ["no outage"],
  },
  {
    title: "that is over tells how it was and whose turn on each line; its end has no cause",
    incident: { ...TURNED, ...ENDED, timeline: [OUTAGE, MOVED, OVER] },
    told: [
      "opened (Down: The provider behind the gateway is unavailable). Whose turn then: the provider behind the gateway. Look behind it.",
      "2026-11-20 09:30:00 UTC resolved: The last probes succeeded.",
    ],
  },
  {
    title: "of an older record that can have been no outage says so",
    incident: { timeline: [timelineEntry(OLDER)] },
    told: ["That alone is no outage of the gateway."],
  },
  {
    title: "of a removed monitor is not told to have recovered",
    incident: { ...ENDED, timeline: [OPENED, REMOVED] },
    told: ["Monitor removed That it recovered was never seen.", "UTC removed: The monitor was removed."],
    absent: ["Resolved"],
  },
  {
    title: "of the monitoring's own that nobody could tell any more is not told to have lost a monitor",
    incident: { ...OWN, ...ENDED, timeline: [OPENED, { ...REMOVED, text: "Fewer than two are left." }] },
    told: ["Ended unseen That it recovered was never seen."],
    absent: ["Monitor removed"],
  },
  {
    title: "without a key to send does not say that a key was refused",
    incident: { cause: "authentication", timeline: [UNSENT] },
    told: ["Acme · models: No usable key is set", "opened (Blocked: No usable key is set)"],
    absent: ["refused"],
  },
  {
    title: "on a stale page bears the notice, and is not called open",
    told: ["The checks have stopped The last round of checks whose results arrived here is that of"],
    absent: ["This incident is open", "Next check"],
    at: { nowMs: STALE_MS },
  },
  {
    title: "that is open in planned maintenance says so first",
    told: ["In planned maintenance until 2026-11-20 13:00:00 UTC. Blocked This incident is open."],
    at: { status: PLANNED },
  },
  {
    title: "that is over says nothing of planned maintenance",
    incident: RESOLVED,
    absent: ["In planned maintenance until"],
    at: { status: PLANNED },
  },
  {
    title: "of a gateway that left the configuration is named by its id, and tells no cause any more",
    incident: { gateway: "gone", monitors: ["gone/models"] },
    told: ["gone/models: Blocked"],
    absent: ["balance"],
  },
];

test.each(ROWS.map((row) => [row.title, row] as const))("an incident %s", async (_, row) => {
  const { incident = {}, told = [], absent, at } = row;
  expectWords(await wordsOf(incident, at), told, absent);
});

test("in lists an incident that is over bears no mark of a failure", async () => {
  const over = incidentDocument({ ...ENDED, health: "down", timeline: [OUTAGE, OVER] });
  const html = await world.showIncident(over, { path: "/" });
  expect(textOf(html)).toContain("Recent incidents Resolved Acme · models");
  expect(html).not.toContain('class="mark down"');
});

test("without causes an incident is titled by its health", async () => {
  const timeline = [timelineEntry({ cause: null, text: "", owner: null, sent: null })];
  const hidden = incidentDocument({ cause: null, owner: null, timeline, report: null });
  const html = await world.showIncident(hidden);
  expect(html).toContain("<title>Acme · models: Blocked · Acme gateways</title>");
  expectWords(textOf(html), ["Whose turn not published", "2026-11-20 08:00:00 UTC opened (Blocked)"]);
});

test("how an incident stands is read out where it changes", async () => {
  expect(await world.showIncident(incidentDocument())).toMatch(/<div class="banner \w+" role="status">/u);
});

test.each([
  ["2026-11-20T07:40:00.000Z", "1 h 50 min, counted from the first failed check", "07:40:00"],
  ["2026-11-20T08:00:00.000Z", "1 h 30 min", "08:00:00"],
  [null, "1 h 30 min", "08:00:00"],
])("of an incident whose first failure was at %j it is told that it lasted %s", async (at, length, start) => {
  const page = await wordsOf({ ...RESOLVED, firstFailureAt: at });
  expect(page).toContain(`Resolved 2026-11-20 09:30:00 UTC (after ${length}) Gateway`);
  const list = textOf(await world.text("/"));
  expect(list).toContain(`2026-11-20 ${start} UTC to 2026-11-20 09:30:00 UTC (${length}). Last round`);
});

test("where no gateway can be reached, the banner says that the monitoring is cut off, and nobody else must act", async () => {
  const failing = { cause: "connection_failed", health: "unknown", owner: "network" } as const;
  const timeline = [timelineEntry(failing)];
  const own = incidentDocument({ ...failing, gateway: null, monitors: [], report: null, timeline });
  const cut = { gateways: [gatewayThatIs("unknown"), gatewayThatIs("unknown", "beta")] };
  expectWords(textOf(await world.showIncident(own, { status: cut, path: "/" })), [
    "Status The monitoring itself can reach no gateway 2 without fresh evidence.",
    "Whose turn: whoever runs the monitoring. Opened",
  ]);
  expectWords(textOf(await world.text(`/incidents/${own.id}`)), [
    "Whose turn whoever runs the monitoring What to do",
    "Whose turn then: whoever runs the monitoring. Top up.",
  ]);
  const some = { gateways: [gatewayThatIs("unknown"), gatewayThatIs("up", "beta")] };
  const reached = textOf(await world.showIncident(own, { status: some, path: "/" }));
  expect(reached).toContain("Status Not all is known yet");
});

test("an open incident bears the name of the one monitor that is left in it, and not that of the gateway", async () => {
  const monitors = ["acme/chat", "acme/models"];
  const shared = { ...REFUSED, monitors, timeline: [timelineEntry(REFUSED)] };
  const left = await wordsOf({ ...shared, members: ["acme/models"] });
  for (const text of [left, textOf(await world.text("/"))]) {
    expectWords(text, ["Acme · models: The connection failed"]);
  }
  expect(await wordsOf(shared, { path: "/" })).toContain("Acme: The connection failed");
});

test.each([
  [{}, ""],
  [
    { flapping: true },
    "Flapping: checks succeeded and failed by turns, so often that their changes are not told one by one. ",
  ],
])("a monitor whose last check was good, in an incident that goes on (%j), says so", async (more, flaps) => {
  const incident = incidentDocument({ ...REFUSED, ...more });
  const monitors = [monitorDocument({ incident: incident.id })];
  const status = { gateways: [gatewayDocument({ monitors })] };
  const html = await world.showIncident(incident, { path: "/gateways/acme", status });
  expect(textOf(html)).toContain(
    "models acme/models Up The last check was good; the incident ends when good checks go on. " +
      `${flaps}The incident of`,
  );
  expect(html).toContain(`<a href="/incidents/${incident.id}">The incident`);
});

async function reportPage(report: Partial<ReportDocument> = {}, nowMs = NOW_MS): Promise<string> {
  const incident = incidentDocument();
  const reports = [reportDocument({ id: `${incident.id}-1`, ...report })];
  const fullReports = [
    { ...reportDocument(report), id: `${incident.id}-1`, endpoint: "https://api.acme.example" },
  ];
  const tail = { incidents: [{ incident, reports, fullReports }] };
  return world.show({}, { path: `/reports/${incident.id}-1`, tail, nowMs });
}

test("a report names its gateway in heading and title, and bears the stale notice", async () => {
  const title = "Problem report: Acme · models: The balance is used up · Acme gateways";
  const seen = "What was seen of Acme · models, without any secret: The balance is used up.";
  expectWords(
    await reportPage(),
    [
      "<h1>Problem report: <bdi>Acme · models</bdi></h1>",
      `<title>${title}</title>`,
      `<meta name="description" content="${seen}">`,
    ],
    ["The checks have stopped"],
  );
  expect(await reportPage({}, STALE_MS)).toContain("The checks have stopped");
});

test("a report's page has every field of the public report, and the line that reproduces it", async () => {
  expectWords(textOf(await reportPage()), [
    "The address is not published: $GATEWAY_BASE_URL stands for it, and $GATEWAY_API_KEY for the key.",
    "Endpoint $GATEWAY_BASE_URL/v1/models",
    "Model none",
    "Requested at 2026-11-20T08:00:00.000+00:00",
    "Time zone UTC",
    "HTTP status 402",
    "Error type insufficient_quota",
    "Error code insufficient_balance",
    "Business code none",
    "Request id req_1",
    "Task id none",
    "Streaming no",
    "Already retried no",
    "Attempts 1",
    "Client gatepulse/0.1.0",
    "Message no credit",
    'curl -H "Authorization: Bearer $GATEWAY_API_KEY" "$GATEWAY_BASE_URL"/v1/models',
  ]);
});

test("a report of a probe that sent nothing says so, and a message in another script says its language", async () => {
  const unsent = { cause: "authentication", attempts: 0, httpStatus: null, message: null } as const;
  const told = ["Nothing was sent: no usable key is set.", "Attempts 0: nothing was sent"];
  expectWords(textOf(await reportPage(unsent)), told, ["The key was refused"]);
  expect(await reportPage({ message: "余额不足" })).toContain('<bdi lang="zh">余额不足</bdi>');
});
