/** Ledgers of several shards as real objects that call each other; the test says when one of them dies. */
import { abortAllDurableObjects, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Config } from "../../src/config/config.ts";
import { shardConfig } from "../../src/config/shard.ts";
import type { LedgerSettings } from "../../src/ledger/host.ts";
import { defineLedger } from "../../src/ledger/ledger.ts";
import { ledgerName, type LedgerRpc } from "../../src/ledger/rpc.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";
import type { Probe } from "./admin-world.ts";

export interface Call {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** What becomes of a call between two Ledgers. Who dies, dies as the platform ends an object: at once. */
export type Fate = "go" | "the caller dies before" | "the caller dies after" | "the other dies after";

interface Mortal {
  /** Never answers. */
  die(): Promise<void>;
}

interface MovingEnv {
  readonly KV: KVNamespace;
  readonly MOVING: DurableObjectNamespace<Rpc.DurableObjectBranded & LedgerRpc & Mortal>;
}

const bindings = env as unknown as MovingEnv;

const world = {
  config: config([]),
  nowMs: 0,
  told: [] as string[],
  deaths: 0,
  onCall: ((): Fate => "go") as (call: Call) => Fate,
  contexts: new Map<number, DurableObjectState>(),
};

export const TICK_MS = 60_000;
export const START = Date.parse("2026-11-20T09:00:00Z");

const Base = defineLedger<MovingEnv>((_, shard) => settingsOf(shard));

export class MovingLedger extends Base implements Mortal {
  constructor(ctx: DurableObjectState, given: MovingEnv) {
    super(ctx, given);
    world.contexts.set(Number(ctx.id.name?.slice("ledger-".length)), ctx);
  }

  async die(): Promise<void> {
    world.deaths += 1;
    this.ctx.abort("the test ends it");
  }
}

function settingsOf(shard: number): LedgerSettings {
  return {
    ...shardConfig(world.config, shard),
    shard,
    peer: (to) => peer(shard, to),
    kv: {
      put: (key: string, value: ArrayBuffer, { metadata }: { metadata?: unknown }) =>
        bindings.KV.put(key, value, { metadata }),
    } as unknown as KVNamespace,
    client: "gatepulse/test",
    tickIntervalMs: TICK_MS,
    run: null,
    secret: (name) => (name === "URL_OF_ops" ? "https://ops.example/hook/5c9f5a3e" : SIGNING),
    now: () => world.nowMs,
    timeoutSignal: () => new AbortController().signal,
    fetch: async (_, { body }) => {
      const { type, data } = JSON.parse(body);
      world.told.push(`${type} ${data.incident?.id}`);
      return new Response(null, { status: 204 });
    },
    sendMail: () => Promise.reject(new Error("no mail here")),
  };
}

const SIGNING = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

function peer(from: number, to: number): LedgerRpc {
  const stub = bindings.MOVING.getByName(ledgerName(to));
  return new Proxy({} as LedgerRpc, {
    get:
      (_, name) =>
      async (...args: unknown[]) => {
        const fate = world.onCall({ from, to, name: String(name) });
        if (fate === "the caller dies before") return die(from);
        const call = Reflect.get(stub, name) as (...given: unknown[]) => Promise<unknown>;
        const answer = await call(...args);
        if (fate === "the caller dies after") return die(from);
        if (fate === "the other dies after") {
          await bindings.MOVING.getByName(ledgerName(to)).die();
        }
        return answer;
      },
  });
}

function die(shard: number): never {
  const context = world.contexts.get(shard);
  if (context === undefined) throw new Error(`nobody is shard ${shard}`);
  world.deaths += 1;
  context.abort("the test ends it");
  throw new Error("it died");
}

export interface Fleet {
  readonly told: readonly string[];
  readonly deaths: number;
  onCall(decide: (call: Call) => Fate): void;
  /** A deploy ends every object. */
  deploy(shards: number): Promise<void>;
  /** One of every shard; an invocation whose Ledger dies fails alone. @returns what was probed. */
  tick(probe: Probe): Promise<string[]>;
}

/** Empty storage; `of` so many shards to begin with. */
export async function withFleet(ids: readonly string[], run: (fleet: Fleet) => Promise<void>): Promise<void> {
  await reset();
  const configOf = (shards: number): Config =>
    config(
      ids.map((id) => gateway(id, { monitors: [monitor(id)] })),
      { shards, maxProbesPerTick: 500, alerts: [OPS] },
    );
  Object.assign(world, { config: configOf(1), nowMs: START, told: [], deaths: 0, onCall: () => "go" });
  world.contexts.clear();
  await run({
    get told() {
      return world.told;
    },
    get deaths() {
      return world.deaths;
    },
    onCall: (decide) => {
      world.onCall = decide;
    },
    deploy: async (shards) => {
      await abortAllDurableObjects();
      world.config = configOf(shards);
    },
    tick: async (probe) => {
      world.nowMs += TICK_MS;
      const shards = Array.from({ length: world.config.shards }, (_, shard) => shard);
      const probed = await Promise.all(shards.map((shard) => tickShard(shard, probe).catch(() => [])));
      return probed.flat().sort();
    },
  });
}

const OPS = {
  kind: "webhook",
  id: "ops",
  urlSecret: "URL_OF_ops",
  signingSecrets: ["SIGNING"],
  only: { owners: null, causes: null, gateways: null, events: null },
} as const;

async function tickShard(shard: number, probe: Probe): Promise<string[]> {
  const tickMs = world.nowMs;
  const request = { tickMs, invocation: crypto.randomUUID() };
  const ledger = () => bindings.MOVING.getByName(ledgerName(shard));
  const { assignments } = await ledger().begin(request);
  const assigned = assignments.flatMap(({ monitorIds }) => monitorIds);
  const results = assigned.map((monitorId) => ({
    monitorId,
    outcome: outcome({ startedAtMs: tickMs + 7, ...probe(monitorId) }),
  }));
  await ledger().record({ ...request, results, returned: [], ownNetworkFailed: false });
  return assigned;
}
