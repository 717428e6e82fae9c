import { expect, test } from "vitest";
import type { MonitorDocument } from "../../src/history/documents.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { pendingCanary, skippedCanary } from "../http/canary-documents.ts";
import { BALANCE_GONE, gatewayDocument, regionDocument, statusDocument } from "../http/documents.ts";
import { PAUSED } from "./any-status.ts";
import { PLANNED, summaryOf, watching } from "./statuspage-source.ts";

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

const FAILING = regionDocument({ region: "apac", status: "down" });

test("what fails as seen from few regions is operational: no outage, but it says so", () => {
  const { status, components, incidents } = summaryOf({
    status: { ...watching({ regions: [regionDocument(), FAILING] }), notice: "It is simulated." },
  });
  expect(status).toEqual({ indicator: "none", description: "All Systems Operational (It is simulated.)" });
  expect(incidents).toEqual([]);
  expect(components.map((one) => [one.status, one.description])).toEqual([
    [UP, null],
    [UP, "It fails as seen from apac. From most regions it works."],
  ]);
});

const BLOCKED_VIEW =
  "Blocked: the monitor cannot see whether the gateway works. This is no outage of the gateway. " +
  "insufficient_balance: Top up the account.";
const NO_EVIDENCE = "Unknown: there is no fresh evidence.";
const PAUSED_TEXT = "Paused since 2026-11-20T10:00:00.000Z: it is not checked.";
const TIMED_OUT: Diagnosis = { ...BALANCE_GONE, cause: "timeout", advice: "Ask the operator." };
const FROM_TWO = [FAILING, regionDocument(), { ...FAILING, region: "oc" }];

test.each<[string, Partial<MonitorDocument>, status: string, description: string, of: string]>([
  ["blocked", { status: "blocked", diagnosis: BALANCE_GONE }, SLOW, BLOCKED_VIEW, "with a blocked view"],
  [
    "unknown",
    { lastStatus: "up" },
    SLOW,
    `${NO_EVIDENCE} The last verdict was: up.`,
    "without fresh evidence",
  ],
  ["unknown, and never judged", { lastStatus: null }, SLOW, NO_EVIDENCE, "without fresh evidence"],
  ["paused", PAUSED, SLOW, PAUSED_TEXT, "paused"],
  ["degraded, with its cause hidden", { status: "degraded" }, SLOW, "Degraded.", "degraded"],
  ["down", { status: "down", diagnosis: TIMED_OUT }, OUT, "Down. timeout: Ask the operator.", "down"],
  [
    "down as seen from two regions",
    { status: "down", regions: FROM_TWO },
    OUT,
    "Down. It fails as seen from apac, oc.",
    "down",
  ],
])("a monitor that is %s", (_name, monitor, status, description, of) => {
  const summary = summaryOf({ status: watching({ status: "unknown", diagnosis: null, ...monitor }) });
  const [group, leaf] = summary.components;
  const page = { indicator: status === OUT ? "critical" : "minor", description: `1 of 1 monitor ${of}` };
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
  expect(status.description).toMatch(/1 (?:of 2 monitors )?paused$/u);
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
  const description = "2 of 2 monitors in planned maintenance";
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

const LAST_UP = "The last verdict was: up.";
const LIST_FAILS =
  "Not asked: the gateway's list fails, and this would fail too. The last verdict was: down.";
const capped = skippedCanary({ reason: "cap", cause: null });
const behind = skippedCanary({ reason: "gateway", cause: "timeout" }, { lastStatus: "down" });
const unlisted = skippedCanary({ reason: "unlisted", cause: null }, { lastStatus: null });

test.each([
  ["for its cap", capped, UP, `Not asked: the requests of today are used up. ${LAST_UP}`, "none"],
  ["for the gateway's sake, and was down", behind, OUT, LIST_FAILS, "critical"],
  ["for it is not listed", unlisted, SLOW, "Not asked: the list does not name this model.", "minor"],
  ["while its task runs", pendingCanary(), UP, `Its task is not over. ${LAST_UP}`, "none"],
] as const)("a canary that is not asked %s stands so, and says why", (_, canary, status, why, indicator) => {
  const gateways = [gatewayDocument({ monitors: [canary] })];
  const summary = summaryOf({ status: statusDocument({ gateways }) });
  expect(summary.components[1]).toMatchObject({ status, description: why });
  expect(summary.status.indicator).toBe(indicator);
});
