/** What readers see, held against the plain log: every sample, every roll-up, every incident, every event; and how much may be stored. */
import { isDeepStrictEqual } from "node:util";
import { readSnapshot } from "../../src/history/reader.ts";
import { readDays, readHours, readSamples } from "../../src/history/series.ts";
import { type SnapshotTail, unpackStatus, unpackLive, unpackTail } from "../../src/history/snapshot.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { pagesOf, type Reader } from "../history/published-history.ts";
import type { NodeStorage } from "../ledger/node-storage.ts";
import type { Watched } from "./deployments.ts";
import { LATE_MS } from "./eventual-kv.ts";
import { dayOf, dayStart, hourOf, type PlainIncident, plainRollup, type PlainRollup } from "./plain-log.ts";
import type { Year } from "./year.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export class Checks {
  readonly #year: Year;
  /** By monitor and day, kept when their samples are forgotten. */
  readonly days = new Map<number, Map<string, PlainRollup>>();
  readonly compared = { samples: 0, incidents: 0, events: 0 };
  /** Everything before it was compared. */
  #fromMs: number;

  constructor(year: Year) {
    this.#year = year;
    this.#fromMs = year.options.startMs;
  }

  /** Of a Ledger that has had some calm hours. @throws with the first difference. */
  async compare(): Promise<void> {
    const { status, tail } = await this.#published();
    const { lastTickMs, deployment, log } = this.#year;
    // What is older may show as open what the log knows to be over.
    if (Date.parse(status.lastTickAt ?? "") !== lastTickMs)
      throw new Error(
        `the last tick that is published is ${status.lastTickAt}, and that of ${lastTickMs} is not`,
      );
    const untilMs = Math.floor((lastTickMs - 3 * HOUR_MS) / HOUR_MS) * HOUR_MS;
    this.#keepDays(untilMs);
    for (const of of [...deployment.watched, ...deployment.removed])
      await this.#compareSeries(tail, of, untilMs);
    const open = status.incidents.map(({ id }) => id).filter((id) => !isOfFlapping(id));
    mustEqual("open incidents", open.toSorted(), log.open().map(idOf).toSorted(), (id) => id);
    this.#compareEvents();
    this.#fromMs = untilMs;
    // A day that is not over needs all of its samples.
    log.forgetBefore(untilMs - 2 * DAY_MS);
  }

  /** @throws where more is stored than may be. */
  measure(): void {
    const { disk, kv: stored, options } = this.#year;
    const tables = sizesOf(disk);
    const { keys: rows, bytes: kvBytes } = stored.sweep();
    const bounds = mostRows(options.monitors);
    for (const [name, size] of Object.entries({ ...tables, kv: { rows, bytes: kvBytes } })) {
      const bound = bounds[name] ?? -1;
      if (size.rows > bound) throw new Error(`${name} has ${size.rows} rows, and may have ${bound}`);
    }
    const bytes = Object.values(tables).reduce((sum, table) => sum + table.bytes, 0);
    const bound = (options.monitors + 10) * MOST_BYTES_A_MONITOR;
    if (Math.max(bytes, kvBytes) > bound)
      throw new Error(`the Ledger holds ${bytes} bytes, KV ${kvBytes}, and each may hold ${bound}`);
  }

  async #published(): Promise<{ status: StatusDocument; tail: SnapshotTail }> {
    const read = await readSnapshot(this.#year.kv, 0);
    if (!read.ok) throw new Error(`the snapshot is ${read.failure.kind}`);
    return {
      status: unpackStatus(read.value),
      tail: { ...(await unpackTail(read.value)), live: await unpackLive(read.value) },
    };
  }

  /** Samples and hours since the last comparison, and all days. */
  async #compareSeries(tail: SnapshotTail, of: Watched, untilMs: number): Promise<void> {
    const { compared } = this;
    const fromMs = this.#fromMs;
    const { kv, log } = this.#year;
    const plain = (log.samples.get(of.who) ?? []).toSorted((a, b) => a.atMs - b.atMs);
    const isNew = (atMs: number) => atMs >= fromMs && atMs < untilMs;
    const all = <Point>(read: Reader<Point>, first: number, end: number): Promise<Point[]> =>
      pagesOf(kv, read, tail, { shard: 0, monitorId: `${of.name}/models`, fromMs: first, toMs: end });

    const samples = await all(readSamples, fromMs, untilMs);
    const known = plain.filter(({ atMs }) => isNew(atMs));
    this.#compareOne("samples", of, samples.map(withoutFigures), known, ({ atMs }) => atMs);
    compared.samples += known.length;

    const hours = await all(readHours, fromMs, untilMs);
    const plainHours = [...Map.groupBy(plain, hourOf)]
      .filter(([hour]) => isNew(hour))
      .map(([hour, inHour]) => plainRollup(hour, inHour));
    this.#compareOne("hours", of, hours.map(withoutFigures), plainHours, startOf);

    const overMs = untilMs - 25 * HOUR_MS;
    const days = await all(readDays, 0, overMs);
    const plainDays = [...(this.days.get(of.who)?.values() ?? [])]
      .filter((day) => day.fromMs < overMs)
      .toSorted((a, b) => a.fromMs - b.fromMs);
    this.#compareOne("days", of, days.map(withoutFigures), plainDays, startOf);
  }

  /** Days that are over, with all their samples. */
  #keepDays(untilMs: number): void {
    for (const [who, samples] of this.#year.log.samples) {
      const known = this.days.get(who) ?? new Map<string, PlainRollup>();
      this.days.set(who, known);
      for (const [day, ofDay] of Map.groupBy(samples, dayOf)) {
        const isOver = dayStart(day) + 25 * HOUR_MS <= untilMs;
        if (isOver && !known.has(day)) known.set(day, plainRollup(dayStart(day), ofDay));
      }
    }
  }

  /** Of one that was renamed and is gone, segments from before its last name are not found: nothing older is asked for. */
  #compareOne<Point>(
    what: string,
    of: Watched,
    seen: readonly Point[],
    plain: readonly Point[],
    momentOf: (point: Point) => number,
  ): void {
    const isForgotten = of.formerly.length > 0 && this.#year.deployment.removed.includes(of);
    const firstMs = seen[0] === undefined ? Infinity : momentOf(seen[0]);
    const known = isForgotten ? plain.filter((point) => momentOf(point) >= firstMs) : plain;
    mustEqual(`${what} of ${of.name}`, seen, known, momentOf);
  }

  /** Each receiver got every beginning and every end once. */
  #compareEvents(): void {
    const { log, receivers } = this.#year;
    const ended = log.incidents.map((incident) => `incident.resolved ${idOf(incident)}`);
    const begun = [...log.incidents, ...log.open()].map((incident) => `incident.opened ${idOf(incident)}`);
    const plain = [...begun, ...ended].toSorted();
    for (const [to, told] of receivers.told) {
      const seen = [...told.values()]
        .filter(({ type }) => type === "incident.opened" || type === "incident.resolved")
        .filter(({ incident }) => incident !== null && !isOfFlapping(incident))
        .map(({ type, incident }) => `${type} ${incident}`);
      mustEqual(`events that ${to} took`, seen.toSorted(), plain, (event) => event);
    }
    this.compared.incidents = log.incidents.length;
    this.compared.events = [...receivers.told.values()].reduce((sum, told) => sum + told.size, 0);
  }
}

/** Of every tenth monitor: they flap, and their messages are not worked out here. */
function isOfFlapping(id: string): boolean {
  return /^g\d*9[-.]/u.test(id);
}

function idOf({ name, openedAtMs }: PlainIncident): string {
  const stamp = new Date(Math.floor(openedAtMs / 1000) * 1000).toISOString().replace(/[-:]|\.000/gu, "");
  return `${name}.models-${stamp.toLowerCase()}`;
}

/** Lists generate nothing. What is not null here differs from what the log has. */
function withoutFigures<Point extends { readonly generation: unknown }>(
  point: Point,
): Omit<Point, "generation"> {
  const { generation, ...rest } = point;
  return generation === null ? rest : point;
}

const startOf = ({ fromMs }: Pick<PlainRollup, "fromMs">): number => fromMs;

function mustEqual<Value>(
  what: string,
  seen: readonly unknown[],
  plain: readonly Value[],
  keyOf: (value: Value) => number | string,
): void {
  if (isDeepStrictEqual(seen, plain)) return;
  const at = plain.findIndex((value, index) => !isDeepStrictEqual(seen[index], value));
  const place = at === -1 ? plain.length : at;
  const value = plain[place];
  const key = value === undefined ? "behind the end" : keyOf(value);
  const when = typeof key === "number" ? new Date(key).toISOString() : key;
  const [told, wanted] = [JSON.stringify(seen[place]), JSON.stringify(value)];
  throw new Error(
    `${what}: ${seen.length} of ${plain.length}; at ${when} ${told} stands in the place of ${wanted}`,
  );
}

/** Raw samples are kept for two weeks: they are compared before. */
const DAYS_TOGETHER = 5;

/** Of writes that KV refused the last may come late. */
const CALM_MS = 6 * HOUR_MS;

/** Rough days, one after the other, and now and then some calm hours in which everything is compared. */
export async function playDays(year: Year, checks: Checks, days: number): Promise<void> {
  const { startMs } = year.options;
  for (let day = 1; day <= days; day += 1) {
    year.isCalm = false;
    await year.playUntil(startMs + day * DAY_MS);
    checks.measure();
    if (day % DAYS_TOGETHER !== 0 && day !== days) continue;
    year.isCalm = true;
    await year.playUntil(startMs + day * DAY_MS + CALM_MS);
    // What the last tick changed is seen by readers then, and not before.
    year.clock.nowMs += LATE_MS;
    await checks.compare();
  }
}

const DAYS_OF_HOURS = 14;
const DAYS_OF_DAYS = 90;
const MONTHS = 24;

/** What waits for KV may do so for days, resolved incidents for a month; for a day after a far clock nothing is forgotten. */
function mostRows(monitors: number): Readonly<Record<string, number>> {
  return {
    alert: 200,
    batch: 3 * 48,
    channels: 1,
    document: 8,
    kv: (DAYS_OF_HOURS + 2) * 24 + DAYS_OF_DAYS + 2 + MONTHS + 2 + 1,
    resolved: 50 + 40 * monitors,
    rollup: 93 + 31 + 7 * 24,
    segment: (DAYS_OF_HOURS + 4) * 24 + DAYS_OF_DAYS + 3 + MONTHS + 2,
    segment_part: 27 + 5 * 24,
    quarantine: 0,
    undelivered: 2000,
    subscription: 0,
  };
}

/** Bytes of everything in the Ledger, and of a snapshot with all the segments. */
const MOST_BYTES_A_MONITOR = 150_000;

/** By table: rows, and bytes of what is in them. */
function sizesOf({ sql }: NodeStorage): Readonly<Record<string, { rows: number; bytes: number }>> {
  const ask = (query: string): Record<string, string | number>[] => sql.exec(query).toArray();
  const sizes = ask("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name: table }) => {
    const columns = ask(`SELECT name FROM pragma_table_info('${table}')`);
    const length = columns.map(({ name }) => `coalesce(length(${name}), 0)`).join(" + ");
    const [size] = ask(`SELECT count(*) AS n, coalesce(sum(${length}), 0) AS bytes FROM ${table}`);
    return [table, { rows: Number(size?.["n"]), bytes: Number(size?.["bytes"]) }] as const;
  });
  return Object.fromEntries(sizes);
}
