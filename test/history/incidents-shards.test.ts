/** Older pages of incidents over the segments of several shards. */
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import type { PublishedIncident } from "../../src/history/documents.ts";
import {
  findIncident,
  type IncidentArchive,
  NEWEST_INCIDENTS,
  readIncidents,
} from "../../src/history/incident-archive.ts";
import { dayPeriod, monthOf } from "../../src/history/keys.ts";
import { mergeArchives, mergeParts, type Part } from "../../src/history/merge.ts";
import { gatewayDocument, resolvedIncident, statusDocument } from "../http/published-status.ts";
import { emptyTail, writeIncidents } from "./published-history.ts";
import { useKv, watched } from "./real-kv.ts";

const world = useKv();

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
const LIKELY = new Set([0, 1, 2]);

function endOf({ incident }: PublishedIncident): number {
  return Date.parse(incident.resolvedAt ?? "");
}

function idsOf(incidents: readonly PublishedIncident[]): string[] {
  return incidents.map(({ incident }) => incident.id);
}

/** As its Ledger would publish them: the newest in the snapshot, all in the segments of days and months. */
async function partOf(shard: number, incidents: readonly PublishedIncident[]): Promise<Part> {
  const past = incidents.filter((of) => dayPeriod(endOf(of)) < dayPeriod(NOW_MS));
  const days = Map.groupBy(
    past.filter((of) => endOf(of) > NOW_MS - 90 * DAY_MS),
    (of) => dayPeriod(endOf(of)),
  );
  const months = Map.groupBy(
    past.filter((of) => endOf(of) < Date.UTC(2026, 10, 1)),
    (of) => monthOf(dayPeriod(endOf(of))),
  );
  await Promise.all([
    ...[...days].map(([period, of]) => writeIncidents(world.kv, "day", period, of, shard)),
    ...[...months].map(([period, of]) => writeIncidents(world.kv, "month", period, of, shard)),
  ]);
  const newest = [...incidents].sort((a, b) => endOf(b) - endOf(a)).slice(0, NEWEST_INCIDENTS);
  const segments = { hour: [], day: [...days.keys()].sort(), month: [...months.keys()].sort() };
  return {
    shard,
    metadata: { lastTickMs: NOW_MS, tickMs: 60_000, generatedMs: NOW_MS },
    status: statusDocument({ gateways: [gatewayDocument({ id: `g${shard}` })] }),
    tail: emptyTail({ incidents: newest, segments }),
  };
}

function archiveOfAll(parts: readonly Part[]): IncidentArchive {
  return mergeArchives(parts, mergeParts(parts, []));
}

async function allPages(archive: IncidentArchive): Promise<PublishedIncident[]> {
  const found: PublishedIncident[] = [];
  for (let beforeMs: number | null | undefined; beforeMs !== null;) {
    const page = await readIncidents(world.kv, archive, { beforeMs: beforeMs ?? null });
    if (!page.ok) throw new Error(page.failure.kind);
    expect(page.value.gaps).toEqual([]);
    found.push(...page.value.incidents);
    if (page.value.nextMs !== null) expect(page.value.nextMs).toBeLessThan(beforeMs ?? Infinity);
    beforeMs = page.value.nextMs;
  }
  return found;
}

/** Of unequal shards: one had many lately, one few for long, one none since last year. */
async function unequal(): Promise<{ parts: Part[]; all: PublishedIncident[] }> {
  const spread = (name: string, count: number, stepMs: number, firstMs: number): PublishedIncident[] =>
    Array.from({ length: count }, (_, index) => {
      const endedMs = firstMs - index * stepMs;
      return resolvedIncident(endedMs - 20 * 60_000, endedMs, name);
    });
  const busy = spread("busy", 130, 3 * HOUR_MS, NOW_MS - HOUR_MS);
  const calm = spread("calm", 90, 7 * DAY_MS, NOW_MS - 2 * HOUR_MS);
  const old = spread("old", 60, DAY_MS, NOW_MS - 400 * DAY_MS);
  const parts = [await partOf(0, busy), await partOf(1, calm), await partOf(2, old)];
  return { parts, all: [...busy, ...calm, ...old] };
}

test("pages have the incidents of all shards in the order in which they ended, each once", async () => {
  const { parts, all } = await unequal();
  const byEnd = [...all].sort((a, b) => endOf(b) - endOf(a) || (a.incident.id < b.incident.id ? -1 : 1));
  expect(idsOf(await allPages(archiveOfAll(parts)))).toEqual(idsOf(byEnd));
});

test("one that moved is told once, wherever it is stored", async () => {
  const { parts, all } = await unequal();
  const [first, ...others] = parts;
  const twice = all.slice(0, 45);
  await partOf(1, all.filter(({ incident }) => incident.id.startsWith("calm")).concat(twice));
  if (!first) throw new Error("there is no part");
  const told = idsOf(await allPages(archiveOfAll([first, ...others])));
  expect(new Set(told).size).toBe(told.length);
});

test("the first page is served from the snapshots alone", async () => {
  const { parts } = await unequal();
  const kv = watched(world.kv);
  const page = await readIncidents(kv, archiveOfAll(parts), { beforeMs: null });
  expect(page).toMatchObject({ ok: true, value: { gaps: [] } });
  expect(kv.keys).toEqual([]);
});

test("an old one is found in whichever shard it is, in those first that may have it", async () => {
  const { parts, all } = await unequal();
  const archive = archiveOfAll(parts);
  for (const wanted of [all[129], all[219], all[279]]) {
    const id = wanted?.incident.id ?? "";
    expect(await findIncident(world.kv, archive, { id, likely: LIKELY })).toEqual({
      ok: true,
      value: wanted,
    });
  }
  const kv = watched(world.kv);
  await findIncident(kv, archive, { id: all[219]?.incident.id ?? "", likely: new Set([1]) });
  expect(kv.keys.every((key) => key.startsWith("v1/1/"))).toBe(true);
});

test("an id that nobody has costs a bounded number of reads", async () => {
  const { parts } = await unequal();
  const kv = watched(world.kv);
  const id = "busy-20261101t000000z";
  expect(await findIncident(kv, archiveOfAll(parts), { id, likely: new Set() })).toEqual({
    ok: true,
    value: null,
  });
  expect(kv.keys.length).toBeLessThanOrEqual(56);
});
