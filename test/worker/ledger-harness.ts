/** A Ledger on real SQLite and real KV, in virtual time, that can be restarted at any point. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Config } from "../../src/config/config.ts";
import { publishingPace } from "../../src/config/plan-limits.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { LedgerSettings } from "../../src/ledger/rpc.ts";
import { vi } from "vitest";
import { LedgerService } from "../../src/ledger/service.ts";
import { type StatusDocument, statusSchema } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import {
  pageIn,
  snapshotMetadataSchema,
  type SnapshotTail,
  unpackLive,
  unpackStatus,
  unpackTail,
} from "../../src/history/snapshot.ts";
import { renderFrontPage } from "../../src/http/page-routes.ts";
import { config, gateway } from "../fixtures/config.ts";
import { ledgerSettings, playTick } from "../fixtures/played-ledger.ts";

interface TestEnv {
  readonly KV: KVNamespace;
  readonly LEDGER: DurableObjectNamespace;
}

// The platform types `env` by a generated file; the tests' bindings are those of vitest.config.ts.
export const bindings = env as unknown as TestEnv;

export interface Harness extends WatchedHost {
  nowMs: number;
  readonly config: Config;
  readonly service: LedgerService;
  rowsWritten: number;
  kvWrites: number;
  /** Seconds since 1970, by key. */
  readonly expirations: Map<string, number | undefined>;
  kvFails: boolean;
  pageFails: boolean;
  warnings: string[];
  /** What happens once, while the next write to KV is under way. */
  duringPut: () => void;
  /** A new object over the same storage, as after an eviction. */
  restart(): void;
  /** Lets so much time pass that a snapshot is due. */
  publish(): Promise<void>;
  /** One tick: begin, record what `probe` says of each assigned monitor, maintain. */
  tick(
    tickMs: number,
    probe: (monitorId: string, tickMs: number) => Partial<ProbeOutcome>,
  ): Promise<string[]>;
}

export const TICK_MS = 60_000;

/** The first tick of most tests. */
export const START = Date.parse("2026-11-20T09:00:00Z");

/** So many ticks from one on, a minute apart. */
export const minutes = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + n * TICK_MS);

/** With the storage of an object of its own, empty. */
export const inObject = <Of>(run: (state: DurableObjectState) => Promise<Of>): Promise<Of> =>
  runInDurableObject(bindings.LEDGER.get(bindings.LEDGER.newUniqueId()), async (_, state) => run(state));

/** A Ledger of its own, empty, of that configuration, or with gateways `g0`, `g1`, … of one monitor each. */
export function inLedger<Of>(
  of: Partial<Pick<Config, "timeZone" | "maintenance" | "recurring">> & {
    readonly config?: Config;
    readonly gateways?: number;
    /** Default `START`. */
    readonly startMs?: number;
  },
  run: (harness: Harness, sql: SqlStorage) => Promise<Of>,
): Promise<Of> {
  const { gateways: count = 2, timeZone = "UTC", maintenance = [], recurring = [] } = of;
  const gateways = Array.from({ length: count }, (_, n) => gateway(`g${n}`));
  const settings = of.config ?? config(gateways, { timeZone, maintenance, recurring, maxProbesPerTick: 500 });
  return inObject((state) => run(harnessOn(state, settings, of.startMs ?? START), state.storage.sql));
}

export function harnessOn(state: DurableObjectState, settings: Config, nowMs: number): Harness {
  const create = (): LedgerService =>
    new LedgerService(
      hostStorage(state.storage, harness),
      hostSettings(settings, {
        kv: countingKv(),
        now: () => harness.nowMs,
        fetch: () => Promise.reject(new Error("no alert is sent here")),
        renderPage: (shown, atMs) =>
          harness.pageFails ? Promise.reject(new Error("no page")) : renderPage(shown, atMs),
      }),
    );
  vi.spyOn(console, "warn").mockImplementation((...words) => {
    harness.warnings.push(words.join(": "));
  });
  const countingKv = () => {
    const put = async (
      key: string,
      value: Uint8Array<ArrayBuffer>,
      options: { expiration?: number; metadata?: unknown },
    ) => {
      harness.kvWrites += 1;
      const { duringPut } = harness;
      harness.duringPut = () => undefined;
      duringPut();
      if (harness.kvFails) throw new Error("KV PUT failed: 429 Too Many Requests");
      // Virtual time may lie in the real past, where KV would drop the value at once.
      harness.expirations.set(key, options.expiration);
      await bindings.KV.put(key, value, { metadata: options.metadata });
    };
    const get = bindings.KV.getWithMetadata.bind(bindings.KV);
    return { put, getWithMetadata: get } as unknown as KVNamespace;
  };
  let service: LedgerService | null = null;
  const harness: Harness = {
    get service() {
      service ??= create();
      return service;
    },
    nowMs,
    config: settings,
    rowsWritten: 0,
    kvWrites: 0,
    expirations: new Map(),
    kvFails: false,
    pageFails: false,
    warnings: [],
    duringPut: () => undefined,
    alarmMs: null,
    wrote: (rows) => {
      harness.rowsWritten += rows;
    },
    publish: async () => {
      harness.nowMs += publishingPace(settings).usualMs;
      await harness.service.maintain();
    },
    restart: () => {
      service = null;
    },
    tick: async (tickMs, probe) => {
      harness.nowMs = Math.max(harness.nowMs, tickMs);
      const identities = Object.fromEntries(settings.gateways.map(({ id }) => [id, `${id}:key`]));
      const ledger = harness.service;
      const assigned = await playTick(
        {
          begin: (request) => ledger.order(request, identities),
          record: (batch) => {
            harness.nowMs += 1000;
            ledger.store(batch);
          },
        },
        tickMs,
        (id) => probe(id, tickMs),
      );
      await harness.service.maintain();
      return assigned;
    },
  };
  return harness;
}

interface WatchedHost {
  /** When the platform is to wake the Ledger; null: never. */
  alarmMs: number | null;
  storageFails?: boolean;
  /** Which statements storage refuses; default: none. */
  refuses?: (query: string) => boolean;
  wrote?: (rows: number) => void;
}

/** Its alarms fire when a test says so, and its transactions fail. */
export function hostStorage(storage: DurableObjectStorage, of: WatchedHost): DurableObjectStorage {
  const sql = {
    exec: (query: string, ...values: SqlStorageValue[]) => {
      for (const value of values) refuseLarge(value);
      if (of.refuses?.(query)) throw new Error("disk I/O error");
      const cursor = storage.sql.exec(query, ...values);
      of.wrote?.(cursor.rowsWritten);
      return cursor;
    },
  };
  const watched = {
    sql,
    transactionSync: (write: () => void) =>
      storage.transactionSync(() => {
        write();
        if (of.storageFails) throw new Error("disk I/O error");
      }),
    getAlarm: async () => of.alarmMs,
    setAlarm: async (atMs: number) => {
      of.alarmMs = atMs;
    },
  };
  return watched as unknown as DurableObjectStorage;
}

const renderPage: LedgerSettings["renderPage"] = (shown, nowMs) =>
  renderFrontPage(shown, nowMs, {
    config: config([]),
    asset: () => Promise.reject(new Error("there are no files here")),
  });

/** Of a `LedgerService` that publishes pages to real KV. */
export const hostSettings = (
  settings: Config,
  over: Partial<LedgerSettings> & Pick<LedgerSettings, "now" | "fetch">,
): LedgerSettings =>
  ledgerSettings({ config: settings, kv: withoutExpiry(bindings.KV), renderPage, ...over });

/** Virtual time may lie in the real past, where KV would drop the value at once. */
export function withoutExpiry(kv: KVNamespace): KVNamespace {
  const put = (key: string, value: ArrayBuffer, options: KVNamespacePutOptions) =>
    kv.put(key, value, options.metadata === undefined ? {} : { metadata: options.metadata });
  return { put } as unknown as KVNamespace;
}

/** What readers find in KV now. */
export async function published(): Promise<{ status: StatusDocument; tail: SnapshotTail; page: string }> {
  const { value, metadata } = await bindings.KV.getWithMetadata(snapshotKey(0), "arrayBuffer");
  if (value === null) throw new Error("nothing was published");
  const snapshot = { bytes: new Uint8Array(value), metadata: snapshotMetadataSchema().parse(metadata) };
  return {
    status: statusSchema().parse(unpackStatus(snapshot)),
    page: new TextDecoder().decode(pageIn(snapshot)),
    tail: { ...(await unpackTail(snapshot)), live: await unpackLive(snapshot) },
  };
}

/** What the platform allows a row; the runtime on this machine allows four times as much. */
const LARGEST_VALUE = 2_000_000;

function refuseLarge(value: SqlStorageValue): void {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value).length : sizeOf(value);
  if (bytes > LARGEST_VALUE) throw new Error("string or blob too big: SQLITE_TOOBIG");
}

function sizeOf(value: SqlStorageValue): number {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
}
