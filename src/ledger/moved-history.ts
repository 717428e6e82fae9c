/**
 * The history of gateways that move: what a Ledger gives of it, puts to its own, or forgets. What writes belongs into the
 * caller's transaction.
 */
import * as z from "zod/mini";
import { type Calendar, hourStart } from "../domain/calendar.ts";
import type { Incident } from "../domain/incident.ts";
import { partsOfSeries } from "../domain/monitor-id.ts";
import { addRollups } from "../domain/rollup.ts";
import { NEWEST_INCIDENTS } from "../history/incident-archive.ts";
import { monthOf } from "../history/keys.ts";
import { incidentSchema } from "../history/records.ts";
import {
  packSamples,
  packSegment,
  segmentOfRollups,
  unpackRollups,
  unpackSamples,
  unpackSegment,
} from "../history/segment.ts";
import { type Archive, resolvedMsOf, type RollupRow } from "./archive.ts";
import { byMonitor } from "./flush.ts";
import type { SegmentTimes } from "./moves.ts";
import type { Parcel } from "./parcel.ts";
import { RECENT_MS } from "./recent.ts";
import { unsettledFromMs } from "./settled.ts";

export type MovedHistory = Pick<Parcel, "samples" | "rollups" | "resolved" | "through">;

/** Who moves: present ids of monitors, and the ids that their gateways have or had. */
export interface Movers {
  readonly monitorIds: ReadonlySet<string>;
  readonly gatewayIds: ReadonlySet<string>;
}

export function packHistory(
  archive: Archive,
  movers: Movers,
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): MovedHistory {
  const samples = archive.recent.series().filter((id) => isMoving(id, movers));
  const rollups = rowsOf(archive).flatMap(({ name, row }) => {
    const part = new Map([...row].filter(([id]) => isMoving(id, movers)));
    return part.size === 0 ? [] : [[name, packRow(part)] as const];
  });
  return {
    samples: Object.fromEntries(samples.map((id) => [id, packSamples(archive.recent.of(id))])),
    rollups: Object.fromEntries(rollups),
    resolved: resolvedOf(archive, movers, nowMs, calendar),
    through: archive.through,
  };
}

/** Every segment, and when KV took it. */
export function segmentTimes({ segments }: Pick<Archive, "segments">): SegmentTimes {
  return Object.fromEntries([...segments].map(([name, { storedMs }]) => [name, storedMs]));
}

/** The newest, those in no readable segment, and those of months that are not closed. */
function resolvedOf(archive: Archive, movers: Movers, nowMs: number, calendar: Calendar): Incident[] {
  const monthMs = calendar.startOfDay(`${monthOf(calendar.dayOf(nowMs - RECENT_MS))}-01`);
  const sinceMs = Math.min(monthMs, unsettledFromMs(archive, nowMs));
  const known = [
    ...archive.resolvedBetween(sinceMs, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    ...archive.resolved,
  ].filter((incident) => isOf(incident, movers));
  const newest = [...new Map(known.map((incident) => [incident.id, incident])).values()].sort(
    (a, b) => resolvedMsOf(b) - resolvedMsOf(a),
  );
  return newest.filter((of, index) => index < NEWEST_INCIDENTS || resolvedMsOf(of) >= sinceMs);
}

function isOf({ gatewayId }: Incident, { gatewayIds }: Movers): boolean {
  return gatewayId !== null && gatewayIds.has(gatewayId);
}

/** @param isTaken whether a monitor comes with it. */
export function takeHistory(
  archive: Archive,
  { samples, rollups, resolved, through }: MovedHistory,
  isTaken: (monitorId: string) => boolean,
): void {
  if (through !== null && archive.through === null) archive.setThrough(through);
  const firstMs = takeSamples(archive, samples, through?.hoursMs ?? 0);
  // Hours that are closed here and were not there.
  if (archive.through !== null && firstMs < archive.through.hoursMs) archive.open(hourStart(firstMs));
  for (const [name, bytes] of Object.entries(rollups)) takeRow(archive, name, bytes, isTaken);
  const known = new Set(archive.resolved.map(({ id }) => id));
  archive.addResolved(resolved.filter(({ id }) => !known.has(id)));
}

/** A row holds 2 MB. */
const LONGEST_ROW = 500_000;

/** @returns the first instant that is in no segment of the giver's, and may be in one here. */
function takeSamples(archive: Archive, samples: MovedHistory["samples"], closedMs: number): number {
  let row: Record<string, Uint8Array<ArrayBuffer>> = {};
  let [length, untilMs, firstMs] = [0, 0, Number.POSITIVE_INFINITY];
  const write = (): void => {
    if (length > 0) archive.tables.addTaken(untilMs, row);
    [row, length, untilMs] = [{}, 0, 0];
  };
  for (const [id, bytes] of Object.entries(samples)) {
    if (length + bytes.length > LONGEST_ROW) write();
    const of = unpackSamples(bytes);
    row[id] = bytes;
    length += bytes.length;
    untilMs = Math.max(untilMs, of.at(-1)?.atMs ?? 0);
    const name = archive.nameOf(id);
    // What was begun here without it is put together with it.
    const ownMs = archive.recent.of(name).find(({ atMs }) => archive.hasPlaceFor(atMs))?.atMs;
    archive.addRecent(name, of);
    const open = of.find(({ atMs }) => atMs >= closedMs && archive.hasPlaceFor(atMs));
    firstMs = Math.min(firstMs, open?.atMs ?? firstMs, ownMs ?? firstMs);
  }
  write();
  return firstMs;
}

function takeRow(
  archive: Archive,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  isTaken: (monitorId: string) => boolean,
): void {
  const rows = name.startsWith("hour/") ? archive.hourRollups : archive.dayRollups;
  const period = name.slice(name.indexOf("/") + 1);
  const row = new Map(rows.get(period));
  for (const [id, packed] of unpackSegment(bytes).monitors) {
    const [rollup] = isTaken(id) ? unpackRollups(packed) : [];
    const presentId = archive.nameOf(id);
    const own = row.get(presentId);
    // Nobody's probe is in both.
    if (rollup) row.set(presentId, own === undefined ? rollup : addRollups(own, rollup));
  }
  rows.set(period, row);
  archive.tables.putRollup(name, packRow(row));
}

/** What was given is counted here no more; segments keep what they have. */
export function dropHistory(archive: Archive, movers: Movers): void {
  for (const id of archive.recent.series()) if (isMoving(id, movers)) archive.recent.drop(id);
  for (const { name, rows, period, row } of rowsOf(archive)) {
    const left = new Map([...row].filter(([id]) => !isMoving(id, movers)));
    if (left.size === row.size) continue;
    if (left.size === 0) {
      rows.delete(period);
      archive.tables.dropRollup(name);
    } else {
      rows.set(period, left);
      archive.tables.putRollup(name, packRow(left));
    }
  }
  dropResolved(archive, movers);
}

function dropResolved(archive: Archive, movers: Movers): void {
  for (const { id, body } of archive.tables.resolved()) {
    const row = z.array(incidentSchema).parse(JSON.parse(body));
    const left = row.filter((incident) => !isOf(incident, movers));
    if (left.length === row.length) continue;
    archive.tables.replaceResolved(id, left.length === 0 ? null : JSON.stringify(left));
  }
  const left = archive.resolved.filter((incident) => !isOf(incident, movers));
  archive.resolved.splice(0, archive.resolved.length, ...left);
}

function rowsOf({ hourRollups, dayRollups }: Archive) {
  return [
    ...[...hourRollups].map(([period, row]) => ({ name: `hour/${period}`, period, row, rows: hourRollups })),
    ...[...dayRollups].map(([period, row]) => ({ name: `day/${period}`, period, row, rows: dayRollups })),
  ];
}

/** With what was seen of it from its regions. */
function isMoving(series: string, { monitorIds }: Movers): boolean {
  return monitorIds.has(partsOfSeries(series).monitorId);
}

function packRow(row: RollupRow): Uint8Array<ArrayBuffer> {
  return packSegment(segmentOfRollups(byMonitor([row]), []));
}
