/**
 * What a Ledger has of gateways whose own Ledger does not ask for it: that one had them before, and they came back to it while this
 * one had begun them without it. It is told, and asks then.
 */
import { MINUTE_MS } from "../domain/calendar.ts";
import { shardOf } from "../domain/dealing.ts";
import type { Giver } from "./giver.ts";
import type { MovingRpc } from "./rpc.ts";

/** So long it has to ask by itself, as it does when gateways move; and so often it is told. */
const ASKS_WITHIN_MS = 5 * MINUTE_MS;

interface StraysWorld {
  readonly shards: number;
  peer(shard: number): MovingRpc;
  inTime<Value>(work: Promise<Value>): Promise<Value>;
  readonly now: () => number;
  readonly warn: (what: string, error?: unknown) => void;
}

export class Strays {
  readonly #world: StraysWorld;
  readonly #giver: Giver;
  /** Null: there are none. */
  #nextMs: number | null = null;

  constructor(world: StraysWorld, giver: Giver) {
    this.#world = world;
    this.#giver = giver;
  }

  /** Call it with each tick: it notes since when there are some. */
  areDue(): boolean {
    if (this.#giver.strays().length === 0) this.#nextMs = null;
    else this.#nextMs ??= this.#world.now() + ASKS_WITHIN_MS;
    return this.#nextMs !== null && this.#isPast(this.#nextMs);
  }

  /** Of one that has no ticks: at once, and not with each call. @param asked what is being asked for. */
  async offerUnasked(asked: ReadonlySet<string>): Promise<void> {
    if (this.#nextMs === null || this.#isPast(this.#nextMs)) await this.offer(asked);
  }

  /** Never rejects. */
  async offer(asked: ReadonlySet<string> = new Set()): Promise<void> {
    const world = this.#world;
    const ids = this.#giver.strays().filter((id) => !asked.has(id));
    if (ids.length > 0) this.#nextMs = world.now() + ASKS_WITHIN_MS;
    const byShard = Map.groupBy(ids, (id) => shardOf(id, world.shards));
    await Promise.all(
      Array.from(byShard, async ([shard, of]) => {
        try {
          await world.inTime(world.peer(shard).offer(of));
        } catch (error) {
          world.warn(`the ledger of shard ${shard} was not told what is here of its gateways`, error);
        }
      }),
    );
  }

  #isPast(atMs: number): boolean {
    const leftMs = atMs - this.#world.now();
    return leftMs <= 0 || leftMs > ASKS_WITHIN_MS;
  }
}
