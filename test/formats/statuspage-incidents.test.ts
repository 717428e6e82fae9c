import { expect, test } from "vitest";
import { type StatuspageDocument, statuspageDocument } from "../../src/formats/statuspage.ts";
import type { StatuspageSource } from "../../src/formats/statuspage-shapes.ts";
import type { IncidentDocument } from "../../src/history/documents.ts";
import { endEntry, NOW_MS, statusDocument, timelineEntry } from "../http/published-status.ts";
import { MAINTENANCES, SUMMARY } from "./statuspage-schemas.ts";
import { PLANNED, sourceOf, toldOf, watching } from "./statuspage-source.ts";

const UP = "operational";
const SLOW = "degraded_performance";
const OUT = "major_outage";

test("an incident is told with its updates, the newest first", () => {
  const told = toldOf({
    acknowledgedAt: "2026-11-20T08:30:00.000Z",
    notes: [{ at: "2026-11-20T09:30:00.000Z", text: "We have paid." }],
    timeline: [
      timelineEntry(),
      timelineEntry({
        at: "2026-11-20T09:00:00.000Z",
        type: "updated",
        cause: "timeout",
        health: "down",
        text: "Wait.",
      }),
      endEntry({ at: "2026-11-20T10:00:00.000Z" }),
    ],
    cause: "timeout",
    health: "down",
    resolvedAt: "2026-11-20T10:00:00.000Z",
  });
  expect(told).toMatchObject({
    id: "acme-models-20261120t080000z",
    name: "Acme - models: Blocked, later Down (timeout)",
    status: "resolved",
    impact: "major",
    started_at: "2026-11-20T07:59:00.000Z",
    created_at: "2026-11-20T08:00:00.000Z",
    updated_at: "2026-11-20T10:00:00.000Z",
    resolved_at: "2026-11-20T10:00:00.000Z",
    monitoring_at: null,
    shortlink: "https://status.example/incidents/acme-models-20261120t080000z",
    components: [{ id: "acme/models", status: "operational" }],
  });
  expect(
    told.incident_updates.map(({ status, display_at, body }) => [status, display_at.slice(11, 16), body]),
  ).toEqual([
    ["resolved", "10:00", "The last probes succeeded."],
    ["identified", "09:30", "We have paid."],
    ["identified", "09:00", "Down (timeout). Wait."],
    ["identified", "08:30", "Somebody has seen it."],
    ["investigating", "08:00", "Blocked (insufficient_balance). This is no outage of the gateway. Top up."],
  ]);
  const changes = told.incident_updates.map(({ affected_components: of }) =>
    of?.map((one) => [one.old_status, one.new_status]),
  );
  expect(changes).toEqual([[[OUT, UP]], undefined, [[SLOW, OUT]], undefined, [[SLOW, SLOW]]]);
  expect(told.incident_updates[0]?.affected_components).toMatchObject([
    { code: "acme/models", name: "Acme - models" },
  ]);
});

test.each([
  ["down", "major"],
  ["blocked", "minor"],
  ["degraded", "minor"],
  ["unknown", "minor"],
] as const)(
  "an incident in which a monitor was %s has impact %s, also when that is over",
  (health, impact) => {
    const ended = { resolvedAt: "2026-11-20T10:00:00.000Z", health: "degraded" } as const;
    expect(toldOf({ health, timeline: [timelineEntry({ health })] }).impact).toBe(impact);
    expect(toldOf({ ...ended, timeline: [timelineEntry({ health })] }).impact).toBe(impact);
  },
);

test("the cause that an incident is named by stands beside the health that goes with it", () => {
  const at = (minute: string): string => `2026-11-20T08:${minute}:00.000Z`;
  const timeline = [
    timelineEntry({ health: "down", cause: "timeout" }),
    timelineEntry({ at: at("10"), type: "updated" }),
    timelineEntry({ at: at("20"), type: "updated", health: "down", cause: "tls_failure" }),
  ];
  const { name } = toldOf({ health: "down", cause: "tls_failure", timeline });
  expect(name).toBe("Acme - models: Blocked, later Down (tls_failure)");
});

test("the ids of updates stay when others come, or the timeline is cut", () => {
  const at = (minute: string): string => `2026-11-20T08:${minute}:00.000Z`;
  const entries = [
    timelineEntry(),
    timelineEntry({ at: at("10"), type: "left", text: "a left" }),
    timelineEntry({ at: at("10"), type: "left", text: "b left" }),
    timelineEntry({ at: at("20"), type: "updated" }),
    timelineEntry({ at: at("30"), type: "updated" }),
  ];
  const idsOf = (more: Partial<IncidentDocument>): string[] =>
    toldOf(more).incident_updates.map(({ id }) => id);
  const before = idsOf({ timeline: entries });
  expect(new Set(before).size).toBe(5);
  const notes = [{ at: at("25"), text: "!" }];
  const more = idsOf({ timeline: [...entries, timelineEntry({ at: at("40"), type: "updated" })], notes });
  expect(more).toEqual([more[0], before[0], more[2], ...before.slice(1)]);
  expect(idsOf({ timeline: entries.toSpliced(3, 1) })).toEqual(before.toSpliced(1, 1));
});

test("an incident of several monitors is the gateway's, and claims of none when it changed", () => {
  const status = watching({ id: "acme/a" }, { id: "acme/b" });
  const told = toldOf({ monitors: ["acme/a", "acme/b", "acme/gone"] }, { status });
  expect(told.name).toBe("Acme: Blocked (insufficient_balance)");
  expect(told.components.map(({ id }) => id)).toEqual(["acme/a", "acme/b"]);
  expect(told.incident_updates[0]?.affected_components).toBeNull();
  const left = toldOf({ monitors: ["acme/a", "acme/gone"] }, { status });
  expect(left.incident_updates[0]?.affected_components).toBeNull();
});

test("an update that tells no new health affects no component", () => {
  const flapping = timelineEntry({ at: "2026-11-20T08:10:00.000Z", type: "flapping", text: "Too often." });
  const notes = [{ at: "2026-11-20T08:20:00.000Z", text: "We look." }];
  const { incident_updates: updates } = toldOf({ timeline: [timelineEntry(), flapping], notes });
  expect(updates.map(({ affected_components: of }) => of?.length)).toEqual([undefined, undefined, 1]);
});

test("an incident of the monitoring itself is no gateway's", () => {
  const own = { gateway: null, monitors: [], health: "unknown", cause: "dns_failure" } as const;
  const told = toldOf({
    ...own,
    monitors: [],
    timeline: [timelineEntry({ health: "unknown", cause: "dns_failure" })],
  });
  expect(told).toMatchObject({
    name: "The monitoring itself: no gateway could be reached (dns_failure)",
    impact: "minor",
    components: [],
  });
});

test("a monitor that was renamed is found by the id that it had; of one that is gone the id is told", () => {
  const renamed = toldOf({ monitors: ["acme/old"] }, { formerly: { "acme/models": ["acme/old"] } });
  expect(renamed).toMatchObject({
    name: expect.stringMatching(/^Acme - models:/u),
    components: [{ id: "acme/models" }],
  });
  const gone = toldOf({ gateway: "gone", monitors: ["gone/models"] });
  expect(gone).toMatchObject({ name: expect.stringMatching(/^gone\/models:/u), components: [] });
});

test("an incident that ended because its monitor went away does not say that it recovered", () => {
  const resolvedAt = "2026-11-20T10:00:00.000Z";
  for (const type of ["removed", "paused"]) {
    const end = endEntry({ at: resolvedAt, type, cause: null, text: "" });
    const [newest] = toldOf({ resolvedAt, timeline: [timelineEntry(), end] }).incident_updates;
    expect(newest).toMatchObject({ status: "resolved", affected_components: null });
    expect(newest?.body).toMatch(new RegExp(`was ${type}; that it recovered was never seen`, "u"));
  }
});

test("without its causes an incident says its health, and no more", () => {
  const hidden = { cause: null, owner: null, sent: null, text: "" };
  const told = toldOf({
    cause: null,
    owner: null,
    timeline: [
      timelineEntry(hidden),
      timelineEntry({ ...hidden, at: "2026-11-20T09:00:00.000Z", type: "joined" }),
    ],
  });
  expect(told.name).toBe("Acme - models: Blocked");
  expect(told.incident_updates.map(({ body }) => body)).toEqual([
    "Another monitor joined.",
    "Blocked. This is no outage of the gateway.",
  ]);
});

function maintenancesAt(nowMs: number, maintenance: StatuspageSource["status"]["maintenance"] = [PLANNED]) {
  const source = sourceOf({ status: statusDocument({ maintenance }), nowMs });
  const listOf = (name: Parameters<typeof statuspageDocument>[0]) =>
    MAINTENANCES.parse(statuspageDocument(name, source)).scheduled_maintenances;
  const summary = SUMMARY.parse(statuspageDocument("summary", source)).scheduled_maintenances;
  return {
    all: listOf("maintenances"),
    active: listOf("active maintenances"),
    upcoming: listOf("upcoming maintenances"),
    summary,
  };
}

test("a window is scheduled, in progress and completed in its time, with one id, and is told where it belongs", () => {
  const before = maintenancesAt(Date.parse(PLANNED.from) - 1);
  const during = maintenancesAt(Date.parse(PLANNED.from));
  const after = maintenancesAt(Date.parse(PLANNED.to));
  const statusesOf = (lists: ReturnType<typeof maintenancesAt>): unknown =>
    Object.values(lists).map((list) => list.map(({ status }) => status));
  expect(statusesOf(before)).toEqual([["scheduled"], [], ["scheduled"], ["scheduled"]]);
  expect(statusesOf(during)).toEqual([["in_progress"], ["in_progress"], [], ["in_progress"]]);
  expect(statusesOf(after)).toEqual([["completed"], [], [], []]);
  const ids = [before, during, after].map(({ all }) => all[0]?.id);
  expect(new Set(ids).size).toBe(1);
  expect(during.all[0]).toMatchObject({
    name: "New disks",
    impact: "maintenance",
    scheduled_for: PLANNED.from,
    scheduled_until: PLANNED.to,
    shortlink: "https://status.example/",
    resolved_at: null,
    components: [{ id: "acme/models", status: "under_maintenance" }],
    incident_updates: [{ status: "in_progress" }, { status: "scheduled" }],
  });
  expect(after.all[0]).toMatchObject({ resolved_at: PLANNED.to });
});

test("what is over stays in the list, as completed, with the id that it had, and nowhere else", () => {
  const nowMs = Date.parse(PLANNED.to) + 86_400_000;
  const source = sourceOf({ status: statusDocument(), maintenance: [PLANNED], nowMs });
  const listOf = (name: StatuspageDocument) =>
    MAINTENANCES.parse(statuspageDocument(name, source)).scheduled_maintenances;
  expect(listOf("maintenances")).toMatchObject([
    {
      id: maintenancesAt(NOW_MS).all[0]?.id,
      status: "completed",
      resolved_at: PLANNED.to,
      updated_at: PLANNED.to,
      incident_updates: [
        { status: "completed", display_at: PLANNED.to },
        { status: "in_progress" },
        { status: "scheduled" },
      ],
    },
  ]);
  expect(listOf("active maintenances")).toEqual([]);
  expect(listOf("upcoming maintenances")).toEqual([]);
  const summary = SUMMARY.parse(statuspageDocument("summary", source));
  expect(summary.scheduled_maintenances).toEqual([]);
  expect(summary.status.indicator).toBe("none");
});

test("of many windows the list has the 50 that begin last, and what is to come the 50 that are next", () => {
  const windows = Array.from({ length: 120 }, (_, index) => ({
    gateways: ["acme"],
    from: new Date(NOW_MS + (index - 60) * 60_000).toISOString(),
    to: new Date(NOW_MS + 3_600_000 + index * 60_000).toISOString(),
    title: `${index}`,
  }));
  const { all, active, upcoming, summary } = maintenancesAt(NOW_MS, windows);
  const named = (first: number, last: number) =>
    Array.from(
      { length: Math.abs(last - first) + 1 },
      (_, step) => `${first + Math.sign(last - first) * step}`,
    );
  expect(all.map(({ name }) => name)).toEqual(named(119, 70));
  expect(active.map(({ name }) => name)).toEqual(named(0, 49));
  expect(upcoming.map(({ name }) => name)).toEqual(named(61, 110));
  expect(summary.map(({ name }) => name)).toEqual(named(0, 49));
});

test("a window that was planned without a deploy keeps its id; others keep theirs when title and end change", () => {
  expect(maintenancesAt(NOW_MS, [{ ...PLANNED, id: "mabc" }]).all[0]?.id).toBe("mabc");
  const [one, two] = maintenancesAt(NOW_MS, [PLANNED, PLANNED]).all;
  const changed = { ...PLANNED, title: "Other", to: "2026-11-20T14:00:00.000Z" };
  expect(maintenancesAt(NOW_MS, [changed]).all[0]?.id).toBe(one?.id);
  expect(two?.id).not.toBe(one?.id);
});

test("a window of no gateway in particular concerns the components of all", () => {
  expect(maintenancesAt(NOW_MS, [{ ...PLANNED, gateways: [] }]).all[0]?.components).toHaveLength(1);
  expect(maintenancesAt(NOW_MS, [{ ...PLANNED, gateways: ["other"] }]).all[0]?.components).toHaveLength(0);
});
