/** A gateway's page: a card for each of its monitors, with what failed, whose turn it is, regions, and its incidents. */
import { expect, test } from "vitest";
import type {
  GatewayDocument,
  IncidentDocument,
  MonitorDocument,
  StatusDocument,
} from "../../src/history/documents.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { ofUnknownFate } from "../../src/protocol/examine-canary.ts";
import { answerOf, expectWords, plainSpaces, readHtml, textOf, wordsIn } from "./html.ts";
import {
  BALANCE_GONE,
  daysOf,
  gatewayDocument,
  gatewayThatIs,
  GOOD,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  oneGateway,
  plannedWindow,
  publishedIncident,
  regionDocument,
  SILENT_REGION,
  STALE_MS,
} from "./documents.ts";
import { courseTail, TROUBLED } from "./published-status.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const INCIDENT = incidentDocument().id;
const RECOVERING = monitorDocument({ incident: INCIDENT, recovery: { good: 1, of: 2 } });
/** As its own operator reads it. */
const FAILED: Diagnosis = {
  ...BALANCE_GONE,
  cause: "service_misconfigured",
  owner: "operator",
  turn: "us",
  health: "down",
  httpStatus: 500,
  errorCode: "video_config_error",
  message: "channel 7 has no key",
  advice: "The operator must fix the configuration.",
  ambiguous: ["timeout"],
};
const DOWN = monitorThatIs("down", {
  id: "acme/chat",
  kind: "chat",
  model: "gpt-4o-mini",
  diagnosis: { ...FAILED, turn: "operator" },
  lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 220, attempts: 4, waitedMs: 90_000 },
});
const SLOW = { ...GOOD, cause: "slow", owner: "operator", turn: "operator", health: "degraded" } as const;
const PAUSED = monitorDocument({
  id: "acme/paused",
  kind: "embeddings",
  status: "unknown",
  lastStatus: "down",
  nextProbeAt: null,
  pausedAt: "2026-11-20T09:00:00.000Z",
});
const CUT_OFF = regionDocument({
  region: "apac",
  status: "down",
  diagnosis: { ...BALANCE_GONE, cause: "timeout", health: "down", httpStatus: null },
});
const MOVING = { maintenance: [plannedWindow(["acme"])] };
const NO_INCIDENT_YET = "One more failed check opens an incident: next in under 1 min.";

interface Row {
  readonly title: string;
  readonly monitor: Partial<MonitorDocument>;
  readonly told: readonly string[];
  readonly absent?: readonly string[];
  readonly at?: { readonly status?: Partial<StatusDocument>; readonly nowMs?: number };
}

const ROWS: readonly Row[] = [
  {
    title: "is down says what failed, in whose words, whose turn it is and when it is tried again",
    monitor: { ...DOWN, incident: INCIDENT, report: `${INCIDENT}-2` },
    told: [
      "chat · gpt-4o-mini acme/chat Down",
      "Internal server error service_misconfigured · HTTP 500 · code video_config_error",
      "channel 7 has no key",
      "Whose turn: the gateway’s operator. The operator must fix the configuration.",
      "It may also be: The request timed out.",
      "Acme: Down Down for 4 h.",
      "Problem report Uptime, 90 days no data Median, 24 hours 500 ms 95th percentile 900 ms Incidents, 90 days 0",
      "Last check 1 min ago Next check in 1 min",
      "Uptime, last 90 days 24 h 99.86 %, 7 d 100 % The last 90 days",
      "median (p50) 95th percentile (p95) The 24 hours as a table",
    ],
    absent: [NO_INCIDENT_YET],
  },
  {
    title: "is down where you run the gateway is your turn",
    monitor: { ...DOWN, diagnosis: FAILED },
    told: ["Whose turn: yours, because you run this gateway. The operator must fix the configuration."],
  },
  {
    title: "is blocked is clearly no outage, and has no incident yet",
    monitor: monitorThatIs("blocked", { opensAfter: 1, nextProbeAt: "2026-11-20T12:00:20.000Z" }),
    told: [
      "The balance is used up insufficient_balance · HTTP 402 · code insufficient_balance. This is no outage of the gateway.",
      "Whose turn: the owner of the monitor’s key. Top up the account.",
      NO_INCIDENT_YET,
    ],
  },
  {
    title: "fails in planned maintenance opens no incident",
    monitor: monitorThatIs("down"),
    told: [
      "In planned maintenance for another 1 h. Checks during maintenance do not count in uptime. The last result was “Down”.",
      "No incident opens meanwhile.",
    ],
    absent: [NO_INCIDENT_YET],
    at: { status: MOVING },
  },
  {
    title: "is asked to wait says for how long",
    monitor: monitorThatIs("degraded", {
      diagnosis: {
        ...BALANCE_GONE,
        owner: "nobody",
        turn: "nobody",
        retry: { allowed: true, afterSeconds: 100, hint: null },
      },
    }),
    told: ["The gateway asks to wait 1 min 40 s."],
  },
  {
    title: "is slow says so though its answer was good, and names models that it misses",
    monitor: monitorThatIs("degraded", {
      diagnosis: { ...SLOW, advice: "It took 9 s." },
      missingModels: ["gpt-9", "gpt-10"],
    }),
    told: [
      "Too slow slow · HTTP 200. Missing models: gpt-9, gpt-10 Whose turn: the gateway’s operator. It took 9 s.",
    ],
  },
  {
    title: "had no key to send was not refused",
    monitor: monitorThatIs("blocked", {
      diagnosis: { ...BALANCE_GONE, cause: "authentication", httpStatus: null, errorCode: null },
      lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: null, attempts: 0, waitedMs: 0 },
    }),
    told: ["No usable key is set authentication.", "Last check 1 min ago"],
    absent: ["The key was refused"],
  },
  {
    title: "was never checked says so, without talk of evidence",
    monitor: monitorThatIs("unknown", { lastStatus: null, lastProbe: null }),
    told: ["Unknown No result yet."],
    absent: ["evidence"],
  },
  {
    title: "broke off before its answer was recorded may have been accepted",
    monitor: monitorThatIs("unknown", {
      lastStatus: "up",
      diagnosis: { ...BALANCE_GONE, ...ofUnknownFate() },
    }),
    told: ["No fresh result. The last result was “Up”. The probe was interrupted", "may have been accepted"],
    absent: ["Last failure"],
  },
  {
    title: "publishes no causes says that, and nothing of them",
    monitor: { ...DOWN, diagnosis: null },
    told: ["The causes of this gateway are not published."],
    absent: ["Whose turn"],
  },
  {
    title: "is paused says since when, by whom and what was last seen; nothing is due",
    monitor: PAUSED,
    told: [
      "embeddings acme/paused Paused Paused 3 h ago. " +
        "Nothing is checked here until it is resumed. The last result was “Down”.",
      "Next check none planned",
    ],
    absent: ["no fresh evidence", "acme/paused Unknown", "Whose turn"],
  },
  {
    title: "failed when the checks stopped says nothing of now",
    monitor: DOWN,
    told: [
      "The checks have stopped Last checks:",
      "The last result was “Down”.",
      "Last failure: Internal server error",
    ],
    absent: ["Whose turn:", "Down for", "Next check"],
    at: { nowMs: STALE_MS },
  },
  {
    title: "has regions has a table of them, also of those that never reported",
    monitor: { regions: [regionDocument(), CUT_OFF, SILENT_REGION] },
    told: ["Western Europe weur", "Asia-Pacific", "Oceania", "99.86 %", "never"],
  },
];

test.each(ROWS.map((row) => [row.title, row] as const))("a monitor that %s", async (_, row) => {
  const { monitor, told, absent, at: { status, nowMs } = {} } = row;
  const shown = { ...oneGateway(monitorDocument(monitor)), ...status };
  const html = await world.show(shown, { path: "/gateways/acme", ...(nowMs !== undefined && { nowMs }) });
  expect(() => readHtml(html)).not.toThrow();
  expectWords(plainSpaces(textOf(html)), told, absent);
});

test("the heading has the gateway's health and address; its monitors and incidents alone follow", async () => {
  const gateways = [
    gatewayDocument({ endpoint: "https://api.acme.example", monitors: [monitorDocument(), PAUSED] }),
    gatewayThatIs("up", "beta"),
  ];
  const other = publishedIncident({ id: "beta-x", gateway: "beta", monitors: ["beta/models"] });
  const tail = { incidents: [publishedIncident(), other] };
  const html = await world.show({ gateways }, { path: "/gateways/acme", tail });
  expect(answerOf(html)).toEqual({ tone: "up", text: "Acme: Up Up for 4 h. https://api.acme.example" });
  expect(wordsIn(html, "<title>", "</title>")).toBe("Acme: Up · Acme gateways");
  expectWords(
    textOf(html),
    ["models acme/models", "Acme · models: The balance is used up open for 4 h"],
    ["beta/models"],
  );
  expectWords(html, ['aria-labelledby="monitor-acme/models"', '<span id="monitor-acme/models">']);
  expect(html.match(/<ul class="legend soft"/gu)).toHaveLength(1);
  expect(textOf(await world.show({}, { path: "/gateways/acme" }))).toContain("Incidents None recently.");
});

test("incidents state when monitors really failed, not the half hours of the chart", async () => {
  const over = (day: number, more: Partial<IncidentDocument>) => {
    const at = (minute: number) => `2026-11-${day}T09:${minute}:00.000Z`;
    return publishedIncident({ firstFailureAt: at(24), openedAt: at(25), resolvedAt: at(31), ...more });
  };
  const tail = {
    ...courseTail(TROUBLED),
    incidents: [over(20, { id: "open", resolvedAt: null }), over(20, {}), over(18, { id: "old" })],
  };
  const html = await world.show({}, { path: "/gateways/acme", tail });
  const text = plainSpaces(textOf(html));
  expectWords(text, ["open for 2 h (since 09:24)", "2 h ago, after 7 min (09:24 to 09:31)"]);
  // Of older ones only the age is in the text.
  expect(text).toMatch(/2 d ago, after 7 min(?! \()/u);
  expect(html).toContain('title="2026-11-18 09:31:00 UTC"');
});

const UP_ALWAYS = daysOf(() => "up");

test.each<[what: string, days: MonitorDocument["days"], title: string, kinds: string, row: string]>([
  [
    "are bars with a title, and a table",
    daysOf((index) => (index < 30 ? "unknown" : index === 89 ? "down" : "up")),
    "models, the last 90 days: Down on 1 day, no data on 30 days",
    "none 30,up 59,down 1",
    "2026-11-20 Down 50 %",
  ],
  [
    "without any verdict are not without data when their other probes were good",
    { ...UP_ALWAYS, worst: daysOf((index) => (index === 89 ? "unknown" : "up")).worst },
    "models, the last 90 days: Unknown on 1 day",
    "up 89,unknown 1",
    "2026-11-20 Unknown 100 %",
  ],
  [
    "of maintenance alone are not without data",
    { ...daysOf((index) => (index < 2 ? "unknown" : "up")), maintenance: [1] },
    "models, the last 90 days: Maintenance on 1 day, no data on 1 day",
    "none 1,maintenance 1,up 88",
    "2026-08-24 Maintenance not counted",
  ],
])("days %s", async (_, days, title, kinds, row) => {
  const html = plainSpaces(
    await world.show(oneGateway(monitorDocument({ days })), { path: "/gateways/acme" }),
  );
  expect(html).toContain(`data-from="2026-08-23" data-kinds="${kinds}" data-uptime="`);
  expect(html).toContain(`<title>${title}</title>`);
  const rows = [...html.matchAll(/<tr><th scope="row">\d{4}.*?<\/tr>/gu)].map(([found]) => textOf(found));
  expect(rows).toHaveLength(90);
  expect(rows).toContain(row);
});

test("a monitor whose incident goes on after a good check says so", async () => {
  const shown = { path: "/gateways/acme", status: oneGateway(RECOVERING) };
  expectWords(textOf(await world.showIncident(incidentDocument(), shown)), [
    "Acme: Recovering Recovering for 4 h: The balance is used up.",
    "models acme/models Recovering 1 of 2 good checks. ",
    "Incidents Recovering Acme · models: The balance is used up open for 4 h",
  ]);
});

/** Several monitors of one kind: what is said of one has its id; one without a namesake needs none. */
test.each([
  ["/", "Acme models · m2"],
  ["/gateways/acme", "Latency of models · m2 in the last 24 hours"],
  ["/incidents/m2", "<title>Acme · models · m2: The balance is used up"],
  ["/reports/m2-1", "<title>Problem report: Acme · models · m2"],
  ["/feed.atom", "Acme · models · m2: The balance is used up"],
  ["/badge/acme/m2.json", '"label":"Acme · models · m2"'],
  ["/api/v2/summary.json", '"name":"models · m2"'],
])("%s names the id of a namesake", async (path, words) => {
  const incident = incidentDocument({ id: "m2", monitors: ["acme/m2"] });
  const twins = ["acme/m1", "acme/m2"].map((id) => monitorDocument({ id }));
  const alone = monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o-mini" });
  const page = await world.showIncident(incident, { status: oneGateway(...twins, alone), path });
  expect(path === "/" ? textOf(page) : page).toContain(words);
  expect(page).not.toContain("gpt-4o-mini · chat");
});

test("a refused key that production uses stops other calls too, and else may", async () => {
  const told = async (more: Partial<GatewayDocument>) =>
    textOf(
      await world.show(
        { gateways: [gatewayDocument({ monitors: [monitorThatIs("blocked")], ...more })] },
        { path: "/gateways/acme" },
      ),
    );
  expect(await told({ usedBy: "production" })).toContain("Your calls with this key fail too.");
  expect(await told({})).toContain("If production uses this account, its calls fail too.");
  const monitors = [{ ...monitorThatIs("blocked"), usedBy: "production" as const }];
  expect(await told({ monitors })).toContain("Your calls with this key fail too.");
});
