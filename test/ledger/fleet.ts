/**
 * The Ledgers of all shards in virtual time, on real SQLite: each tick of a shard as its consumer runs it, calls between them
 * as plain data, what they publish in a map that stands for KV, and all alerts that they send.
 */
import type { Config } from "../../src/config/config.ts";
import { reachOf, type ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { gatewayOf } from "../../src/domain/monitor-state.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import {
  type SnapshotMetadata,
  snapshotMetadataSchema,
  type SnapshotTail,
  unpackStatus,
  unpackTail,
} from "../../src/history/snapshot.ts";
import { LedgerService } from "../../src/ledger/service.ts";
import { LedgerMemory } from "../../src/ledger/state/memory.ts";
import type { LedgerState } from "../../src/ledger/state/state.ts";
import type { LedgerRpc } from "../../src/ledger/rpc.ts";
import { onTestFinished, vi } from "vitest";
import { outcome } from "../fixtures/outcome.ts";
import { type NodeStorage, nodeStorage } from "./node-storage.ts";

export interface Told {
  readonly eventId: string;
  readonly type: string;
  readonly incident: string | null;
  readonly reason: string | null;
  readonly atMs: number;
}

export interface Seen {
  readonly metadata: SnapshotMetadata;
  readonly status: StatusDocument;
  readonly tail: SnapshotTail;
}

/** What may become of a call from one Ledger to another. Who dies has stored what it had stored by then. */
export const CALL_ORDERS = [
  "go",
  "it is lost",
  "the answer is lost",
  "the caller dies before",
  "the caller dies after",
  "the other dies after",
] as const;
export type CallOrder = (typeof CALL_ORDERS)[number];

export interface FleetCall {
  readonly from: number;
  readonly to: number;
  readonly name: keyof LedgerRpc;
}

type Settings = ConstructorParameters<typeof LedgerService>[1];

const SECRETS: Readonly<Record<string, string>> = {
  URL_OF_ops: "https://ops.example/hook/5c9f5a3e",
  SIGNING: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};

type Probe = (monitorId: string, tickMs: number) => Partial<ProbeOutcome>;

export class Fleet {
  nowMs: number;
  readonly told: Told[] = [];
  /** Every probe that was recorded: its monitor, and when it began. */
  readonly recorded: string[] = [];
  readonly warnings: string[] = [];
  readonly kv = new Map<string, { value: Uint8Array<ArrayBuffer>; metadata: unknown }>();
  /** What becomes of each call; default: it is made. */
  onCall: (call: FleetCall) => CallOrder = () => "go";
  /** Whether the Ledger of a shard answers to nobody now. */
  isAway: (shard: number) => boolean = () => false;
  /** Whether who is told of alerts takes none. */
  isReceiverOut = false;
  /** Whether ticks tell, as the Worker's do, that they reached none of several gateways. */
  judgesNetwork = false;
  readonly storages = new Map<number, NodeStorage>();
  #config: Config;
  readonly #tickMs: number;
  /** Messages are signed in threads of their own, which take what time they like. */
  readonly #signing = vi.spyOn(crypto.subtle, "sign");
  readonly #hosts = new Map<number, { readonly host: LedgerService; die(): void }>();

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
    for (const shard of this.#hosts.keys()) this.restart(shard);
    this.#config = config;
  }

  /** The object dies; a new one takes its storage. */
  restart(shard: number): void {
    this.#hosts.get(shard)?.die();
    this.#hosts.delete(shard);
  }

  host(shard: number): LedgerService {
    const known = this.#hosts.get(shard);
    if (known) return known.host;
    const life = mortal(this.#storageOf(shard));
    const host = new LedgerService(life.storage, this.#settings(shard));
    this.#hosts.set(shard, { host, die: () => life.die() });
    return host;
  }

  /** One tick of every shard, in this order. @returns what was probed. */
  async tick(probe: Probe, order = this.shards): Promise<string[]> {
    this.nowMs = Math.floor(this.nowMs / this.#tickMs + 1) * this.#tickMs;
    const probed: string[] = [];
    for (const shard of order) if (!this.isAway(shard)) probed.push(...(await this.tickShard(shard, probe)));
    await this.wake();
    return probed.sort();
  }

  async tickShard(shard: number, probe: Probe): Promise<string[]> {
    const tickMs = Math.floor(this.nowMs / this.#tickMs) * this.#tickMs;
    const request = { tickMs, invocation: `i${shard}-${tickMs}` };
    const host = this.host(shard);
    const answer = await host.begin(request).catch((error: unknown) => {
      // The invocation fails with the object that it asked.
      if (this.#hosts.get(shard)?.host === host) throw error;
      return { assignments: [] };
    });
    const assigned = answer.assignments.flatMap(({ monitorIds }) => monitorIds);
    const results = assigned.map((monitorId) => {
      const seen = outcome({ startedAtMs: tickMs + 7, ...probe(monitorId, tickMs) });
      const regions = this.#regionsOf(monitorId).map((region, n) => {
        return { region, outcome: { ...seen, latencyMs: seen.latencyMs && seen.latencyMs + 50 * n } };
      });
      return { monitorId, outcome: seen, ...(regions.length > 0 && { regions }) };
    });
    const isOut = results.every(({ outcome: of }) => reachOf(of.diagnosis) === "unreached");
    const ownNetworkFailed = this.judgesNetwork && results.length > 1 && isOut;
    await this.host(shard).record({ ...request, results, returned: [], ownNetworkFailed });
    this.recorded.push(...results.map(({ monitorId, outcome: of }) => `${monitorId} ${of.startedAtMs}`));
    return assigned;
  }

  /** Alarms that are due go off, and what is sent arrives. */
  async wake(): Promise<void> {
    await this.#delivered();
    for (const [shard, storage] of this.storages) {
      if (storage.alarmMs === null || storage.alarmMs > this.nowMs || this.isAway(shard)) continue;
      storage.alarmMs = null;
      await this.host(shard).alarm();
    }
    await this.#delivered();
  }

  /** What the Ledger of a shard has stored. */
  stateOf(shard: number): LedgerState {
    const settings = { config: this.#config, shard, now: () => 0 };
    return new LedgerMemory(this.#storageOf(shard), settings).state;
  }

  get shards(): readonly number[] {
    return Array.from({ length: this.#config.shards }, (_, shard) => shard);
  }

  /** What a shard published last; null: nothing. */
  async seen(shard: number): Promise<Seen | null> {
    const stored = this.kv.get(snapshotKey(shard));
    if (stored === undefined) return null;
    const metadata = snapshotMetadataSchema.parse(stored.metadata);
    const snapshot = { bytes: stored.value, metadata };
    return { metadata, status: unpackStatus(snapshot), tail: await unpackTail(snapshot) };
  }

  #regionsOf(monitorId: string): readonly string[] {
    return this.#config.gateways.find(({ id }) => id === gatewayOf(monitorId))?.regions ?? [];
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
    const storage = this.storages.get(shard) ?? nodeStorage();
    this.storages.set(shard, storage);
    return storage;
  }

  #settings(shard: number): Settings {
    return {
      config: this.#config,
      shard,
      peer: (to) => this.#peer(shard, to),
      kv: {
        put: async (key: string, value: Uint8Array<ArrayBuffer>, { metadata }: { metadata?: unknown }) => {
          this.kv.set(key, { value, metadata });
        },
      },
      client: "gatepulse/test",
      tickIntervalMs: this.#tickMs,
      run: null,
      secret: (name) => SECRETS[name] ?? `value of ${name}`,
      now: () => this.nowMs,
      timeoutSignal: () => new AbortController().signal,
      fetch: async (_, { body }) => {
        if (this.isReceiverOut) return new Response(null, { status: 503 });
        const { type, data } = JSON.parse(body);
        const { eventId, incident = null, reason = null } = data;
        this.told.push({ eventId, type, incident: incident?.id ?? null, reason, atMs: this.nowMs });
        return new Response(null, { status: 204 });
      },
      sendMail: () => Promise.reject(new Error("no mail here")),
    };
  }

  #peer(from: number, to: number): LedgerRpc {
    const call = async (name: keyof LedgerRpc, args: readonly unknown[]): Promise<unknown> => {
      const order = this.isAway(to) ? "it is lost" : this.onCall({ from, to, name });
      if (order === "the caller dies before") this.restart(from);
      if (order === "it is lost" || order === "the caller dies before")
        throw new Error(`${name} never arrived`);
      const method = this.host(to)[name] as unknown as (...given: unknown[]) => unknown;
      const answer = structuredClone(await method.apply(this.host(to), structuredClone([...args])));
      if (order === "the caller dies after") this.restart(from);
      if (order === "the other dies after") this.restart(to);
      if (order !== "go") throw new Error(`the answer to ${name} was lost`);
      return answer;
    };
    return new Proxy({} as LedgerRpc, {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          call(name as keyof LedgerRpc, args),
    });
  }
}

/** A storage for one object: what it does after its death never happened. */
function mortal(storage: NodeStorage): { readonly storage: NodeStorage; die(): void } {
  let isDead = false;
  const alive = (): void => {
    if (isDead) throw new Error("the object is dead");
  };
  const guarded = (target: object): object =>
    new Proxy(target, {
      get: (of, name) => {
        alive();
        const value: unknown = Reflect.get(of, name);
        if (typeof value === "object" && value !== null) return guarded(value);
        return typeof value === "function" ? (...args: unknown[]) => value.apply(of, args) : value;
      },
    });
  return {
    storage: guarded(storage) as NodeStorage,
    die: () => {
      isDead = true;
    },
  };
}
