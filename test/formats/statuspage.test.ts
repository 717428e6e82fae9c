/** Components, incidents and maintenance as the documents of Statuspage tell them. */
import { expect, test } from "vitest";
import type { StatuspageSource } from "../../src/formats/statuspage.ts";
import type { IncidentDocument, MonitorDocument } from "../../src/history/documents.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import {
  BALANCE_GONE,
  endEntry,
  gatewayDocument,
  NOW_MS,
  pendingCanary,
  skippedCanary,
  statusDocument,
  timelineEntry,
} from "../http/documents.ts";
import { PAUSED } from "./any-status.ts";
import { PLANNED, sent, sourceOf, summaryOf, toldOf, watching } from "./statuspage-source.ts";

test("the page is told by its title, address and zone, and its id is the address's host", () => {
  expect(summaryOf().page).toEqual({
    id: "status.example",
    name: "Acme gateways",
    url: "https://status.example",
    time_zone: "UTC",
    updated_at: "2026-11-20T12:00:00.000Z",
  });
});

test("a gateway is a group row before its monitors, whose ids are those that they have everywhere", () => {
  const status = watching({ id: "acme/models" }, { id: "acme/chat", kind: "chat", model: "gpt-4o" });
  const { components } = summaryOf({ status });
  expect(components).toMatchObject([
    { id: "acme", name: "Acme", group: true, group_id: null, components: ["acme/models", "acme/chat"] },
    { id: "acme/models", name: "models", group: false, group_id: "acme", position: 1 },
    { id: "acme/chat", name: "chat · gpt-4o", group: false, group_id: "acme", position: 2 },
  ]);
});

const UP = "operational";
const SLOW = "degraded_performance";
const OUT = "major_outage";
const WORK = "under_maintenance";

const BLOCKED_VIEW =
  "Blocked: the monitor cannot see whether the gateway works. This is no outage of the gateway. " +
  "insufficient_balance: Top up the account.";
const NO_EVIDENCE = "Unknown: no fresh result.";
const PAUSED_TEXT = "Paused since 2026-11-20T10:00:00.000Z: it is not checked.";
const TIMED_OUT: Diagnosis = { ...BALANCE_GONE, cause: "timeout", advice: "Ask the operator." };

test.each<[string, Partial<MonitorDocument>, status: string, description: string]>([
  ["blocked", { status: "blocked", diagnosis: BALANCE_GONE }, SLOW, BLOCKED_VIEW],
  ["unknown", { lastStatus: "up" }, SLOW, `${NO_EVIDENCE} The last result was: up.`],
  ["unknown, and never judged", { lastStatus: null }, SLOW, NO_EVIDENCE],
  ["paused", PAUSED, SLOW, PAUSED_TEXT],
  ["degraded, with its cause hidden", { status: "degraded" }, SLOW, "Degraded."],
  ["down", { status: "down", diagnosis: TIMED_OUT }, OUT, "Down. timeout: Ask the operator."],
])("a monitor that is %s", (_name, monitor, status, description) => {
  const summary = summaryOf({ status: watching({ status: "unknown", diagnosis: null, ...monitor }) });
  const [group, leaf] = summary.components;
  const page = { indicator: status === OUT ? "critical" : "minor", description: "1 of 1 monitor is not up" };
  expect(leaf).toMatchObject({ status, description });
  expect(group).toMatchObject({ status, description: page.description });
  expect(summary.status).toEqual(page);
});

test.each([
  ["up", SLOW, "minor"],
  ["degraded", SLOW, "minor"],
  ["down", OUT, "major"],
] as const)("of a paused monitor nothing is known, beside one that is %s too", (health, group, indicator) => {
  const { status, components } = summaryOf({ status: watching({ status: health, diagnosis: null }, PAUSED) });
  expect(components[0]?.status).toBe(group);
  expect(components[2]).toMatchObject({ status: SLOW, description: PAUSED_TEXT });
  expect(status.indicator).toBe(indicator);
});

test("when the checks have stopped no component is operational, and all say why", () => {
  const of = { ...watching({}, { status: "down" }), stale: true, maintenance: [PLANNED] };
  const { status, components } = summaryOf({ status: of });
  const description = "The checks have stopped: nothing is known of now";
  expect(status).toEqual({ indicator: "minor", description });
  for (const component of components) {
    expect(component.status).toBe(SLOW);
    expect(component.description).toMatch(/^The checks have stopped/u);
  }
});

test("in planned maintenance nothing is an outage; once it is over it is one again", () => {
  const status = { ...watching({ status: "down" }, {}), maintenance: [PLANNED] };
  const during = summaryOf({ status });
  const description = "2 of 2 monitors are not up";
  expect(during.status).toEqual({ indicator: "maintenance", description });
  expect(during.components[1]).toMatchObject({
    status: WORK,
    description: "Planned maintenance until 2026-11-20T13:00:00.000Z: New disks",
    updated_at: PLANNED.from,
  });
  for (const nowMs of [Date.parse(PLANNED.to), Date.parse(PLANNED.from) - 1])
    expect(summaryOf({ status, nowMs }).status.indicator).toBe("major");
});

test("where nothing is monitored nothing is green", () => {
  const description = "Nothing is monitored yet";
  const none = summaryOf({ status: statusDocument({ gateways: [] }) });
  expect(none.status).toEqual({ indicator: "minor", description });
  const empty = gatewayDocument({ id: "new", monitors: [] });
  const some = summaryOf({ status: statusDocument({ gateways: [gatewayDocument(), empty] }) });
  expect(some.status.indicator).toBe("minor");
  expect(some.components.at(-1)).toMatchObject({ id: "new", status: SLOW, description });
});

const capped = skippedCanary({ reason: "cap", cause: null });
const behind = skippedCanary({ reason: "gateway", cause: "timeout" }, { lastStatus: "down" });
const unlisted = skippedCanary({ reason: "unlisted", cause: null }, { lastStatus: null });

test.each([
  ["for its cap", capped, UP, " The last result was: up.", "none"],
  ["for the gateway's sake, and was down", behind, OUT, " The last result was: down.", "critical"],
  ["for it is not listed", unlisted, SLOW, "", "minor"],
  ["while its task runs", pendingCanary(), UP, " The last result was: up.", "none"],
] as const)("a canary that is not asked %s stands so, and says so", (_, canary, status, last, indicator) => {
  const gateways = [gatewayDocument({ monitors: [canary] })];
  const summary = summaryOf({ status: statusDocument({ gateways }) });
  expect(summary.components[1]).toMatchObject({ status, description: `It is not checked now.${last}` });
  expect(summary.status.indicator).toBe(indicator);
});

const at = (time: string): string => `2026-11-20T${time}:00.000Z`;

test("an incident comes with its updates, the newest first", () => {
  const failure = { cause: "timeout", health: "down" } as const;
  const later = timelineEntry({ at: at("09:00"), type: "updated", ...failure, text: "Wait." });
  const { incident_updates: updates, ...told } = toldOf({
    ...failure,
    acknowledgedAt: at("08:30"),
    notes: [{ at: at("09:30"), text: "We have paid." }],
    timeline: [timelineEntry(), later, endEntry({ at: at("10:00") })],
    resolvedAt: at("10:00"),
  });
  const times = { started_at: at("07:59"), created_at: at("08:00"), updated_at: at("10:00") };
  expect(told).toMatchObject({
    ...times,
    id: "acme-models-20261120t080000z",
    name: "Acme - models: Down (timeout)",
    status: "resolved",
    impact: "major",
    resolved_at: at("10:00"),
    monitoring_at: null,
    shortlink: "https://status.example/incidents/acme-models-20261120t080000z",
    components: [{ id: "acme/models", status: "operational" }],
  });
  const first = "Blocked (insufficient_balance). This is no outage of the gateway. Top up.";
  expect(updates.map((one) => [one.status, one.display_at, one.body])).toEqual([
    ["resolved", at("10:00"), "The last probes succeeded."],
    ["identified", at("09:30"), "We have paid."],
    ["identified", at("09:00"), "Down (timeout). Wait."],
    ["identified", at("08:30"), "Somebody has seen it."],
    ["investigating", at("08:00"), first],
  ]);
});

test.each([
  ["down", "major"],
  ["blocked", "minor"],
] as const)("where a monitor was %s the impact is %s, also when that is over", (health, impact) => {
  const timeline = [timelineEntry({ health })];
  expect(toldOf({ health, timeline }).impact).toBe(impact);
  expect(toldOf({ health: "degraded", resolvedAt: at("10:00"), timeline }).impact).toBe(impact);
});

test("the ids of updates stay when others come, or the timeline is cut", () => {
  const updated = (time: string) => timelineEntry({ at: at(time), type: "updated" });
  const left = ["a left", "b left"].map((text) => timelineEntry({ at: at("08:10"), type: "left", text }));
  const timeline = [timelineEntry(), ...left, updated("08:20"), updated("08:30")];
  const idsOf = (more: Partial<IncidentDocument>) => toldOf(more).incident_updates.map(({ id }) => id);
  const before = idsOf({ timeline });
  expect(new Set(before).size).toBe(5);
  const notes = [{ at: at("08:25"), text: "!" }];
  const more = idsOf({ timeline: [...timeline, updated("08:40")], notes });
  expect(more).toEqual([more[0], before[0], more[2], ...before.slice(1)]);
  expect(idsOf({ timeline: timeline.toSpliced(3, 1) })).toEqual(before.toSpliced(1, 1));
});

test("an incident of several monitors is the gateway's", () => {
  const status = watching({ id: "acme/a" }, { id: "acme/b" });
  const told = toldOf({ monitors: ["acme/a", "acme/b", "acme/gone"] }, { status });
  expect(told.name).toBe("Acme: Blocked (insufficient_balance)");
  expect(told.components.map(({ id }) => id)).toEqual(["acme/a", "acme/b"]);
});

test("an incident of the monitoring itself is no gateway's", () => {
  const own = { health: "unknown", cause: "dns_failure" } as const;
  expect(toldOf({ ...own, gateway: null, monitors: [], timeline: [timelineEntry(own)] })).toMatchObject({
    name: "The monitoring itself: no gateway could be reached (dns_failure)",
    impact: "minor",
    components: [],
  });
});

test("a monitor that was renamed is found by its former id; one that is gone is shown by its id", () => {
  const renamed = toldOf({ monitors: ["acme/old"] }, { formerly: { "acme/models": ["acme/old"] } });
  expect(renamed.name).toMatch(/^Acme - models:/u);
  expect(renamed.components).toMatchObject([{ id: "acme/models" }]);
  const gone = toldOf({ gateway: "gone", monitors: ["gone/models"] });
  expect(gone.name).toMatch(/^gone\/models:/u);
  expect(gone.components).toEqual([]);
});

test.each(["removed", "paused"])(
  "an incident whose monitor was %s does not say that it recovered",
  (type) => {
    const resolvedAt = at("10:00");
    const end = endEntry({ at: resolvedAt, type, cause: null, text: "" });
    const [newest] = toldOf({ resolvedAt, timeline: [timelineEntry(), end] }).incident_updates;
    expect(newest).toMatchObject({ status: "resolved" });
    expect(newest?.body).toMatch(/^(?:Removed|Paused)\.$/u);
  },
);

test("without its causes an incident says its health, and no more", () => {
  const hidden = { cause: null, owner: null, sent: null, text: "" };
  const joined = timelineEntry({ ...hidden, at: at("09:00"), type: "joined" });
  const told = toldOf({ cause: null, owner: null, timeline: [timelineEntry(hidden), joined] });
  expect(told.name).toBe("Acme - models: Blocked");
  const bodies = told.incident_updates.map(({ body }) => body);
  expect(bodies).toEqual(["Joined.", "Blocked. This is no outage of the gateway."]);
});

type Windows = StatuspageSource["status"]["maintenance"];

/** @param tail what the snapshot has beside its status, if other than that. */
function maintenancesAt(nowMs: number, maintenance: Windows = [PLANNED], tail: Windows = maintenance) {
  const source = sourceOf({ status: statusDocument({ maintenance }), maintenance: tail, nowMs });
  return {
    all: sent("scheduled-maintenances", source).scheduled_maintenances,
    active: sent("scheduled-maintenances/active", source).scheduled_maintenances,
    upcoming: sent("scheduled-maintenances/upcoming", source).scheduled_maintenances,
    summary: sent("summary", source).scheduled_maintenances,
  };
}

test("a window is scheduled, in progress and completed in its time, with one id, and is listed where it belongs", () => {
  const instants = [Date.parse(PLANNED.from) - 1, Date.parse(PLANNED.from), Date.parse(PLANNED.to)];
  const [before, during, after] = instants.map((nowMs) => maintenancesAt(nowMs));
  const over = maintenancesAt(Date.parse(PLANNED.to) + 86_400_000, [], [PLANNED]);
  const statuses = [before, during, after, over].map((lists) =>
    Object.values(lists!).map((list) => list.map(({ status }) => status).join()),
  );
  expect(statuses).toEqual([
    ["scheduled", "", "scheduled", "scheduled"],
    ["in_progress", "in_progress", "", "in_progress"],
    ["completed", "", "", ""],
    ["completed", "", "", ""],
  ]);
  expect(new Set([before, during, after, over].map((lists) => lists!.all[0]?.id)).size).toBe(1);
  expect(during!.all[0]).toMatchObject({
    name: "New disks",
    impact: "maintenance",
    scheduled_for: PLANNED.from,
    scheduled_until: PLANNED.to,
    shortlink: "https://status.example/",
    resolved_at: null,
    components: [{ id: "acme/models", status: "under_maintenance" }],
    incident_updates: [{ status: "in_progress" }, { status: "scheduled" }],
  });
  expect(after!.all[0]).toMatchObject({ resolved_at: PLANNED.to });
  const end = { status: "completed", display_at: PLANNED.to };
  expect(over.all).toMatchObject([
    {
      resolved_at: PLANNED.to,
      updated_at: PLANNED.to,
      incident_updates: [end, { status: "in_progress" }, { status: "scheduled" }],
    },
  ]);
});

test("of many windows the list has the 50 that begin last, and what is to come the 50 that are next", () => {
  const windows = Array.from({ length: 120 }, (_, index) => ({
    gateways: ["acme"],
    from: new Date(NOW_MS + (index - 60) * 60_000).toISOString(),
    to: new Date(NOW_MS + 3_600_000 + index * 60_000).toISOString(),
    title: `${index}`,
  }));
  const { all, active, upcoming, summary } = maintenancesAt(NOW_MS, windows);
  const titles = windows.map(({ title }) => title);
  expect(all.map(({ name }) => name)).toEqual(titles.slice(70).toReversed());
  expect(active.map(({ name }) => name)).toEqual(titles.slice(0, 50));
  expect(upcoming.map(({ name }) => name)).toEqual(titles.slice(61, 111));
  expect(summary.map(({ name }) => name)).toEqual(titles.slice(0, 50));
});

test("a window that was planned without a deploy keeps its id; others keep theirs when title and end change", () => {
  const idsOf = (...windows: Windows) => maintenancesAt(NOW_MS, windows).all.map(({ id }) => id);
  expect(idsOf({ ...PLANNED, id: "mabc" })).toEqual(["mabc"]);
  const [one, two] = idsOf(PLANNED, PLANNED);
  expect(idsOf({ ...PLANNED, title: "Other", to: at("14:00") })).toEqual([one]);
  expect(two).not.toBe(one);
});
