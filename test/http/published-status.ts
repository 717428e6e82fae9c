/** A published world for tests: documents as the Ledger would make them, and a real KV that holds them. */
import type { LedgerStore } from "../../src/history/store.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeEach } from "vitest";
import type { IncidentDocument, PublishedIncident, StatusDocument } from "../../src/history/documents.ts";
import { dayPeriod, snapshotKey } from "../../src/history/keys.ts";
import type { KvReader } from "../../src/history/reader.ts";
import { packSnapshot, type SnapshotFacts, type SnapshotTail } from "../../src/history/snapshot.ts";
import { handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import type { AppDeps, SiteConfig } from "../../src/http/deps.ts";
import { LANGUAGES } from "../../src/config/config.ts";
import { config, gateway } from "../fixtures/config.ts";
import { emptyTail, sampleAt, writeIncidents } from "../history/published-history.ts";
import { type RealKv, useKv } from "../history/real-kv.ts";
import { NOW_MS, reportDocument, resolvedIncident, statusDocument } from "./documents.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { COURSE_STEPS, courseStart, type CourseStep, EMPTY_STEP } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { packCourse } from "../../src/history/course.ts";
import { packSamples } from "../../src/history/segment.ts";
import { NEWEST_INCIDENTS } from "../../src/history/incident-archive.ts";

type Publication = [status: StatusDocument, tail?: Partial<SnapshotTail>, facts?: Partial<SnapshotFacts>];

export interface World {
  readonly kv: RealKv;
  publish(...published: Publication): Promise<void>;
  publishShard(shard: number, ...published: Publication): Promise<void>;
  clear(): Promise<void>;
  /** What the application answers, of what is published, by the configuration that published it. */
  ask(path: string, init?: RequestInit, deps?: Partial<AppDeps>): Promise<Response>;
  text(path: string, nowMs?: number): Promise<string>;
  /** Publishes the document, and gives the page there. */
  show(status: Partial<StatusDocument>, at?: Shown): Promise<string>;
  /** Publishes the incident with a report, and gives its page, or that of the path. */
  showIncident(
    incident: IncidentDocument,
    at?: Shown & { readonly status?: Partial<StatusDocument> },
  ): Promise<string>;
}

interface Shown {
  readonly path?: string;
  readonly tail?: Partial<SnapshotTail>;
  readonly nowMs?: number;
}

const USUAL = config([gateway("acme")], { title: "Acme gateways" });

/** A world of the test file's own, empty before each of its tests. */
export function useWorld(): World {
  const store = useKv();
  let known: SiteConfig = USUAL;
  beforeEach(() => {
    known = USUAL;
  });
  const publishShard: World["publishShard"] = async (shard, status, tail = {}, facts = {}) => {
    const language = LANGUAGES.find((one) => one === tail.language) ?? "en";
    const { title, notice } = status;
    known = { ...known, title, notice, language, url: tail.url ?? null };
    const { bytes, metadata } = await packSnapshot(
      status,
      emptyTail({ maintenance: status.maintenance, ...tail }),
      { lastTickMs: NOW_MS, tickMs: 60_000, generatedMs: NOW_MS, sequence: 1, ...facts },
    );
    await store.kv.put(snapshotKey(shard), bytes, { metadata });
  };
  const ask: World["ask"] = (path, init, deps) =>
    handleRequest(
      new Request(`https://status.example${path}`, init),
      depsOf(store.kv, { config: known, ...deps }),
    );
  const text: World["text"] = async (path, nowMs = NOW_MS) =>
    (await ask(path, {}, { now: () => nowMs })).text();
  const show: World["show"] = async (status, { path = "/", tail, nowMs } = {}) => {
    await publishShard(0, statusDocument(status), tail);
    return text(path, nowMs);
  };
  return {
    get kv() {
      return store.kv;
    },
    publish: (...published) => publishShard(0, ...published),
    publishShard,
    clear: () => store.clear(),
    ask,
    text,
    show,
    showIncident: (incident, { status, tail, path = `/incidents/${incident.id}`, ...at } = {}) => {
      const incidents = incident.resolvedAt === null ? [incident] : [];
      const reports = [reportDocument({ id: `${incident.id}-1` })];
      const published = [{ incident, reports, fullReports: [] }];
      return show({ incidents, ...status }, { path, tail: { incidents: published, ...tail }, ...at });
    },
  };
}

const ASSETS = new URL("../../src/http/assets/", import.meta.url);

const NO_STORE = new Proxy({} as LedgerStore & AppDeps["stores"]["kv"], {
  get: () => () => Promise.reject(new Error("nobody saves or restores anything here")),
});

export function depsOf(kv: KvReader, more: Partial<AppDeps> = {}): AppDeps {
  return {
    kv,
    memory: new SnapshotMemory(),
    now: () => NOW_MS,
    config: USUAL,
    adminToken: null,
    mayTry: null,
    viewToken: null,
    shards: 1,
    version: "1.2.3",
    asset: async (name) => {
      const file = new URL(name, ASSETS);
      return existsSync(file) ? new Response(await readFile(file)) : new Response(null, { status: 404 });
    },
    administer: () => Promise.reject(new Error("nobody may ask the Ledger here")),
    subscribe: () => Promise.reject(new Error("no browser subscribes here")),
    stores: {
      kv: NO_STORE,
      shards: async () => 1,
      ledger: () => NO_STORE,
    },
    ...more,
  };
}

/** The snapshot as it is in KV, for tests that damage it. */
export interface StoredSnapshot {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: unknown;
}

export async function storedSnapshot({ kv }: World): Promise<StoredSnapshot> {
  const { value, metadata } = await kv.getWithMetadata(snapshotKey(0), { type: "arrayBuffer", cacheTtl: 30 });
  return { bytes: new Uint8Array(value ?? new ArrayBuffer()), metadata };
}

export function storeSnapshot({ kv }: World, { bytes, metadata }: StoredSnapshot): Promise<void> {
  return kv.put(snapshotKey(0), bytes, { metadata });
}

/** 48 half hours that were up, but for those that are named by their place; the first begins at 12:30 the day before. */
export function stepsOf(others: Readonly<Record<number, Partial<CourseStep>>> = {}): readonly CourseStep[] {
  return Array.from({ length: COURSE_STEPS }, (_, index) => {
    const other = others[index];
    if (other === undefined) return { p50: 400 + index, p95: 800 + index, health: "up", cause: "ok" };
    return { ...EMPTY_STEP, ...other };
  });
}

/** A day with five stretches of trouble, and one without a check. */
export const TROUBLED = stepsOf({
  20: { health: "down", cause: "timeout" },
  21: { health: "down", cause: "timeout" },
  22: { health: "down", cause: "upstream_unavailable" },
  30: { health: "blocked", cause: "insufficient_balance" },
  40: {},
  47: { health: "degraded", cause: "slow", p50: 2400, p95: 4800 },
});

export function courseTail(steps: readonly CourseStep[]): Pick<SnapshotTail, "halfHours"> {
  return {
    halfHours: { fromMs: courseStart(NOW_MS), byMonitor: { "acme/models": packCourse(steps, false) } },
  };
}

/** Given oldest first, a minute apart, the last one a minute ago. */
export function probesTail(
  probes: readonly Partial<Sample>[],
  id = "acme/models",
): Pick<SnapshotTail, "live"> {
  const samples = probes.map((probe, index) => sampleAt(NOW_MS - (probes.length - index) * MINUTE_MS, probe));
  return { live: { samples: { [id]: packSamples(samples) }, hours: {}, days: {} } };
}

/** As many as a snapshot holds, the newest first; one ended each so many milliseconds, after half a minute. */
export function newestIncidents(everyMs: number): PublishedIncident[] {
  return Array.from({ length: NEWEST_INCIDENTS }, (_, index) => {
    const endedMs = NOW_MS - (index + 1) * everyMs;
    return resolvedIncident(endedMs - 30_000, endedMs);
  });
}

/** Returns the one of ten days ago. @param incidents those of the snapshot. */
export async function publishArchive(
  world: World,
  incidents: readonly PublishedIncident[],
): Promise<PublishedIncident> {
  const old = resolvedIncident(NOW_MS - 10 * DAY_MS, NOW_MS - 10 * DAY_MS + HOUR_MS);
  const period = dayPeriod(NOW_MS - 10 * DAY_MS);
  await writeIncidents(world.kv, "day", period, [old]);
  const segments = { hour: [], day: [period], month: [] };
  await world.publish(statusDocument(), { incidents: [...incidents], segments });
  return old;
}
