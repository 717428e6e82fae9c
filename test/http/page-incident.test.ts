/** What an incident's page says: open, over, stale, of older records; how it goes on; and its report. */
import { expect, test } from "vitest";
import type {
  IncidentDocument,
  ReportDocument,
  StatusDocument,
  TimelineEntryDocument,
} from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { expectWords, plainSpaces, readHtml, textOf } from "./html.ts";
import {
  endEntry,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  oneGateway,
  plannedWindow,
  reportDocument,
  STALE_MS,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const MODELS = monitorDocument();
const CHAT = monitorDocument({ id: "acme/chat", kind: "chat" });

const RECOVERING = { incident: incidentDocument().id, recovery: { good: 1, of: 2 } };
const ONE_RECOVERS = oneGateway({ ...MODELS, ...RECOVERING }, { ...CHAT, status: "down" });

const OUTAGE = timelineEntry({
  cause: "upstream_unavailable",
  health: "down",
  owner: "upstream",
  text: "Look behind it.",
});
const BLOCKED = { cause: "wrong_url", health: "blocked", owner: "caller" } as const;
const MOVED = timelineEntry({ ...BLOCKED, at: "2026-11-20T08:30:00.000Z", type: "updated", text: "Check." });
const TURNED = { ...BLOCKED, timeline: [OUTAGE, MOVED] };
const REFUSED = { cause: "connection_failed", health: "down", owner: "operator" } as const;
const refused = (type: string, text: string, more: Partial<TimelineEntryDocument> = {}) =>
  timelineEntry({ ...REFUSED, type, text, ...more });
const OPENED = refused("opened", "Look at the gateway.");
const JOINED = refused("joined", "acme/chat cannot reach the gateway either.", {
  at: "2026-11-20T08:01:00.000Z",
});
const LEFT = refused("left", "acme/chat works again.", { at: "2026-11-20T09:00:00.000Z" });
const FLAPPING = refused("flapping", "More than 4 changes within an hour.");
const SHARED = { ...REFUSED, monitors: ["acme/models", "acme/chat"], timeline: [OPENED, JOINED] };
const FLAPS = { ...REFUSED, flapping: true, timeline: [OPENED, FLAPPING] };
const OWN = { gateway: null, monitors: [], owner: "network", health: "unknown" } as const;
const over = (type: string, text: string, before: readonly TimelineEntryDocument[] = [timelineEntry()]) => ({
  resolvedAt: "2026-11-20T09:30:00.000Z",
  timeline: [...before, endEntry({ at: "2026-11-20T09:30:00.000Z", type, text })],
});
const RESOLVED = over("resolved", "The last probes succeeded.");
const NO_OUTAGE = "A blocked monitor cannot see whether its gateway works.";

interface Row {
  readonly title: string;
  readonly incident?: Partial<IncidentDocument>;
  readonly told?: readonly string[];
  readonly absent?: readonly string[];
  readonly at?: Readonly<{ status?: Partial<StatusDocument>; nowMs?: number; tail?: Partial<SnapshotTail> }>;
}

const ROWS: readonly Row[] = [
  {
    title: "that is open says for how long, whose turn it is, what to do, and in whose words",
    told: [
      `Acme · models: The balance is used up, Monitor blocked Blocked, open for 4 h. ${NO_OUTAGE} If production uses this account, its calls fail too. Checked`,
      "Your turn Not an outage. Top up. Copy report Open the report",
      "What happened Now Next check in 1 min. Blocked: Incident opened after 1 min The balance is used up. 4 h ago Blocked: First failure 4 h ago Evidence",
      "Cause insufficient_balance HTTP status 402 Error code insufficient_balance Request id req_1 " +
        "The service’s own words no credit Gateway Acme Monitor acme/models Began 2026-11-20 07:59:00 UTC Id",
    ],
    absent: ["Acknowledged", "Note", "Ended", "Whose turn then", "Report of the first failure"],
  },
  {
    title: "of your own gateway's outage is your turn, and is called an outage",
    incident: { ...REFUSED, turn: "us", timeline: [{ ...OPENED, turn: "us" }] },
    told: ["Your turn Look at the gateway. Copy report"],
    absent: ["Not an outage."],
  },
  {
    title: "that is resolved sends nobody to act",
    incident: RESOLVED,
    told: [
      `Resolved 2 h ago, after 1 h 31 min. ${NO_OUTAGE}`,
      "What happened Resolved after 1 h 31 min The last probes succeeded. 2 h ago Blocked: Incident opened after 1 min " +
        "The balance is used up. Whose turn then: the owner of the monitor’s key.",
      "Began 2026-11-20 07:59:00 UTC Ended 2026-11-20 09:30:00 UTC",
      "Copy report Open the report",
    ],
    absent: ["In planned maintenance", "open for", "Your turn", "Top up", "Next check"],
    at: { status: { maintenance: [plannedWindow([])] } },
  },
  {
    title:
      "of an outage that turned into a blocked view is no outage no longer; each line tells how it was, and whose turn",
    incident: TURNED,
    absent: ["no outage"],
    told: [
      "Acme · models: No model API at this address",
      "Blocked: Cause changed after 31 min No model API at this address. 3 h ago",
      "Down: Incident opened after 1 min The provider behind the gateway is unavailable. Whose turn then: the provider behind the gateway. 4 h ago",
    ],
  },
  {
    title: "says whether an update changed the cause, only whose turn it is, or only the health",
    incident: {
      timeline: [
        OPENED,
        refused("updated", "", { owner: "upstream", health: "down" }),
        refused("updated", "", { owner: "upstream", health: "degraded" }),
        refused("updated", "", { cause: "timeout", owner: "operator", health: "down" }),
      ],
    },
    told: ["Down: Cause changed", "Degraded: State changed", "Down: Turn changed"],
  },
  {
    title: "of an older record that can have been no outage says so",
    incident: { timeline: [timelineEntry({ health: null, owner: null, sent: null })] },
    told: [NO_OUTAGE],
  },
  {
    title: "of a removed monitor is not told to have recovered",
    incident: over("removed", "The monitor was removed."),
    told: [
      "Monitor removed 2 h ago, after 1 h 31 min. It was not seen to recover.",
      "Monitor removed after 1 h 31 min The monitor was removed. 2 h ago",
    ],
    absent: ["Resolved"],
  },
  {
    title: "that a pause ended is not told to have recovered",
    incident: over("paused", "The monitor was paused."),
    told: [
      "Monitor paused 2 h ago, after 1 h 31 min. It was not seen to recover.",
      "Monitor paused after 1 h 31 min The monitor was paused. 2 h ago",
    ],
    absent: ["Resolved"],
  },
  {
    title: "of the monitoring's own that nobody could tell any more ended unseen",
    incident: { ...OWN, ...over("removed", "Fewer than two are left.") },
    told: ["Ended unseen 2 h ago, after 1 h 31 min. It was not seen to recover."],
    absent: ["Monitor removed"],
  },
  {
    title: "of the monitoring itself names no gateway, and is nobody else's",
    incident: { ...OWN, cause: "dns_failure", timeline: [timelineEntry({ ...OWN, cause: "dns_failure" })] },
    told: [
      "The monitoring itself: DNS lookup failed",
      "The people who run the monitoring The monitoring itself is cut off.",
    ],
    absent: ["Gateway Acme"],
  },
  {
    title: "without a key to send does not say that a key was refused",
    incident: {
      cause: "authentication",
      timeline: [timelineEntry({ cause: "authentication", sent: false })],
    },
    told: [
      "Acme · models: No usable key is set",
      "Blocked: Incident opened after 1 min No usable key is set.",
    ],
    absent: ["refused"],
  },
  {
    title: "on a stale page has the notice, and is not called open",
    told: ["The checks have stopped Last checks:"],
    absent: ["open for"],
    at: { nowMs: STALE_MS },
  },
  {
    title: "that is open in planned maintenance says so first, and is not promised to end",
    told: ["In planned maintenance for another 1 h. Blocked, open for"],
    absent: ["ecovering"],
    at: { status: { ...ONE_RECOVERS, maintenance: [plannedWindow([])] } },
  },
  {
    title: "of a gateway that left the configuration is named by its id, and tells no cause any more",
    incident: { gateway: "gone", monitors: ["gone/models"] },
    told: ["gone/models: Blocked"],
    absent: ["balance"],
  },
  {
    title: "of several monitors is the gateway's",
    incident: SHARED,
    told: [
      "Acme: The connection failed",
      "Gateway Acme Monitors acme/models, acme/chat Began",
      "Acme ’s operator Look at the gateway.",
      "Another monitor joined after 2 min acme/chat cannot reach the gateway either. 3 h ago",
    ],
  },
  {
    title: "with one monitor left in it tells who left, and is titled by that one and the present cause",
    incident: {
      ...SHARED,
      members: ["acme/models"],
      cause: "service_misconfigured",
      timeline: [OPENED, JOINED, LEFT, refused("updated", "Top up.", { cause: "service_misconfigured" })],
    },
    told: [
      "Acme · models: Internal server error",
      "Monitors acme/models, acme/chat Began",
      "A monitor left after 1 h 1 min acme/chat works again. 3 h ago",
    ],
  },
  {
    title: "whose timeline lost what told of the present cause gives no advice of another",
    incident: { ...SHARED, cause: "timeout", timeline: [OPENED, { ...JOINED, cause: "timeout" }] },
    told: ["Acme: The request timed out", "Acme ’s operator Copy report"],
  },
  {
    title: "without causes tells its health, and who joined without the reason",
    incident: { ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LEFT] },
    told: [
      "Acme · models: Down",
      "Causes not published These gateways publish only their health.",
      "A monitor left after 1 h 1 min 3 h ago Down: Another monitor joined after 2 min 3 h ago Down: Incident opened",
    ],
    absent: ["reach", "Reach", "onnection", "perator"],
    at: { tail: { withCauses: [] }, status: { incidents: [] } },
  },
  {
    title: "that flaps says so, and who has seen it",
    incident: { ...FLAPS, acknowledgedAt: "2026-11-20T08:10:00.000Z" },
    told: [
      "Flapping, open for 4 h. Checks pass and fail too often to report each change.",
      "Flapping started after 1 min More than 4 changes within an hour.",
      "Acknowledged after 11 min 3 h ago",
    ],
  },
  {
    title: "that is steady again flaps no more",
    incident: { ...FLAPS, flapping: false, timeline: [OPENED, FLAPPING, refused("steady", "It goes on.")] },
    told: ["Flapping stopped after 1 min It goes on."],
    absent: ["Flapping, open", "too often"],
  },
  {
    title: "is recovering when those who are still in it are well, and needs nobody",
    incident: { ...SHARED, members: ["acme/models"], report: null },
    told: [
      "Acme · models: The connection failed, Recovering Recovering, open for 4 h. 1 of 2 good checks. Checked",
      "Passes by itself Recovering: 1 of 2 good checks. Copy report",
    ],
    absent: ["Look at", "Down, open"],
    at: { status: ONE_RECOVERS },
  },
  {
    title: "of a blocked view that recovers says no more that it sees nothing, or that calls fail",
    told: ["Recovering, open for 4 h. 1 of 2 good checks. Checked"],
    absent: [NO_OUTAGE, "calls fail", "Your turn", "Top up"],
    at: { status: ONE_RECOVERS },
  },
  {
    title: "that flaps counts no good checks",
    incident: FLAPS,
    told: [
      "Flapping, open for 4 h. Checks pass and fail too often to report each change. Checked",
      "Recovering. Copy report",
    ],
    at: { status: oneGateway({ ...MODELS, incident: RECOVERING.incident }) },
  },
  {
    title: "is not recovering while one in it is down",
    incident: SHARED,
    absent: ["ecovering"],
    at: { status: ONE_RECOVERS },
  },
];

test.each(ROWS.map((row) => [row.title, row] as const))("an incident %s", async (_, row) => {
  const { incident = {}, told = [], absent, at } = row;
  const status = { ...oneGateway(MODELS, CHAT), ...at?.status };
  const html = await world.showIncident(incidentDocument(incident), { ...at, status });
  expect(() => readHtml(html)).not.toThrow();
  expectWords(plainSpaces(textOf(html)), told, absent);
});

test("notes are told line by line and in their language, each in its place in the story", async () => {
  const notes = [
    { at: "2026-11-20T08:20:00.000Z", text: "The rack has no power.\nIt is back at 13:00." },
    { at: "2026-11-20T08:30:00.000Z", text: "正在恢复供电" },
  ];
  const page = await world.showIncident(incidentDocument({ notes }));
  expectWords(page, [
    "<bdi>The rack has no power.\nIt is back at 13:00.</bdi>",
    '<bdi lang="zh">正在恢复供电</bdi>',
  ]);
  expect(textOf(page)).toMatch(/Note after 31 min .* Note after 21 min .* Incident opened after 1 min/u);
});

test("a tick stands only where it was seen to be well", async () => {
  const shapeOf = async (type: string): Promise<string> => {
    const html = await world.showIncident(incidentDocument(over(type, "")), { path: "/" });
    return /<span class="mark ended"><svg [^>]*><path d="([^"]+)"/u.exec(html)?.[1] ?? "no mark";
  };
  const [well, removed] = [await shapeOf("resolved"), await shapeOf("removed")];
  expect(await shapeOf("paused")).toBe(removed);
  expect(new Set(["no mark", well, removed]).size).toBe(3);
});

async function reportPage(report: Partial<ReportDocument> = {}, nowMs = NOW_MS): Promise<string> {
  const incident = incidentDocument();
  const reports = [reportDocument({ id: `${incident.id}-1`, ...report })];
  const fullReports = [{ ...reports[0]!, endpoint: "https://api.acme.example" }];
  const tail = { incidents: [{ incident, reports, fullReports }] };
  return world.show({}, { path: `/reports/${incident.id}-1`, tail, nowMs });
}

test("a report's page names its gateway, and has every field of the public report and the line that reproduces it", async () => {
  const page = await reportPage();
  const title = "Problem report: Acme · models: The balance is used up · Acme gateways";
  expectWords(
    page,
    ["<h1>Problem report: <bdi>Acme · models</bdi></h1>", `<title>${title}</title>`],
    ["The checks have stopped"],
  );
  expectWords(textOf(page), [
    "The address is not published: $GATEWAY_BASE_URL stands for it, and $GATEWAY_API_KEY for the key.",
    "- Endpoint: `$GATEWAY_BASE_URL/v1/models` - Requested at: `2026-11-20T08:00:00.000+00:00` - Time zone: `UTC` " +
      "- HTTP status: `402` - Error type: `insufficient_quota` - Error code: `insufficient_balance` " +
      "- Request id: `req_1` - Streaming: `no` - Attempts: `1` - Client: `gatepulse/0.1.0`",
    "- Message: `no credit`",
    'curl -H "Authorization: Bearer $GATEWAY_API_KEY" "$GATEWAY_BASE_URL"/v1/models',
  ]);
});

test("a report of a probe that sent nothing says so, and a stale page that it is", async () => {
  const unsent = { cause: "authentication", attempts: 0, httpStatus: null, message: "余额不足" } as const;
  const page = await reportPage(unsent, STALE_MS);
  const told = [
    "Nothing was sent: no usable key is set.",
    "- Attempts: `0: nothing was sent` -",
    "The checks have stopped",
  ];
  expectWords(textOf(page), told, ["The key was refused"]);
  expect(page).toContain("- Message: `余额不足`");
});

const SOON = "If an alert led you here, load this page again in a few minutes.";

test.each([
  ["/incidents/acme.models-20261120t120000z", 404, true],
  ["/reports/acme.models-20261120t120000z-2", 404, true],
  ["/reports/acme.models-20261120t120000z", 404, true],
  ["/gateways/acme.models-20261120t120000z", 404, false],
  [`/incidents/${incidentDocument().id}`, 200, false],
])("%s is %i; that it may be there soon is told: %s", async (path, status, isSoon) => {
  await world.showIncident(incidentDocument());
  const response = await world.ask(path, { headers: { accept: "text/html" } });
  const html = await response.text();
  expect(response.status).toBe(status);
  expect(textOf(html).includes(SOON)).toBe(isSoon);
  // The reader alone loads it again.
  const loads = readHtml(html).tags.filter((tag) => /^<(?:script|meta http-equiv)/u.test(tag));
  expect(loads.length).toBe(status === 200 ? 1 : 0);
});
