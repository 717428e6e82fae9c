/** What readers see, held against the plain log: every sample, every roll-up, every incident, every event, and the bounds. */
import { isDeepStrictEqual } from "node:util";
import type { Rollup } from "../../src/domain/rollup.ts";
import { readSnapshot, type Read } from "../../src/history/reader.ts";
import { readDays, readHours, readSamples, type Series, type SeriesQuery } from "../../src/history/series.ts";
import { type SnapshotTail, unpackStatus, unpackTail } from "../../src/history/snapshot.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import type { Watched } from "./deployments.ts";
import {
  dayOf,
  dayStart,
  hourOf,
  type Noted,
  type PlainIncident,
  plainRollup,
  type PlainRollup,
} from "./plain-log.ts";
import type { Year } from "./year.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Compared {
  samples: number;
  hours: number;
  days: number;
  incidents: number;
  events: number;
}

const NOTHING_YET: Compared = { samples: 0, hours: 0, days: 0, incidents: 0, events: 0 };

/** By monitor and day, kept when their samples are forgotten. */
export type PlainDays = Map<number, Map<string, PlainRollup>>;

export class Checks {
  readonly #year: Year;
  readonly days: PlainDays;
  readonly compared: Compared;
  /** Everything before it was compared. */
  fromMs: number;

  constructor(year: Year, kept: { days: PlainDays; compared: Compared; fromMs: number } | null = null) {
    this.#year = year;
    this.days = kept?.days ?? new Map();
    this.compared = kept?.compared ?? { ...NOTHING_YET };
    this.fromMs = kept?.fromMs ?? year.options.startMs;
  }

  /** Of a Ledger that has had some calm hours. @throws with the first difference. */
  async compare(): Promise<void> {
    const { status, tail } = await this.#published();
    const { lastTickMs, deployment } = this.#year;
    // What is older may show as open what the log knows to be over.
    if (Date.parse(status.lastTickAt ?? "") !== lastTickMs)
      throw new Error(
        `the last tick that is published is ${status.lastTickAt}, and that of ${lastTickMs} is not`,
      );
    const { watched, removed } = deployment;
    const untilMs = Math.floor((Date.parse(status.lastTickAt ?? "") - 3 * HOUR_MS) / HOUR_MS) * HOUR_MS;
    for (const of of [...watched, ...removed]) {
      await this.#compareSamples(tail, of, untilMs);
      await this.#compareHours(tail, of, untilMs);
    }
    this.#keepDays(untilMs);
    for (const of of [...watched, ...removed]) await this.#compareDays(tail, of, untilMs);
    this.#compareOpen(status);
    this.#compareEvents();
    this.fromMs = untilMs;
    // A day that is not over needs all of its samples.
    this.#year.log.forgetBefore(untilMs - 2 * DAY_MS);
  }

  async #published(): Promise<{ status: StatusDocument; tail: SnapshotTail }> {
    const read = await readSnapshot(this.#year.kv, 0);
    if (!read.ok) throw new Error(`the snapshot is ${read.failure.kind}`);
    return { status: unpackStatus(read.value), tail: await unpackTail(read.value) };
  }

  #samplesOf({ who }: Watched): readonly Noted[] {
    return this.#year.log.samples.get(who) ?? [];
  }

  async #compareSamples(tail: SnapshotTail, of: Watched, untilMs: number): Promise<void> {
    const { fromMs } = this;
    const read = await all((query) => readSamples(this.#year.kv, tail, query), of, fromMs, untilMs);
    const plain = this.#samplesOf(of)
      .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
      .toSorted((a, b) => a.atMs - b.atMs);
    // oxlint-disable-next-line oxc/no-map-spread -- what is compared is left as it is
    const seen = read.map(({ generation, ...sample }) => ({
      ...sample,
      ...(generation !== null && { generation }),
    }));
    const known = this.#knownOf(of, plain, read[0]?.atMs, ({ atMs }) => atMs);
    mustEqual(`samples of ${of.name}`, seen, known, ({ atMs }) => atMs);
    this.compared.samples += plain.length;
  }

  async #compareHours(tail: SnapshotTail, of: Watched, untilMs: number): Promise<void> {
    const { fromMs } = this;
    const read = await all((query) => readHours(this.#year.kv, tail, query), of, fromMs, untilMs);
    const hours = Map.groupBy(this.#samplesOf(of), hourOf);
    const plain = [...hours]
      .filter(([hour]) => hour >= fromMs && hour < untilMs)
      .toSorted(([a], [b]) => a - b)
      .map(([hour, samples]) => plainRollup(hour, samples));
    const known = this.#knownOf(of, plain, read[0]?.fromMs, (rollup) => rollup.fromMs);
    mustEqual(`hours of ${of.name}`, read.map(withoutFigures), known, (rollup) => rollup.fromMs);
    this.compared.hours += plain.length;
  }

  /** Days that are over and of which all samples are known. */
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

  async #compareDays(tail: SnapshotTail, of: Watched, untilMs: number): Promise<void> {
    const read = await all((query) => readDays(this.#year.kv, tail, query), of, 0, untilMs - 25 * HOUR_MS);
    const plain = [...(this.days.get(of.who)?.values() ?? [])]
      .filter(({ fromMs }) => fromMs < untilMs - 25 * HOUR_MS)
      .toSorted((a, b) => a.fromMs - b.fromMs);
    const known = this.#knownOf(of, plain, read[0]?.fromMs, (rollup) => rollup.fromMs);
    mustEqual(`days of ${of.name}`, read.map(withoutFigures), known, (rollup) => rollup.fromMs);
    this.compared.days += plain.length;
  }

  /**
   * Readers know former names by the configuration alone. Of one that was renamed and is gone, segments of before its last name
   * are found no more: `firstMs` is where what is found of it begins.
   */
  #knownOf<Point>(
    of: Watched,
    plain: readonly Point[],
    firstMs = Infinity,
    startOf: (point: Point) => number,
  ): readonly Point[] {
    const isUntold = of.formerly.length > 0 && this.#year.deployment.removed.includes(of);
    return isUntold ? plain.filter((point) => startOf(point) >= firstMs) : plain;
  }

  /** None is open that should be closed, and none is missing. */
  #compareOpen({ incidents }: StatusDocument): void {
    const seen = incidents.map(({ id }) => id).filter((id) => !isOfFlapping(id));
    mustEqual("open incidents", seen.toSorted(), this.#year.log.open().map(idOf).toSorted(), (id) => id);
  }

  /** Each receiver was told once of every beginning and every end. */
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

/** Of every tenth monitor: they flap, and what is told of that is not worked out here. */
function isOfFlapping(id: string): boolean {
  return /^g\d*9[-.]/u.test(id);
}

function idOf({ name, openedAtMs }: PlainIncident): string {
  const stamp = new Date(Math.floor(openedAtMs / 1000) * 1000).toISOString().replace(/[-:]|\.000/gu, "");
  return `${name}.models-${stamp.toLowerCase()}`;
}

function withoutFigures({ generation, ...rollup }: Rollup): unknown {
  return generation === null ? rollup : { ...rollup, generation };
}

/** Whatever a reader is given a part of is asked for to its end. */
async function all<Point>(
  read: (query: SeriesQuery) => Promise<Read<Series<Point>>>,
  { name }: Watched,
  fromMs: number,
  toMs: number,
): Promise<Point[]> {
  const points: Point[] = [];
  for (let nextMs: number | null = fromMs; nextMs !== null;) {
    const part = await read({ shard: 0, monitorId: `${name}/models`, fromMs: nextMs, toMs });
    if (!part.ok) throw new Error(`${name} cannot be read: ${part.failure.kind}`);
    const [gap] = part.value.gaps;
    if (gap) throw new Error(`${name} has a gap at ${gap.period}: ${gap.failure.kind}`);
    points.push(...part.value.points);
    nextMs = part.value.nextMs;
  }
  return points;
}

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
