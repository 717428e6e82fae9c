/** The tables of owed alerts, looked through: see `inspection.ts`. */
import * as z from "zod/mini";
import type { AlertEvent } from "../../alert/alert-event.ts";
import { alertEventSchema } from "../../alert/alert-event.ts";
import { isInstantMs } from "../../domain/stored.ts";
import type { Inspection } from "./inspection.ts";
import {
  ALL_OTHERS,
  NEW_RECORD,
  OutboxTables,
  channelRecordsSchema,
  undeliveredSchema,
  type ChannelRecord,
} from "../deliver/outbox-tables.ts";
import { lossWords, parsedJson, salvage } from "./salvage.ts";
import { nameOfCell } from "./sound.ts";

type Cell = ArrayBuffer | string | number | null;

export function inspectAlerts(inspection: Inspection): void {
  const tables = new OutboxTables(inspection.sql);
  inspectLog(inspection);
  inspectUndelivered(inspection);
  inspectChannels(inspection, tables);
}

/** Rows whose numbers are wrong cannot be told from the others' any more; of all others what can be read stays. */
function inspectLog({ sql, keep }: Inspection): void {
  const rows = sql
    .exec<{ id: number; events: Cell; queued_ms: Cell; channel: Cell; body: Cell }>(
      "SELECT * FROM alert ORDER BY id",
    )
    .toArray();
  for (const { id, events, queued_ms: queuedMs, channel, body } of rows) {
    const isNamed = channel === null || typeof channel === "string";
    const isSound = isInstantMs(id) && typeof queuedMs === "number" && isInstantMs(queuedMs) && isNamed;
    const read = readEvents(typeof body === "string" ? body : "", id);
    const isWhole = isSound && read.isWhole && read.events.length === events;
    if (isWhole) continue;
    keep({
      place: `alert/${id}`,
      why: isSound ? "some events cannot be read" : "its row cannot be read",
      body,
    });
    sql.exec("DELETE FROM alert WHERE id = ?", id);
    if (!isSound || read.events.every((event) => event === null)) continue;
    const text = JSON.stringify(read.events);
    sql.exec("INSERT INTO alert VALUES (?, ?, ?, ?, ?)", id, read.events.length, queuedMs, channel, text);
  }
}

interface ReadEvents {
  /** Each in its place; null: it cannot be read. */
  readonly events: readonly (AlertEvent | null)[];
  readonly isWhole: boolean;
}

const eventsSchema = z.array(alertEventSchema);

/** @param first the number of the first; of a text that is broken the events that are left close up. */
function readEvents(text: string, first: number): ReadEvents {
  const parsed = parsedJson(text);
  if (parsed.ok && Array.isArray(parsed.value)) {
    const events = parsed.value.map((item) => alertEventSchema.safeParse(item).data ?? null);
    return { events, isWhole: parsed.value.every((item, index) => item === null || events[index] !== null) };
  }
  const { value } = salvage(eventsSchema, text, `alert/${first}`);
  return { events: eventsSchema.safeParse(value).data ?? [], isWhole: false };
}

function inspectUndelivered({ sql, keep }: Inspection): void {
  const rows = sql
    .exec<{ channel: Cell; seq: Cell; about: Cell; body: Cell }>(
      "SELECT channel, seq, about, body FROM undelivered",
    )
    .toArray();
  for (const { channel, seq, about, body } of rows) {
    const isSound =
      undeliveredSchema.safeParse(json(about)).success && alertEventSchema.safeParse(json(body)).success;
    if (isSound) continue;
    keep({ place: `undelivered/${nameOfCell(channel)}`, why: "the event cannot be read", body });
    sql.exec("DELETE FROM undelivered WHERE channel = ? AND seq = ?", channel, seq);
  }
}

function json(cell: Cell): unknown {
  const parsed = parsedJson(typeof cell === "string" ? cell : "");
  return parsed.ok ? parsed.value : undefined;
}

/** A channel whose place was lost is sent all that is still there: rather twice, with the same ids, than never. */
function inspectChannels({ sql, keep }: Inspection, tables: OutboxTables): void {
  const [row] = sql.exec<{ body: Cell }>("SELECT body FROM channels").toArray();
  if (row === undefined) return;
  const text = typeof row.body === "string" ? row.body : "";
  const read = salvage(channelRecordsSchema, text, "channels");
  const records = channelRecordsSchema.safeParse(read.value).data ?? {};
  if (!read.isWhole) keep({ place: "channels", why: lossWords(read.lost), body: row.body });
  const lost = read.lost.map((path) => path.slice("channels/".length)).filter((id) => id !== "");
  const kept = new Map(Object.entries(records));
  for (const id of lost) kept.set(id, { ...NEW_RECORD, cursor: 0 });
  if (read.lost.includes("channels")) kept.set(ALL_OTHERS, { ...NEW_RECORD, cursor: 0 });
  const counted = [...kept].map(([id, record]): [string, ChannelRecord] => {
    return [id, { ...record, undelivered: countUndelivered(sql, id) }];
  });
  const isSame = read.isWhole && counted.every(([id, of]) => of.undelivered === kept.get(id)?.undelivered);
  if (!isSame) tables.putChannels(new Map(counted));
}

function countUndelivered(sql: SqlStorage, channel: string): number {
  const [row] = sql
    .exec<{ n: number }>("SELECT count(*) AS n FROM undelivered WHERE channel = ?", channel)
    .toArray();
  return row?.n ?? 0;
}
