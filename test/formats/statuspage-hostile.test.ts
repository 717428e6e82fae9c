/** Whatever was published, the documents keep their shape, refer to what is there, and are green by evidence alone. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { STATUSES } from "../../src/domain/announcement.ts";
import { STATUSPAGE_DOCUMENTS, type StatuspageSource } from "../../src/formats/statuspage.ts";
import type {
  GatewayDocument,
  IncidentDocument,
  MonitorDocument,
  TimelineEntryDocument,
  WindowDocument,
} from "../../src/history/documents.ts";
import { CAUSES, HEALTHS, OWNERS, TURNS } from "../../src/protocol/diagnosis.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
} from "../http/documents.ts";
import { sent } from "./statuspage-source.ts";

const ODD = '__proto__ toString 2026 </script> "},{" \u0000 \u202e \ud800 null'.split(" ");
const text = fc.oneof(
  fc.constantFrom(...ODD, "\r\n"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
);
const id = fc.oneof(fc.constantFrom("constructor", "a", "b", "a-2"), fc.stringMatching(/^[a-z0-9-]{1,6}$/u));
const hour = fc.integer({ min: -3, max: 3 });
const instantOf = (hours: number): string => new Date(NOW_MS + hours * 3_600_000).toISOString();
/** Around now, at the very instant too; on few instants, so that many meet. */
const at = hour.map(instantOf);
const health = fc.constantFrom(...HEALTHS);
const cause = fc.option(fc.constantFrom(...CAUSES));

const monitor = fc.record({
  own: id,
  kind: text,
  model: fc.option(text),
  status: health,
  lastStatus: fc.option(health),
  since: at,
  pausedAt: fc.option(at),
  words: fc.option(text),
});

type Values<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

function monitorOf(
  gateway: string,
  { own, pausedAt, words, ...rest }: Values<typeof monitor>,
): MonitorDocument {
  return monitorDocument({
    ...rest,
    id: `${gateway}/${own}`,
    diagnosis: words === null ? null : { ...BALANCE_GONE, advice: words, message: words },
    // As the Ledger leaves one that a person paused.
    ...(pausedAt !== null && { status: "unknown", diagnosis: null, nextProbeAt: null, pausedAt }),
  });
}

const gateways: fc.Arbitrary<GatewayDocument[]> = fc.uniqueArray(
  fc
    .tuple(id, text, fc.uniqueArray(monitor, { selector: ({ own }) => own, maxLength: 3 }))
    .map(([of, name, monitors]) =>
      gatewayDocument({ id: of, name, monitors: monitors.map((one) => monitorOf(of, one)) }),
    ),
  { selector: (gateway) => gateway.id, maxLength: 3 },
);

const window: fc.Arbitrary<WindowDocument> = fc
  .record({
    own: fc.option(fc.stringMatching(/^m[a-z0-9]{8}$/u)),
    gateways: fc.array(id, { maxLength: 2 }),
    from: hour,
    hours: fc.integer({ min: 1, max: 3 }),
    title: text,
  })
  .map(({ own, gateways: of, from, hours, title }) => {
    const planned = { gateways: of, from: instantOf(from), to: instantOf(from + hours), title };
    return own === null ? planned : Object.assign({ id: own }, planned);
  });

const ENTRIES = ["opened", "updated", "joined", "left", "resolved", "removed", "paused"];
const entry: fc.Arbitrary<TimelineEntryDocument> = fc.record({
  at,
  type: fc.oneof(fc.constantFrom(...ENTRIES), text),
  cause,
  text: fc.oneof(fc.constant(""), text),
  health: fc.option(health),
  owner: fc.option(fc.constantFrom(...OWNERS)),
  turn: fc.option(fc.constantFrom(...TURNS)),
  sent: fc.option(fc.boolean()),
});

const monitorId = fc.tuple(id, id).map((parts) => parts.join("/"));
const incident: fc.Arbitrary<IncidentDocument> = fc
  .record({
    gateway: fc.option(id),
    monitors: fc.array(monitorId, { maxLength: 3 }),
    cause,
    health,
    firstFailureAt: fc.option(at),
    openedAt: at,
    resolvedAt: fc.option(at),
    acknowledgedAt: fc.option(at),
    timeline: fc.array(entry, { minLength: 1, maxLength: 6 }),
    notes: fc.array(fc.record({ at, text }), { maxLength: 3 }),
    url: text,
  })
  .map((more) => incidentDocument(more));

// No incident of checks has such an id.
const announcement = fc.record({
  id: id.map((own) => `a${own}`),
  kind: fc.constantFrom("announcement" as const, "incident" as const),
  title: text,
  gateways: fc.array(id, { maxLength: 2 }),
  until: fc.option(at),
  updates: fc.array(fc.record({ at, status: fc.option(fc.constantFrom(...STATUSES)), body: text }), {
    minLength: 1,
    maxLength: 3,
  }),
});

const source: fc.Arbitrary<StatuspageSource> = fc
  .record({
    gateways,
    title: text,
    notice: fc.option(text),
    stale: fc.boolean(),
    windows: fc.uniqueArray(window, { selector: (one) => one.id ?? one, maxLength: 6 }),
    incidents: fc.array(incident, { maxLength: 4 }),
    announcements: fc.uniqueArray(announcement, { selector: (one) => one.id, maxLength: 4 }),
    former: id,
  })
  .map(({ incidents, former, windows, announcements, ...status }) => ({
    status: statusDocument({ ...status, maintenance: windows.filter(({ to }) => Date.parse(to) > NOW_MS) }),
    maintenance: windows,
    announcements,
    incidents: incidents.map((one, index) => ({ ...one, id: `acme.models-${index}-20261120t080000z` })),
    formerly: Object.fromEntries(
      status.gateways
        .flatMap(({ monitors }) => monitors.slice(0, 1))
        .map((one) => [one.id, [`${former}/old`]]),
    ),
    baseUrl: "https://status.example",
    nowMs: NOW_MS,
  }));

test("every document has exactly the keys and the values that it may have", () => {
  fc.assert(
    fc.property(source, fc.constantFrom(...STATUSPAGE_DOCUMENTS), (from, name) => {
      sent(name, from);
    }),
    { numRuns: rounds(50, 1000) },
  );
});

test("whatever is referred to is there, and no two things have one id", () => {
  fc.assert(
    fc.property(source, (from) => {
      const { page, components, ...lists } = sent("summary", from);
      const { incidents } = sent("incidents", from);
      const { scheduled_maintenances: all } = sent("scheduled-maintenances", from);
      const rows = new Map(components.map((row) => [row.id, row]));
      expect(rows.size).toBe(components.length);
      for (const row of components) {
        expect(row.page_id).toBe(page.id);
        const members = row.group ? (row.components ?? []) : [row.id];
        for (const member of members) expect(rows.get(member)?.group).toBe(false);
        if (!row.group) expect(rows.get(row.group_id ?? "")).toMatchObject({ group: true });
      }
      const happenings = [...incidents, ...all];
      expect(new Set(happenings.map((one) => one.id)).size).toBe(happenings.length);
      for (const one of [...happenings, ...lists.incidents, ...lists.scheduled_maintenances]) {
        expect(one.page_id).toBe(page.id);
        for (const component of one.components) expect(component).toEqual(rows.get(component.id));
        const updates = one.incident_updates;
        expect(new Set(updates.map((update) => update.id)).size).toBe(updates.length);
        const dates = updates.map((update) => update.display_at);
        expect(dates).toEqual(dates.toSorted().toReversed());
        for (const update of updates) expect(update.incident_id).toBe(one.id);
      }
    }),
    { numRuns: rounds(62, 500) },
  );
});

/** The weight of what is known of one monitor, by the rules alone; 0: it is known to be well. */
function weightOf(gateway: string, one: MonitorDocument, { status, nowMs }: StatuspageSource): number {
  const now = new Date(nowMs).toISOString();
  const isPlanned = status.maintenance.some(
    ({ gateways: of, from, to }) => (of.length === 0 || of.includes(gateway)) && from <= now && now < to,
  );
  if (status.stale || "pausedAt" in one) return 2;
  if (isPlanned) return 1;
  return one.status === "up" ? 0 : one.status === "down" ? 4 : 2;
}

/** Without monitors, nothing is known. */
const worstOf = (weights: readonly number[]): number => (weights.length === 0 ? 2 : Math.max(...weights));
const BY_WEIGHT = ["operational", "under_maintenance", "degraded_performance", "never", "major_outage"];

test("a component is as its monitor is known to be, a group as its worst, and the page as the rules have it", () => {
  fc.assert(
    fc.property(source, (from) => {
      const { components, status } = sent("summary", from);
      const expected = from.status.gateways.map((gateway) =>
        gateway.monitors.map((one) => weightOf(gateway.id, one, from)),
      );
      const rows = expected.flatMap((weights) => [worstOf(weights), ...weights]);
      expect(components.map((row) => row.status)).toEqual(rows.map((weight) => BY_WEIGHT[weight]));
      for (const row of components) expect(row.description === null).toBe(row.status === "operational");
      const weights = expected.flatMap((of) => (of.length === 0 ? [2] : of));
      const isAllOut = weights.length > 0 && Math.min(...weights) === 4;
      const indicator = ["none", "maintenance", "minor", "never", "major"][worstOf(weights)];
      expect(status.indicator).toBe(isAllOut ? "critical" : indicator);
      expect(status.description.startsWith("All Systems Operational")).toBe(status.indicator === "none");
    }),
    { numRuns: rounds(50, 1000) },
  );
});
