/**
 * What the Ledger holds of history, in memory as in its tables: recent samples, roll-ups, resolved incidents, and
 * which segments exist. Written through; rebuilt from the tables when the object starts.
 */
import * as z from "zod/mini";
import { DAY_MS, hourStart } from "../domain/calendar.ts";
import type { Incident } from "../domain/incident.ts";
import type { Rollup } from "../domain/rollup.ts";
import { incidentSchema } from "../history/records.ts";
import { packSamples, unpackRollups, unpackSamples, unpackSegment } from "../history/segment.ts";
import { RecentSamples } from "./recent.ts";
import type { RecordedSample } from "./record.ts";
import type { Tables } from "./tables.ts";

export type RollupRow = ReadonlyMap<string, Rollup>;

/** How far history is closed. */
export interface Through {
  /** Hours of UTC before this instant are closed; no sample of them is accepted any more. */
  readonly hoursMs: number;
  /** Days of UTC before this instant have their segment. */
  readonly utcDaysMs: number;
  /** The last day of the configured zone that was rolled up; empty: none yet. */
  readonly day: string;
}

export interface SegmentState {
  /** When KV took it; null: not yet. */
  readonly storedMs: number | null;
  /** Whether the Ledger still has its bytes. */
  readonly kept: boolean;
}

const throughSchema = z.object({ hoursMs: z.number(), utcDaysMs: z.number(), day: z.string() });
const bytesByMonitor = z.record(
  z.string(),
  z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
);

export class Archive {
  readonly tables: Tables;
  readonly recent = new RecentSamples();
  /** By hour of UTC, for the days that have no settled segment yet. */
  readonly hourRollups = new Map<string, RollupRow>();
  /** By day of the configured zone, for as many days as the status shows. */
  readonly dayRollups = new Map<string, RollupRow>();
  /** By `<kind>/<period>`. */
  readonly segments = new Map<string, SegmentState>();
  readonly resolved: Incident[] = [];
  #through: Through | null;

  constructor(tables: Tables) {
    this.tables = tables;
    const through = tables.document("through");
    this.#through = through === null ? null : throughSchema.parse(JSON.parse(through));
    this.#loadSegments();
    this.#loadBatches();
    this.#loadRollups();
    for (const body of tables.resolved())
      this.resolved.push(...z.array(incidentSchema).parse(JSON.parse(body)));
  }

  get through(): Through | null {
    return this.#through;
  }

  setThrough(through: Through): void {
    this.tables.putDocument("through", JSON.stringify(through));
    this.#through = through;
  }

  isRecorded(monitorId: string, atMs: number): boolean {
    return this.recent.has(monitorId, atMs);
  }

  addSamples(offered: readonly RecordedSample[]): void {
    const samples = offered.filter(({ sample }) => this.#hasPlaceFor(sample.atMs));
    if (samples.length === 0) return;
    const byMonitor = Map.groupBy(samples, ({ monitorId }) => monitorId);
    const packed = [...byMonitor].map(
      ([id, of]) => [id, packSamples(of.map(({ sample }) => sample))] as const,
    );
    const untilMs = Math.max(...samples.map(({ sample }) => sample.atMs));
    this.tables.addBatch(untilMs, Object.fromEntries(packed));
    for (const { monitorId, sample } of samples) this.recent.add(monitorId, sample);
    this.#open(hourStart(Math.min(...samples.map(({ sample }) => sample.atMs))));
  }

  /** A clock that was set back far tells of hours whose samples are no longer here to be put together with new ones. */
  #hasPlaceFor(atMs: number): boolean {
    if (this.#through === null) return true;
    const lastDayMs = this.#through.hoursMs - DAY_MS;
    return atMs >= lastDayMs || atMs >= hourStart(this.recent.earliestMs() ?? lastDayMs);
  }

  addResolved(incidents: readonly Incident[]): void {
    if (incidents.length === 0) return;
    const untilMs = Math.max(...incidents.map((incident) => incident.resolvedAtMs ?? 0));
    this.tables.addResolved(untilMs, JSON.stringify(incidents));
    this.resolved.push(...incidents);
  }

  /** History begins at the first sample; an hour that was closed too early, by a clock that ran ahead, opens again. */
  #open(hoursMs: number): void {
    if (this.#through === null)
      this.setThrough({ hoursMs, utcDaysMs: Math.floor(hoursMs / DAY_MS) * DAY_MS, day: "" });
    else if (hoursMs < this.#through.hoursMs) this.setThrough({ ...this.#through, hoursMs });
  }

  #loadSegments(): void {
    for (const { name, storedMs, body } of this.tables.segments()) {
      const kept = body.length > 0;
      this.segments.set(name, { storedMs, kept });
      if (kept && name.startsWith("hour/")) this.#loadHour(body);
    }
  }

  #loadHour(body: Uint8Array<ArrayBuffer>): void {
    for (const [monitorId, bytes] of unpackSegment(body).monitors) {
      for (const sample of unpackSamples(bytes)) this.recent.add(monitorId, sample);
    }
  }

  #loadBatches(): void {
    const closedMs = this.#through?.hoursMs ?? 0;
    for (const batch of this.tables.batches()) {
      for (const [monitorId, bytes] of Object.entries(bytesByMonitor.parse(batch))) {
        for (const sample of unpackSamples(bytes)) {
          const isNew = sample.atMs >= closedMs && !this.recent.has(monitorId, sample.atMs);
          if (isNew) this.recent.add(monitorId, sample);
        }
      }
    }
  }

  #loadRollups(): void {
    for (const { name, body } of this.tables.rollups()) {
      const row = new Map<string, Rollup>();
      for (const [monitorId, bytes] of unpackSegment(body).monitors) {
        const [rollup] = unpackRollups(bytes);
        if (rollup) row.set(monitorId, rollup);
      }
      const [kind, period = ""] = name.split("/");
      if (kind === "hour") this.hourRollups.set(period, row);
      else this.dayRollups.set(period, row);
    }
  }
}
