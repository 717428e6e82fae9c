/** The tables of history, looked through: see `inspection.ts`. */
import * as z from "zod/mini";
import { DAY_MS, HOUR_MS, hourStart } from "../../domain/calendar.ts";
import { type Rollup, rollUp } from "../../domain/rollup.ts";
import type { Sample } from "../../domain/probe-outcome.ts";
import { dayPeriodStart, hourPeriodStart } from "../../history/keys.ts";
import { pack, unpackAll, unpackFirst } from "../../history/packing.ts";
import { incidentSchema } from "../../domain/incident.ts";
import { isInstantMs } from "../../domain/stored.ts";
import { packSamples, packSegment, segmentOfRollups, unpackSegment } from "../../history/segment.ts";
import { batchSchema, resolvedMsOf, soundRollups, soundSamples } from "../history/archive.ts";
import type { Inspection } from "./inspection.ts";
import { lastDayOf, reopen } from "./reopening.ts";
import { lossWords, salvage } from "./salvage.ts";
import { joined } from "../state/tables.ts";
import { bytesOfCell, isRollupName, isSegmentName, nameOfCell, throughSchema } from "./sound.ts";

type Cell = ArrayBuffer | string | number | null;
type SamplesOf = ReadonlyMap<string, readonly Sample[]>;

export function inspectHistory(inspection: Inspection): void {
  const { hours, lost } = inspectSegments(inspection);
  inspectBatches(inspection);
  inspectRollups(inspection, hours);
  inspectResolved(inspection);
  inspectThrough(inspection);
  reopen(inspection.tables, lost);
}

interface Segments {
  /** The samples of each hour that is still here. */
  readonly hours: ReadonlyMap<string, SamplesOf>;
  /** Those that KV never had. */
  readonly lost: readonly string[];
}

function inspectSegments({ sql, tables, keep }: Inspection): Segments {
  const hours = new Map<string, SamplesOf>();
  const lost: string[] = [];
  const rows = sql.exec<{ name: Cell; stored_ms: Cell }>("SELECT name, stored_ms FROM segment").toArray();
  for (const { name, stored_ms: storedMs } of rows) {
    const place = `segment/${nameOfCell(name)}`;
    const isSound = typeof name === "string" && isSegmentName(name);
    if (!isSound) {
      keep({ place, why: "no name of a segment", body: null });
      sql.exec("DELETE FROM segment WHERE name = ?", name);
      continue;
    }
    // When KV took it is not known: it is offered once more, or counts from now on.
    const isTimeSound = storedMs === null || (typeof storedMs === "number" && isInstantMs(storedMs));
    const cells = sql.exec<{ body: Cell }>(
      "SELECT body FROM segment_part WHERE name = ? ORDER BY part",
      name,
    );
    const parts = cells.toArray().map(({ body }) => body);
    if (!isTimeSound) {
      keep({ place, why: "no time at which it was stored", body: storedMs });
      sql.exec("UPDATE segment SET stored_ms = NULL WHERE name = ?", name);
    }
    if (parts.length === 0) continue;
    const samples = attempt(() => unpacked(name, joined(...parts.map(bytesOfCell))));
    if (samples) {
      if (name.startsWith("hour/")) hours.set(name, samples.value);
      continue;
    }
    keep({ place, why: "its bytes cannot be read", body: parts[0] ?? null });
    if (storedMs === null || !isTimeSound) {
      tables.dropSegment(name);
      lost.push(name);
    } else tables.emptySegment(name);
  }
  dropStrayParts(sql, keep);
  return { hours, lost };
}

function dropStrayParts(sql: SqlStorage, keep: Inspection["keep"]): void {
  const stray = "FROM segment_part WHERE name NOT IN (SELECT name FROM segment)";
  for (const { name, body } of sql.exec<{ name: Cell; body: Cell }>(`SELECT name, body ${stray}`).toArray()) {
    keep({ place: `segment_part/${nameOfCell(name)}`, why: "it belongs to no segment", body });
  }
  sql.exec(`DELETE ${stray}`);
}

function unpacked(name: string, body: Uint8Array): SamplesOf {
  const { monitors } = unpackSegment(body);
  if (name.startsWith("hour/")) return new Map([...monitors].map(([id, bytes]) => [id, soundSamples(bytes)]));
  for (const bytes of monitors.values()) soundRollups(bytes);
  return new Map();
}

function inspectBatches({ sql, keep }: Inspection): void {
  const rows = sql
    .exec<{ id: number; until_ms: Cell; body: Cell }>("SELECT id, until_ms, body FROM batch")
    .toArray();
  for (const { id, until_ms: writtenMs, body } of rows) {
    const { samples, isWhole } = samplesIn(body);
    const untilMs = Math.max(0, ...[...samples.values()].flat().map(({ atMs }) => atMs));
    if (isWhole && untilMs === writtenMs) continue;
    if (!isWhole) keep({ place: `batch/${id}`, why: "some samples cannot be read", body });
    sql.exec("DELETE FROM batch WHERE id = ?", id);
    if (samples.size === 0) continue;
    const packed = [...samples].map(([monitorId, of]) => [monitorId, packSamples(of)] as const);
    sql.exec("INSERT INTO batch VALUES (?, ?, ?)", id, untilMs, pack(Object.fromEntries(packed)));
  }
}

/** All that can be read. */
function samplesIn(body: Cell): { readonly samples: SamplesOf; readonly isWhole: boolean } {
  const samples = new Map<string, Sample[]>();
  let isWhole = true;
  for (const batch of batchesIn(body)) {
    const read = batch && attempt(() => Object.entries(batchSchema.parse(batch.value)));
    if (!read) isWhole = false;
    for (const [monitorId, bytes] of read?.value ?? []) {
      const of = attempt(() => soundSamples(bytes));
      if (of) samples.set(monitorId, [...(samples.get(monitorId) ?? []), ...of.value]);
      else isWhole = false;
    }
  }
  return { samples, isWhole };
}

/** One behind the other; null: what follows cannot be read. */
function batchesIn(body: Cell): readonly ({ readonly value: unknown } | null)[] {
  const bytes = attempt(() => bytesOfCell(body));
  if (bytes === null) return [null];
  const whole = attempt(() => unpackAll(bytes.value));
  if (whole) return whole.value.map((value) => ({ value }));
  const found: { readonly value: unknown }[] = [];
  for (let at = 0; at < bytes.value.length;) {
    const next = attempt(() => unpackFirst(bytes.value.subarray(at)));
    if (next === null) break;
    found.push(next.value);
    at += next.value.length;
  }
  return [...found, null];
}

/** Roll-ups of hours are made again of the samples, where these are here. */
function inspectRollups({ sql, tables, keep }: Inspection, hours: ReadonlyMap<string, SamplesOf>): void {
  const rows = sql.exec<{ name: Cell; body: Cell }>("SELECT name, body FROM rollup").toArray();
  for (const { name, body } of rows) {
    const place = `rollup/${nameOfCell(name)}`;
    const isNamed = typeof name === "string" && isRollupName(name);
    const read = attempt(() => rollupsIn(body));
    if (isNamed && read?.value.isWhole === true) continue;
    keep({ place, why: isNamed ? "some of it cannot be read" : "no name of a roll-up", body });
    sql.exec("DELETE FROM rollup WHERE name = ?", name);
    if (!isNamed) continue;
    const made = rolledUp(name, hours);
    const rollups = made.size > 0 ? made : (read?.value.rollups ?? made);
    if (rollups.size > 0) tables.putRollup(name, packSegment(segmentOfRollups(rollups, [])));
  }
}

type RollupsOf = ReadonlyMap<string, readonly Rollup[]>;

function rollupsIn(body: Cell): { readonly rollups: RollupsOf; readonly isWhole: boolean } {
  const { monitors } = unpackSegment(bytesOfCell(body));
  const read = [...monitors].map(([id, bytes]) => [id, attempt(() => soundRollups(bytes))] as const);
  return {
    rollups: new Map(read.flatMap(([id, of]) => (of ? [[id, of.value] as const] : []))),
    isWhole: read.every(([, of]) => of !== null),
  };
}

function rolledUp(name: string, hours: ReadonlyMap<string, SamplesOf>): RollupsOf {
  const fromMs = hourPeriodStart(name.slice("hour/".length));
  return new Map([...(hours.get(name) ?? [])].map(([id, samples]) => [id, [rollUp(fromMs, samples)]]));
}

const incidentsSchema = z.array(incidentSchema);

function inspectResolved({ sql, keep }: Inspection): void {
  const rows = sql
    .exec<{ id: number; until_ms: Cell; body: Cell }>("SELECT id, until_ms, body FROM resolved")
    .toArray();
  for (const { id, until_ms: writtenMs, body } of rows) {
    const text = typeof body === "string" ? body : "";
    const read = salvage(incidentsSchema, text, `resolved/${id}`);
    const incidents = (incidentsSchema.safeParse(read.value).data ?? []).filter(
      (of) => of.resolvedAtMs !== null,
    );
    const untilMs = Math.max(0, ...incidents.map(resolvedMsOf));
    if (read.isWhole && untilMs === writtenMs) continue;
    if (!read.isWhole) keep({ place: `resolved/${id}`, why: lossWords(read.lost), body });
    sql.exec("DELETE FROM resolved WHERE id = ?", id);
    if (incidents.length === 0) continue;
    sql.exec("INSERT INTO resolved VALUES (?, ?, ?)", id, untilMs, JSON.stringify(incidents));
  }
}

/** How far history is closed follows from what was made of it; where nothing was, from the oldest sample. */
function inspectThrough({ sql, tables, keep }: Inspection): void {
  const text = tables.document("through");
  const names = tables.segments().map(({ name }) => name);
  if (text === null && names.length === 0) return;
  const read = text === null ? null : salvage(throughSchema, text, "through");
  if (read?.isWhole === true) return;
  keep({ place: "document/through", why: lossWords(read?.lost ?? ["through"]), body: text });
  if (read?.lost.length === 0) return tables.putDocument("through", JSON.stringify(read.value));
  const latest = (kind: string): string | null =>
    names
      .filter((name) => name.startsWith(kind))
      .sort()
      .at(-1)
      ?.slice(kind.length) ?? null;
  const [hour, day, month] = [latest("hour/"), latest("day/"), latest("month/")];
  const hoursMs = hour === null ? oldestHourMs(tables) : hourPeriodStart(hour) + HOUR_MS;
  if (hoursMs === null) {
    sql.exec("DELETE FROM document WHERE name = 'through'");
    return;
  }
  const rollups = tables
    .rollups()
    .map(({ name }) => name)
    .sort();
  const firstHour = rollups.find((name) => name.startsWith("hour/"))?.slice("hour/".length);
  const fromMs = firstHour === undefined ? hoursMs : Math.min(hoursMs, hourPeriodStart(firstHour));
  const utcDaysMs = day === null ? Math.floor(fromMs / DAY_MS) * DAY_MS : dayPeriodStart(day) + DAY_MS;
  const monthEnd = month === null ? "" : lastDayOf(month);
  const rolledDay = rollups.findLast((name) => name.startsWith("day/"))?.slice("day/".length) ?? "";
  const through = { hoursMs, utcDaysMs, day: [monthEnd, rolledDay].sort().at(-1) ?? "" };
  if (throughSchema.safeParse(through).success) tables.putDocument("through", JSON.stringify(through));
  else sql.exec("DELETE FROM document WHERE name = 'through'");
}

function oldestHourMs(tables: Inspection["tables"]): number | null {
  const batches = tables.batches().flatMap((batch) => Object.values(batchSchema.parse(batch)));
  const times = batches.flatMap((bytes) => soundSamples(bytes)).map(({ atMs }) => atMs);
  return times.length === 0 ? null : hourStart(Math.min(...times));
}

/** Null where it throws. */
function attempt<Value>(read: () => Value): { readonly value: Value } | null {
  try {
    return { value: read() };
  } catch {
    return null;
  }
}
