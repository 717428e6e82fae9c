import { describe, expect, test } from "vitest";
import { calendarOf, DAY_MS, HOUR_MS, instant } from "../../src/domain/calendar.ts";
import type { PublishedIncident } from "../../src/history/documents.ts";
import {
  completeFrom,
  findIncident,
  type IncidentArchive,
  NEWEST_INCIDENTS,
  readIncidents,
} from "../../src/history/incident-archive.ts";
import { dayPeriod, hourPeriod, monthOf, segmentKey } from "../../src/history/keys.ts";
import { mergeArchives, mergeParts, type Part } from "../../src/history/merge.ts";
import type { KvReader } from "../../src/history/reader.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { spread } from "../extent.ts";
import { gatewayDocument, publishedIncident, resolvedIncident, statusDocument } from "../http/documents.ts";
import { emptyTail, writeIncidents } from "./published-history.ts";
import { useKv, watched } from "./real-kv.ts";

const world = useKv();

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
const NONE = { ok: true, value: null };
/** Of one shard, as its snapshot names it, or of several. */
type Archived = SnapshotTail | IncidentArchive;
const archiveIn = (of: Archived): IncidentArchive =>
  "shelves" in of
    ? of
    : { ...of, shelves: [{ shard: 0, segments: of.segments, completeMs: completeFrom(of.incidents) }] };

/** By an id whose shard is not known. */
const find = (kv: KvReader, of: Archived, id: string, likely: readonly number[] = []) =>
  findIncident(kv, archiveIn(of), { likely: new Set(likely), id });

async function pageOf(kv: KvReader, of: Archived, beforeMs: number | null) {
  const page = await readIncidents(kv, archiveIn(of), { beforeMs });
  if (!page.ok) throw new Error(page.failure.kind);
  return page.value;
}

function endOf({ incident }: PublishedIncident): number {
  return Date.parse(incident.resolvedAt ?? "");
}

function idsOf(incidents: readonly PublishedIncident[]): string[] {
  return incidents.map(({ incident }) => incident.id);
}

function byEnd(incidents: readonly PublishedIncident[]): PublishedIncident[] {
  return incidents.toSorted((a, b) => endOf(b) - endOf(a) || (a.incident.id < b.incident.id ? -1 : 1));
}

/** Every incident in the segments of its hour, day and month, and the newest in the snapshot, as the Ledger does. */
async function archive(
  incidents: readonly PublishedIncident[],
  { timeZone = "UTC", shard = 0 } = {},
): Promise<SnapshotTail> {
  const calendar = calendarOf(timeZone);
  const month = (ms: number): string => monthOf(calendar.dayOf(ms));
  const since = (of: PublishedIncident, lifeMs: number): boolean => endOf(of) > NOW_MS - lifeMs;
  const recent = incidents.filter((of) => since(of, 14 * DAY_MS));
  const late = incidents.filter((of) => since(of, 90 * DAY_MS) && dayPeriod(endOf(of)) < dayPeriod(NOW_MS));
  const past = incidents.filter((of) => month(endOf(of)) < month(NOW_MS));
  const kinds = {
    hour: Map.groupBy(recent, (of) => hourPeriod(endOf(of))),
    day: Map.groupBy(late, (of) => dayPeriod(endOf(of))),
    month: Map.groupBy(past, (of) => month(endOf(of))),
  };
  const periodsOf = async (kind: keyof typeof kinds): Promise<string[]> => {
    const write = ([period, of]: [string, PublishedIncident[]]) =>
      writeIncidents(world.kv, kind, period, of, shard);
    await Promise.all([...kinds[kind]].map(write));
    return [...kinds[kind].keys()].sort();
  };
  const segments = {
    hour: await periodsOf("hour"),
    day: await periodsOf("day"),
    month: await periodsOf("month"),
  };
  return emptyTail({ timeZone, incidents: byEnd(incidents).slice(0, NEWEST_INCIDENTS), segments });
}

async function allPages(archived: Archived, kv: KvReader = world.kv): Promise<PublishedIncident[]> {
  const found: PublishedIncident[] = [];
  for (let beforeMs: number | null | undefined; beforeMs !== null;) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(kv, archived, beforeMs ?? null);
    expect(page.gaps).toEqual([]);
    found.push(...page.incidents);
    if (page.nextMs !== null) expect(page.nextMs).toBeLessThan(beforeMs ?? Number.POSITIVE_INFINITY);
    beforeMs = page.nextMs;
  }
  return found;
}

/** Of the last 80 days, the first one first. */
async function writeEmptyDays(isWanted: (period: string) => boolean): Promise<string[]> {
  const days = Array.from({ length: 80 }, (_, index) => dayPeriod(NOW_MS - (80 - index) * DAY_MS));
  const wanted = days.filter(isWanted);
  await Promise.all(wanted.map((period) => writeIncidents(world.kv, "day", period, [])));
  return wanted;
}

/** One every `stepMs`, lasting 20 minutes, the last one ended half an hour ago, unless told. */
function incidentsEvery(
  stepMs: number,
  count: number,
  { name, lastMs = NOW_MS - 30 * 60_000 }: { name?: string; lastMs?: number } = {},
): PublishedIncident[] {
  return Array.from({ length: count }, (_, index) => {
    const endedMs = lastMs - index * stepMs;
    return resolvedIncident(endedMs - 20 * 60_000, endedMs, name);
  });
}

test("the first page has the open ones by their opening, then the resolved ones, the latest first", async () => {
  const openA = publishedIncident({ id: "a-20261101t000000z", openedAt: "2026-11-01T00:00:00.000Z" });
  const openB = publishedIncident({ id: "b-20261102t000000z", openedAt: "2026-11-02T00:00:00.000Z" });
  const early = resolvedIncident(NOW_MS - 5 * HOUR_MS, NOW_MS - 4 * HOUR_MS);
  const late = resolvedIncident(NOW_MS - 9 * HOUR_MS, NOW_MS - 3 * HOUR_MS);
  const tail = emptyTail({ incidents: [early, openA, late, openB] });
  const page = await pageOf(world.kv, tail, null);
  expect(page).toEqual({ incidents: [openB, openA, late, early], nextMs: null, gaps: [] });
});

test("while the snapshot holds every incident there ever was, no segment is read", async () => {
  const tail = await archive(incidentsEvery(3 * HOUR_MS, NEWEST_INCIDENTS - 1));
  const kv = watched(world.kv);
  expect(await allPages(tail, kv)).toHaveLength(NEWEST_INCIDENTS - 1);
  expect(await find(kv, tail, "acme-models-20260101t000000z")).toEqual(NONE);
  expect(kv.keys).toEqual([]);
});

test.each(spread(["Asia/Shanghai", "America/Los_Angeles", "UTC"], 2))(
  "older pages reach through hours, days and months to the first incident, in %s",
  async (timeZone) => {
    const incidents = [
      ...incidentsEvery(5 * HOUR_MS, 150),
      ...Array.from({ length: 12 }, (_, index) => {
        const endedMs = NOW_MS - (60 + 40 * index) * DAY_MS;
        return resolvedIncident(endedMs - 3 * DAY_MS, endedMs);
      }),
    ];
    expect(idsOf(await allPages(await archive(incidents, { timeZone })))).toEqual(idsOf(byEnd(incidents)));
  },
);

test("incidents that ended at one instant are never parted by a page's end", async () => {
  const endedMs = NOW_MS - HOUR_MS;
  const incidents = Array.from({ length: 130 }, (_, index) =>
    resolvedIncident(endedMs - HOUR_MS, endedMs, `acme-m${String(index).padStart(3, "0")}`),
  );
  const earlier = resolvedIncident(NOW_MS - 9 * HOUR_MS, NOW_MS - 8 * HOUR_MS);
  const tail = await archive([...incidents, earlier]);
  expect(idsOf(await allPages(tail)).sort()).toEqual(idsOf([...incidents, earlier]).sort());
});

test("one page reads a bounded number of segments, however thinly incidents are strewn", async () => {
  const newest = incidentsEvery(60_000, NEWEST_INCIDENTS);
  const old = resolvedIncident(NOW_MS - 700 * DAY_MS, NOW_MS - 699 * DAY_MS);
  const tail = await archive([...newest, old]);
  const empty = await writeEmptyDays((period) => !tail.segments.day.includes(period));
  const strewn = { ...tail, segments: { ...tail.segments, day: [...tail.segments.day, ...empty].sort() } };
  const kv = watched(world.kv);
  const page = await pageOf(kv, strewn, NOW_MS - 2 * HOUR_MS);
  expect(kv.keys.length).toBeLessThanOrEqual(24);
  expect(page).toMatchObject({ incidents: [], nextMs: expect.any(Number) });
  expect(idsOf(await allPages(strewn))).toEqual(idsOf([...newest, old]));
});

test.each([3, 30, 300])("an incident of %i days ago is found by its id", async (daysAgo) => {
  const wanted = resolvedIncident(NOW_MS - daysAgo * DAY_MS, NOW_MS - daysAgo * DAY_MS + 2 * DAY_MS);
  const tail = await archive([...incidentsEvery(10 * 60_000, 60), wanted]);
  expect(idsOf(tail.incidents)).not.toContain(wanted.incident.id);
  const kv = watched(world.kv);
  expect(await find(kv, tail, wanted.incident.id)).toEqual({ ok: true, value: wanted });
  expect(kv.keys.length).toBeLessThanOrEqual(56);
});

test("an id that no incident has is not found, and finding that out is bounded", async () => {
  const tail = await archive(incidentsEvery(2 * HOUR_MS, 120));
  const instants = ["20261110t080000z", "20260110t080000z", "20300101t000000z", "99999999t999999z"];
  for (const id of [...instants.map((text) => `acme-models-${text}`), "acme-models", "", "../snapshot"]) {
    const kv = watched(world.kv);
    expect(await find(kv, tail, id)).toEqual(NONE);
    expect(kv.keys.length).toBeLessThanOrEqual(56);
  }
});

test("an incident that may be in a segment which cannot be read is not said to be missing", async () => {
  const wanted = resolvedIncident(NOW_MS - 30 * DAY_MS, NOW_MS - 30 * DAY_MS + HOUR_MS);
  const tail = await archive([...incidentsEvery(10 * 60_000, 60), wanted]);
  await world.kv.put(segmentKey(0, "month", "2026-10"), "damaged");
  const refusing = watched(world.kv, [segmentKey(0, "month", "2026-10")]);
  for (const [kv, kind] of [
    [world.kv, "unreadable"],
    [refusing, "outage"],
  ] as const) {
    expect(await find(kv, tail, wanted.incident.id)).toMatchObject({ ok: false, failure: { kind } });
  }
});

test("a page says which segment it could not read, and goes on behind it", async () => {
  const incidents = [
    ...incidentsEvery(10 * 60_000, 60),
    resolvedIncident(NOW_MS - 90 * DAY_MS, NOW_MS - 80 * DAY_MS),
  ];
  const lost = resolvedIncident(NOW_MS - 30 * DAY_MS, NOW_MS - 30 * DAY_MS + HOUR_MS);
  const tail = await archive([...incidents, lost]);
  await world.kv.delete(segmentKey(0, "month", "2026-10"));
  const page = await pageOf(world.kv, tail, NOW_MS - DAY_MS);
  expect(page.gaps).toEqual([{ period: "2026-10", failure: { kind: "absent" } }]);
  const ends = page.incidents.map(({ incident }) => incident.resolvedAt);
  expect(ends).toEqual([instant(NOW_MS - 80 * DAY_MS)]);
});

describe("of several shards", () => {
  async function partOf(shard: number, incidents: readonly PublishedIncident[]): Promise<Part> {
    return {
      shard,
      metadata: { lastTickMs: NOW_MS, tickMs: 60_000, generatedMs: NOW_MS },
      status: statusDocument({ gateways: [gatewayDocument({ id: `g${shard}` })] }),
      tail: await archive(incidents, { shard }),
    };
  }

  /** One shard had many recently, one few for long, one none since last year. */
  async function unequal() {
    const busy = incidentsEvery(3 * HOUR_MS, 130, { name: "busy", lastMs: NOW_MS - HOUR_MS });
    const calm = incidentsEvery(7 * DAY_MS, 90, { name: "calm", lastMs: NOW_MS - 2 * HOUR_MS });
    const old = incidentsEvery(DAY_MS, 60, { name: "old", lastMs: NOW_MS - 400 * DAY_MS });
    const parts = [await partOf(0, busy), await partOf(1, calm), await partOf(2, old)];
    return { merged: mergeArchives(parts, mergeParts(parts, [])), busy, calm, old };
  }

  test("pages have the incidents of all shards in the order in which they ended, each once", async () => {
    const { merged, busy, calm, old } = await unequal();
    expect(idsOf(await allPages(merged))).toEqual(idsOf(byEnd([...busy, ...calm, ...old])));
  });

  test("an old one is found in whichever shard it is, in those first that may have it", async () => {
    const { merged, busy, calm, old } = await unequal();
    for (const wanted of [busy.at(-1)!, calm.at(-1)!, old.at(-1)!]) {
      expect(await find(world.kv, merged, wanted.incident.id, [0, 1, 2])).toEqual({
        ok: true,
        value: wanted,
      });
    }
    const kv = watched(world.kv);
    await find(kv, merged, calm.at(-1)!.incident.id, [1]);
    expect(kv.keys.every((key) => key.startsWith("v1/1/"))).toBe(true);
    const nobodys = watched(world.kv);
    expect(await find(nobodys, merged, "busy-20261101t000000z")).toEqual(NONE);
    expect(nobodys.keys.length).toBeLessThanOrEqual(56);
  });
});
