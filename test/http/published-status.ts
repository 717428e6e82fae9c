/**
 * A published world for tests: documents as the Ledger would make them, and a real KV that holds them.
 */
import type { LedgerStore } from "../../src/history/store.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeEach } from "vitest";
import type { IncidentDocument, StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import type { KvReader } from "../../src/history/reader.ts";
import { packSnapshot, type SnapshotFacts, type SnapshotTail } from "../../src/history/snapshot.ts";
import { handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import type { AppDeps, SiteConfig } from "../../src/http/deps.ts";
import { LANGUAGES } from "../../src/config/config.ts";
import { config, gateway } from "../fixtures/config.ts";
import { emptyTail } from "../history/published-history.ts";
import { type RealKv, useKv } from "../history/real-kv.ts";
import { NOW_MS, reportDocument, statusDocument } from "./documents.ts";

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
    mayLogIn: null,
    viewToken: null,
    shards: 1,
    version: "1.2.3",
    asset: async (name) => {
      const file = new URL(name, ASSETS);
      return existsSync(file) ? new Response(await readFile(file)) : new Response(null, { status: 404 });
    },
    administer: () => Promise.reject(new Error("nobody may ask the Ledger here")),
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
