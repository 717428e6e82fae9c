import { expect, test } from "vitest";
import { statuspageDocument } from "../../src/formats/statuspage.ts";
import { indicatorOf } from "../../src/formats/statuspage-standing.ts";
import { pendingCanary, skippedCanary } from "../http/canary-documents.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  regionDocument,
  statusDocument,
} from "../http/published-status.ts";
import { PAUSED } from "./any-status.ts";
import { COMPONENTS } from "./statuspage-schemas.ts";
import { PLANNED, sourceOf, summaryOf, watching } from "./statuspage-source.ts";

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
  const { components } = COMPONENTS.parse(statuspageDocument("components", sourceOf({ status })));
  expect(components).toMatchObject([
    { id: "acme", name: "Acme", group: true, group_id: null, components: ["acme/models", "acme/chat"] },
    { id: "acme/models", name: "models", group: false, group_id: "acme", position: 1 },
    { id: "acme/chat", name: "chat · gpt-4o", group: false, group_id: "acme", position: 2 },
  ]);
});

test("what fails as seen from few regions is operational: no outage, but it says so", () => {
  const failing = regionDocument({ region: "apac", status: "down" });
  const status = watching({ id: "acme/models", regions: [regionDocument(), failing] });
  const { status: page, components, incidents } = summaryOf({ status });
  expect(page).toEqual({ indicator: "none", description: "All Systems Operational" });
  expect(incidents).toEqual([]);
  expect(components.map((one) => [one.status, one.description])).toEqual([
    ["operational", null],
    ["operational", "It fails as seen from apac. From most regions it works."],
  ]);
});

test("what is down says from where it is seen to be", () => {
  const down = regionDocument({ region: "apac", status: "down" });
  const status = watching({
    status: "down",
    diagnosis: null,
    regions: [down, regionDocument(), { ...down, region: "oc" }],
  });
  const [, component] = summaryOf({ status }).components;
  expect([component?.status, component?.description]).toEqual([
    "major_outage",
    "Down. It fails as seen from apac, oc.",
  ]);
});

test("what is up is operational, and says nothing more", () => {
  const { status, components } = summaryOf();
  expect(status).toEqual({ indicator: "none", description: "All Systems Operational" });
  expect(components.map((one) => [one.status, one.description])).toEqual([
    ["operational", null],
    ["operational", null],
  ]);
});

test.each([
  [
    "blocked",
    { status: "blocked", diagnosis: BALANCE_GONE },
    "degraded_performance",
    "Blocked: the monitor cannot see whether the gateway works. This is no outage of the gateway. " +
      "insufficient_balance: Top up the account.",
    { indicator: "minor", description: "1 of 1 monitor with a blocked view" },
  ],
  [
    "unknown",
    { status: "unknown", lastStatus: "up" },
    "degraded_performance",
    "Unknown: there is no fresh evidence. The last verdict was: up.",
    { indicator: "minor", description: "1 of 1 monitor without fresh evidence" },
  ],
  [
    "unknown, and never judged",
    { status: "unknown", lastStatus: null },
    "degraded_performance",
    "Unknown: there is no fresh evidence.",
    { indicator: "minor", description: "1 of 1 monitor without fresh evidence" },
  ],
  [
    "paused",
    PAUSED,
    "degraded_performance",
    "Paused since 2026-11-20T10:00:00.000Z: it is not checked.",
    { indicator: "minor", description: "1 of 1 monitor paused" },
  ],
  [
    "degraded, with its cause hidden",
    { status: "degraded", diagnosis: null },
    "degraded_performance",
    "Degraded.",
    { indicator: "minor", description: "1 of 1 monitor degraded" },
  ],
  [
    "down",
    { status: "down", diagnosis: { ...BALANCE_GONE, cause: "timeout", advice: "Ask the operator." } },
    "major_outage",
    "Down. timeout: Ask the operator.",
    { indicator: "critical", description: "1 of 1 monitor down" },
  ],
] as const)("a monitor that is %s", (_name, monitor, status, description, page) => {
  const summary = summaryOf({ status: watching({ ...monitor, diagnosis: null, ...monitor }) });
  const [group, leaf] = summary.components;
  expect(leaf).toMatchObject({ status, description });
  expect(group).toMatchObject({ status, description: page.description });
  expect(summary.status).toEqual(page);
});

test.each([
  ["up", "degraded_performance", "minor"],
  ["degraded", "degraded_performance", "minor"],
  ["down", "major_outage", "major"],
] as const)("of a paused monitor nothing is known, beside one that is %s too", (...of) => {
  const [health, group, indicator] = of;
  const summary = summaryOf({ status: watching({ status: health, diagnosis: null }, PAUSED) });
  expect(summary.components[0]?.status).toBe(group);
  expect(summary.components[2]).toMatchObject({
    status: "degraded_performance",
    description: "Paused since 2026-11-20T10:00:00.000Z: it is not checked.",
  });
  expect(summary.status.indicator).toBe(indicator);
  expect(summary.status.description).toMatch(/1 (?:of 2 monitors )?paused$/u);
});

test("a paused monitor is paused in planned maintenance too", () => {
  const status = { ...watching({}, PAUSED), maintenance: [PLANNED] };
  const { components, status: page } = summaryOf({ status });
  expect(components.map((one) => one.status)).toEqual([
    "degraded_performance",
    "under_maintenance",
    "degraded_performance",
  ]);
  expect(components[2]?.description).toMatch(/^Paused since/u);
  expect(page.indicator).toBe("minor");
});

test("a group was created with the first of its monitors, and updated with the last", () => {
  const since = ["2026-11-20T09:00:00.000Z", "2026-11-20T07:00:00.000Z", "2026-11-20T08:00:00.000Z"];
  const { components } = summaryOf({ status: watching(...since.map((at) => ({ since: at }))) });
  expect(components[0]).toMatchObject({
    created_at: "2026-11-20T07:00:00.000Z",
    updated_at: "2026-11-20T09:00:00.000Z",
  });
});

test("when the checks have stopped no component is operational, and all say why", () => {
  const status = { ...watching({}, { status: "down" }), stale: true, maintenance: [PLANNED] };
  const summary = summaryOf({ status });
  expect(summary.status).toEqual({
    indicator: "minor",
    description: "The checks have stopped: nothing is known of now",
  });
  for (const component of summary.components) {
    expect(component.status).toBe("degraded_performance");
    expect(component.description).toMatch(/^The checks have stopped/u);
  }
});

test("in planned maintenance nothing is an outage; once it is over it is one again", () => {
  const status = { ...watching({ status: "down" }, {}), maintenance: [PLANNED] };
  const during = summaryOf({ status });
  expect(during.status).toEqual({
    indicator: "maintenance",
    description: "2 of 2 monitors in planned maintenance",
  });
  expect(during.components[1]).toMatchObject({
    status: "under_maintenance",
    description: "Planned maintenance until 2026-11-20T13:00:00.000Z: New disks",
    updated_at: PLANNED.from,
  });
  expect(summaryOf({ status, nowMs: Date.parse(PLANNED.to) }).status.indicator).toBe("major");
  expect(summaryOf({ status, nowMs: Date.parse(PLANNED.from) - 1 }).status.indicator).toBe("major");
});

test("maintenance is told of the page only where nothing is worse", () => {
  const other = gatewayDocument({
    id: "b",
    monitors: [monitorDocument({ id: "b/models", status: "blocked" })],
  });
  const status = statusDocument({ gateways: [gatewayDocument(), other], maintenance: [PLANNED] });
  expect(summaryOf({ status }).status).toEqual({
    indicator: "minor",
    description: "1 of 2 monitors with a blocked view, 1 in planned maintenance",
  });
});

test("where nothing is monitored nothing is green", () => {
  const none = summaryOf({ status: statusDocument({ gateways: [] }) });
  expect(none.status).toEqual({ indicator: "minor", description: "Nothing is monitored yet" });
  const empty = gatewayDocument({ id: "new", monitors: [] });
  const some = summaryOf({ status: statusDocument({ gateways: [gatewayDocument(), empty] }) });
  expect(some.status.indicator).toBe("minor");
  expect(some.components.at(-1)).toMatchObject({
    id: "new",
    status: "degraded_performance",
    description: "Nothing is monitored yet",
  });
});

test("what must be known before all else is told with the status", () => {
  const status = statusDocument({ notice: "This gateway is simulated." });
  expect(summaryOf({ status }).status.description).toBe(
    "All Systems Operational (This gateway is simulated.)",
  );
});

const UP = "operational";
const SLOW = "degraded_performance";
const PART = "partial_outage";
const OUT = "major_outage";
const WORK = "under_maintenance";

test.each([
  [[], "minor"],
  [[UP], "none"],
  [[UP, WORK], "maintenance"],
  [[WORK, WORK], "maintenance"],
  [[WORK, SLOW], "minor"],
  [[UP, SLOW], "minor"],
  [[SLOW, SLOW], "minor"],
  [[UP, PART], "minor"],
  [[WORK, PART], "minor"],
  [[PART, PART], "major"],
  [[PART, OUT], "major"],
  [[UP, OUT], "major"],
  [[WORK, OUT], "major"],
  [[OUT], "critical"],
  [[OUT, OUT], "critical"],
] as const)("%j together are %s", (statuses, indicator) => {
  expect(indicatorOf(statuses)).toBe(indicator);
});

test.each([
  [
    "for its cap, and was up",
    skippedCanary({ reason: "cap", cause: null }),
    "operational",
    "Not asked: the requests of today are used up. The last verdict was: up.",
    "none",
  ],
  [
    "for the gateway's sake, and was down",
    skippedCanary({ reason: "gateway", cause: "timeout" }, { lastStatus: "down" }),
    "major_outage",
    "Not asked: the gateway's list fails, and this would fail too. The last verdict was: down.",
    "critical",
  ],
  [
    "for it is not listed, and was never judged",
    skippedCanary({ reason: "unlisted", cause: null }, { lastStatus: null }),
    "degraded_performance",
    "Not asked: the list does not name this model.",
    "minor",
  ],
  [
    "while its task runs, and was up",
    pendingCanary(),
    "operational",
    "Its task is not over. The last verdict was: up.",
    "none",
  ],
] as const)("a canary that is not asked %s stands so, and says why", (_, canary, status, why, indicator) => {
  const gateways = [gatewayDocument({ monitors: [canary] })];
  const summary = summaryOf({ status: statusDocument({ gateways }) });
  const [, component] = summary.components;
  expect([component?.status, component?.description]).toEqual([status, why]);
  expect(summary.status.indicator).toBe(indicator);
});

test("a canary that waits is operational no more when the checks have stopped", () => {
  const gateways = [gatewayDocument({ monitors: [skippedCanary({ reason: "cap", cause: null })] })];
  const [, component] = summaryOf({ status: statusDocument({ gateways, stale: true }) }).components;
  expect([component?.status, component?.description]).toEqual([
    "degraded_performance",
    "The checks have stopped: there is no fresh evidence. The last verdict was: up.",
  ]);
});
