/** The Ledgers of all shards in virtual time, on real SQLite. Calls between them are plain data, and a map stands for KV. */
import type { Config } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { type SnapshotMetadata, snapshotMetadataSchema, unpackStatus } from "../../src/history/snapshot.ts";
import type { LedgerSettings } from "../../src/ledger/rpc.ts";
import { LedgerService } from "../../src/ledger/service.ts";
import { onTestFinished, vi } from "vitest";
import { ledgerSettings, playTick } from "../fixtures/played-ledger.ts";
import { NodeStorage } from "./node-storage.ts";

interface Seen {
  readonly metadata: SnapshotMetadata;
  readonly status: StatusDocument;
}

type Probe = (monitorId: string) => Partial<ProbeOutcome>;

export class Fleet {
  nowMs: number;
  /** The types of events that were sent. */
  readonly told: string[] = [];
  readonly warnings: string[] = [];
  readonly kv = new Map<string, { value: Uint8Array<ArrayBuffer>; metadata: unknown }>();
  /** Whether the Ledger of a shard answers to nobody now. */
  isAway: (shard: number) => boolean = () => false;
  readonly storages = new Map<number, NodeStorage>();
  #config: Config;
  readonly #tickMs: number;
  /** Messages are signed in threads of their own, which take what time they like. */
  readonly #signing = vi.spyOn(crypto.subtle, "sign");
  readonly #hosts = new Map<number, LedgerService>();

  constructor(config: Config, { startMs, tickMs }: { readonly startMs: number; readonly tickMs: number }) {
    this.#config = config;
    this.#tickMs = tickMs;
    this.nowMs = startMs;
    const warnings = vi.spyOn(console, "warn").mockImplementation((...words) => {
      this.warnings.push(words.join(" "));
    });
    onTestFinished(() => warnings.mockRestore());
    onTestFinished(() => this.#signing.mockRestore());
  }

  /** A deploy: every object is a new one. */
  deploy(config: Config): void {
    this.#hosts.clear();
    this.#config = config;
  }

  /** The object ends; a new one takes its storage. */
  restart(shard: number): void {
    this.#hosts.delete(shard);
  }

  host(shard: number): LedgerService {
    const host = this.#hosts.get(shard) ?? new LedgerService(this.#storageOf(shard), this.#settings(shard));
    this.#hosts.set(shard, host);
    return host;
  }

  /** One tick of every shard, in this order. @returns what was probed. */
  async tick(probe: Probe): Promise<string[]> {
    this.nowMs = Math.floor(this.nowMs / this.#tickMs + 1) * this.#tickMs;
    const probed: string[] = [];
    for (let shard = 0; shard < this.#config.shards; shard += 1) {
      if (!this.isAway(shard)) probed.push(...(await playTick(this.host(shard), this.nowMs, probe)));
    }
    await this.#wake();
    return probed.sort();
  }

  /** Alarms that are due go off, and what is sent arrives. */
  async #wake(): Promise<void> {
    await this.#delivered();
    for (const [shard, storage] of this.storages) {
      if (storage.alarmMs === null || storage.alarmMs > this.nowMs || this.isAway(shard)) continue;
      storage.alarmMs = null;
      await this.host(shard).alarm();
    }
    await this.#delivered();
  }

  /** What a shard published last; null: nothing. */
  async seen(shard: number): Promise<Seen | null> {
    const stored = this.kv.get(snapshotKey(shard));
    if (stored === undefined) return null;
    const metadata = snapshotMetadataSchema().parse(stored.metadata);
    return { metadata, status: unpackStatus({ bytes: stored.value, metadata }) };
  }

  /** What is under way comes to its end: nobody waits for messages. */
  async #delivered(): Promise<void> {
    for (let still = 0; still < 4; still += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (this.#signing.mock.settledResults.some(({ type }) => type === "incomplete")) still = -1;
    }
    this.#signing.mockClear();
  }

  #storageOf(shard: number): NodeStorage {
    const storage = this.storages.get(shard) ?? new NodeStorage();
    this.storages.set(shard, storage);
    return storage;
  }

  #settings(shard: number): LedgerSettings {
    const put = async (key: string, value: Uint8Array<ArrayBuffer>, { metadata }: { metadata?: unknown }) => {
      this.kv.set(key, { value, metadata });
    };
    return ledgerSettings({
      config: this.#config,
      shard,
      peer: (to) => {
        if (this.isAway(to)) throw new Error("it does not answer");
        return this.host(to);
      },
      kv: { put },
      tickIntervalMs: this.#tickMs,
      now: () => this.nowMs,
      fetch: async (_, { body }) => {
        this.told.push(JSON.parse(String(body)).type);
        return new Response(null, { status: 204 });
      },
    });
  }
}
