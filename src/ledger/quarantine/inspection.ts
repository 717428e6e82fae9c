/**
 * Looks through all that the Ledger has stored: each record that cannot be read is copied into quarantine and taken out of
 * its table, so that all else goes on. Belongs into the caller's transaction; done only where reading failed.
 */
import * as z from "zod/mini";
import { alertEventSchema } from "../../alert/alert-event.ts";
import type { Config } from "../../config/config.ts";
import { HOUR_MS, calendarOf, hourStart } from "../../domain/calendar.ts";
import { NEW_CANARY, countSpending } from "../../domain/canary.ts";
import { incidentSchema } from "../../domain/incident.ts";
import { isOfNetwork } from "../../domain/monitoring.ts";
import { instantMs } from "../../domain/stored.ts";
import { hourPeriodStart } from "../../history/keys.ts";
import { unpackAll } from "../../history/packing.ts";
import { unpackSegment } from "../../history/segment.ts";
import { presentName } from "../begin/apply-config.ts";
import {
  NEW_RECORD,
  OutboxTables,
  alertEventsSchema,
  channelRecordsSchema,
  undeliveredSchema,
} from "../deliver/outbox-tables.ts";
import {
  Archive,
  batchSchema,
  isSegmentName,
  readRollups,
  readSamples,
  throughSchema,
} from "../history/archive.ts";
import { DOCUMENTS, EMPTY_STATE, directorySchema, type LedgerState } from "../state/state.ts";
import { Tables, bytesOfCell } from "../state/tables.ts";
import { Quarantine, type Damage } from "./quarantine.ts";

interface Inspection {
  readonly sql: SqlStorage;
  readonly tables: Tables;
  readonly config: Config;
  readonly nowMs: number;
  /** Puts a copy aside; the record itself is the caller's. */
  readonly keep: (damage: Damage) => void;
}

/** @returns how many records could not be read. @throws when storage fails. */
export function inspect(sql: SqlStorage, world: { readonly config: Config; readonly nowMs: number }): number {
  const quarantine = new Quarantine(sql);
  let found = 0;
  const keep = (damage: Damage): void => {
    found += 1;
    quarantine.keep(damage, world.nowMs);
  };
  const inspection = { sql, tables: new Tables(sql), ...world, keep };
  for (const rows of ROWS) inspectRows(inspection, rows);
  inspectSegments(inspection);
  inspectThrough(inspection);
  inspectChannels(inspection);
  inspectState(inspection);
  return found;
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

type Row = Record<string, SqlStorageValue>;

interface Rows {
  readonly table: string;
  /** Names one row. */
  readonly key: string;
  /** Throws where the row cannot be read. */
  readonly read: (row: Row) => unknown;
}

const incidentsSchema = z.lazy(() => z.array(incidentSchema));

const alertRowSchema = z.lazy(() =>
  z.object({
    id: instantMs,
    events: z.int(),
    queued_ms: instantMs,
    channel: z.nullable(z.string()),
  }),
);

const ROWS: readonly Rows[] = [
  {
    table: "batch",
    key: "id",
    read: ({ body }) => {
      const batches = unpackAll(bytesOfCell(body)).map((batch) => batchSchema.parse(batch));
      return batches.flatMap((batch) => Object.values(batch)).map(readSamples);
    },
  },
  {
    table: "rollup",
    key: "name",
    read: ({ name, body }) => {
      if (!isSegmentName(name)) throw new Error("no name of a roll-up");
      return [...unpackSegment(bytesOfCell(body)).monitors.values()].map(readRollups);
    },
  },
  {
    table: "segment",
    key: "name",
    read: ({ name }) => {
      if (!isSegmentName(name)) throw new Error("no name of a segment");
    },
  },
  { table: "resolved", key: "id", read: ({ body }) => incidentsSchema.parse(json(body)) },
  {
    table: "alert",
    key: "id",
    read: (row) => {
      const { events } = alertRowSchema.parse(row);
      if (alertEventsSchema.parse(json(row["body"])).length !== events)
        throw new Error("not as many events as it says");
    },
  },
  {
    table: "undelivered",
    key: "channel || '/' || seq",
    read: ({ about, body }) => [undeliveredSchema.parse(json(about)), alertEventSchema.parse(json(body))],
  },
];

function textOf(cell: SqlStorageValue | undefined): string {
  return typeof cell === "string" || typeof cell === "number" ? String(cell) : "";
}

function json(cell: SqlStorageValue | undefined): unknown {
  return JSON.parse(textOf(cell));
}

/** One row at a time is in memory. */
function inspectRows({ sql, keep }: Inspection, { table, key, read }: Rows): void {
  for (const { k } of sql.exec<{ k: SqlStorageValue }>(`SELECT ${key} AS k FROM ${table}`).toArray()) {
    const [row] = sql.exec<Row>(`SELECT * FROM ${table} WHERE ${key} = ?`, k).toArray();
    if (row === undefined || canRead(() => read(row))) continue;
    keep({ place: `${table}/${textOf(k)}`, why: "the row cannot be read", body: row["body"] ?? null });
    sql.exec(`DELETE FROM ${table} WHERE ${key} = ?`, k);
  }
}

/** Of one that KV has the name stays; one that KV never had is a gap. */
function inspectSegments({ sql, tables, nowMs, keep }: Inspection): void {
  for (const { name, storedMs } of tables.segments()) {
    const place = `segment/${name}`;
    if (!canRead(() => readSegment(name, tables.segmentBody(name)))) {
      const [part] = sql.exec<Row>("SELECT body FROM segment_part WHERE name = ?", name).toArray();
      keep({ place, why: "its bytes cannot be read", body: part?.["body"] ?? null });
      if (storedMs === null) tables.dropSegment(name);
      else tables.emptySegment(name);
    }
    if (z.nullable(instantMs).safeParse(storedMs).success) continue;
    keep({ place, why: "no time at which it was stored", body: storedMs });
    // KV has what is here no more, and gets the rest once more.
    tables.markStored(name, tables.segmentBody(name) === null ? nowMs : null);
  }
}

function readSegment(name: string, body: Uint8Array | null): void {
  const read = name.startsWith("hour/") ? readSamples : readRollups;
  for (const bytes of body === null ? [] : unpackSegment(body).monitors.values()) read(bytes);
}

/** How far history is closed follows from its segments; where there is none, from the oldest sample. */
function inspectThrough({ tables, config, keep }: Inspection): void {
  const body = tables.document("through");
  if (body === null || canRead(() => throughSchema.parse(json(body)))) return;
  keep({ place: "document/through", why: "the document cannot be read", body });
  tables.dropDocument("through");
  const archive = new Archive(tables, presentName(config));
  const hour = tables.segments().findLast(({ name }) => name.startsWith("hour/"));
  const closedMs = hour && hourPeriodStart(hour.name.slice("hour/".length)) + HOUR_MS;
  const openMs = closedMs ?? archive.recent.earliestMs();
  if (openMs !== null) archive.open(hourStart(openMs));
}

/** Channels whose places are lost are sent all that is still there: rather twice, with the same ids, than never. */
function inspectChannels({ sql, config, keep }: Inspection): void {
  const tables = new OutboxTables(sql);
  const [row] = sql.exec<{ body: SqlStorageValue }>("SELECT body FROM channels").toArray();
  if (row === undefined) return;
  const read = channelRecordsSchema.safeParse(jsonOrNull(textOf(row.body)));
  if (!read.success) keep({ place: "channels", why: "the row cannot be read", body: row.body });
  const records = read.success
    ? Object.entries(read.data)
    : config.alerts.map(({ id }) => [id, { ...NEW_RECORD, cursor: 0 }] as const);
  const counted = records.map(([id, record]) => {
    return [id, { ...record, undelivered: tables.countUndelivered(id) }] as const;
  });
  tables.putChannels(new Map(counted));
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of each document the members that can be read, and of their records and lists the entries. */
function inspectState(inspection: Inspection): void {
  const { tables, keep, nowMs } = inspection;
  const body = tables.document("directory");
  if (body !== null && !canRead(() => directorySchema.parse(json(body)))) {
    keep({ place: "document/directory", why: "it is no directory", body });
    tables.dropDocument("directory");
  }
  const { journal: noJournal, monitors, incidents, canaries } = EMPTY_STATE;
  const ofJournal = readDocument(inspection, "journal", noJournal);
  const ofMembers = readDocument(inspection, "members", { monitors, incidents, canaries });
  if (ofJournal.isSound && ofMembers.isSound) return;
  const journal = DOCUMENTS.journal.parse(ofJournal.value);
  const members = DOCUMENTS.members.parse(ofMembers.value);
  const spent = ofMembers.isSound ? members.canaries : withSpending(members.canaries, inspection);
  tables.putDocument("members", JSON.stringify({ ...members, canaries: spent }));
  // There was never more than one publish in a second.
  const sequence = journal.publishing.sequence || Math.floor(nowMs / 1000);
  const publishing = { ...journal.publishing, sequence, urgent: true };
  // The monitoring's own network finds its open incident again.
  const incidentId = Object.values(members.incidents).find(isOfNetwork)?.id ?? null;
  const ownNetwork = { ...journal.ownNetwork, incidentId };
  tables.putDocument("journal", JSON.stringify({ ...journal, ownNetwork, publishing }));
}

/** A copy of what cannot be read is kept. */
function readDocument(
  { tables, keep }: Inspection,
  name: keyof typeof DOCUMENTS,
  blank: Readonly<Record<string, unknown>>,
): { readonly value: unknown; readonly isSound: boolean } {
  const body = tables.document(name);
  const schema = DOCUMENTS[name];
  const value = body === null ? blank : jsonOrNull(body);
  if (schema.safeParse(value).success) return { value, isSound: true };
  const lost: string[] = [];
  const members = Object.keys(blank).map((member) => {
    const accepts = (part: unknown): boolean => schema.safeParse({ ...blank, [member]: part }).success;
    const found: unknown = Reflect.get(Object(value), member);
    if (accepts(found)) return [member, found];
    const fits = (part: unknown, entry: string | number): boolean => {
      const isAccepted = accepts(part);
      if (!isAccepted) lost.push(`/${member}/${entry}`);
      return isAccepted;
    };
    const parts = Array.isArray(found)
      ? found.filter((item, index) => fits([item], index))
      : Object.fromEntries(Object.entries(Object(found)).filter(([id, entry]) => fits({ [id]: entry }, id)));
    return [member, accepts(parts) ? parts : blank[member]];
  });
  const [first = "", ...more] = lost;
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  keep({ place: `document/${name}`, why: `lost: ${name}${first}${others}`, body });
  return { value: { ...blank, ...Object.fromEntries(members) }, isSound: false };
}

/** Money: a canary whose record is gone asks no more on this day. */
function withSpending(
  canaries: LedgerState["canaries"],
  { config, nowMs }: Inspection,
): LedgerState["canaries"] {
  const today = calendarOf(config.timeZone).dayOf(nowMs);
  const lost = config.gateways
    .flatMap(({ monitors }) => monitors)
    .filter(({ id, formerly, canary }) => canary !== null && ![id, ...formerly].some((of) => of in canaries))
    .map(
      ({ id, canary }) =>
        [id, { ...NEW_CANARY, days: countSpending([], today, { requests: canary?.perDay ?? 0 }) }] as const,
    );
  return { ...canaries, ...Object.fromEntries(lost) };
}
