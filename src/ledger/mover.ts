/**
 * Who asks whom, and in which order, when gateways move between shards. The taker asks every other Ledger before its tick
 * begins: for a parcel, which it stores, and then it says so, and the giver forgets. Each step may be repeated, and either side
 * may die before, in or after each: what is not certain waits, unprobed, and is asked for again with the next tick.
 */
import type { Giver } from "./giver.ts";
import type { Moves } from "./moves.ts";
import type { Taker } from "./taker.ts";
import {
  type Enrolment,
  type Fate,
  type HandOverAnswer,
  type HandOverRequest,
  readAnswer,
  readEnrolment,
  readFate,
  readSegmentTimes,
} from "./parcel.ts";
import type { Identities } from "./reconcile.ts";
import { Visits } from "./retired.ts";
import type { MovingRpc } from "./rpc.ts";
import { Strays } from "./strays.ts";
import type { Territory } from "./territory.ts";
import { Waiting } from "./waiting.ts";

export interface MoverWorld {
  readonly shard: number;
  /** Those of the configuration. */
  readonly shards: number;
  /** As `LedgerSettings.peer`. */
  peer(shard: number): MovingRpc;
  /** Rejects where an answer takes too long. */
  inTime<Value>(work: Promise<Value>): Promise<Value>;
  newId(): string;
  moves(): Moves;
  /** Until when the hours are closed here; null: there is no history. */
  hoursMs(): number | null;
  readonly now: () => number;
  readonly tickIntervalMs: number;
  /** What this Ledger has in common with others; made by shard 0. */
  enrolment(): Omit<Enrolment, "shards">;
  /** By each identity that is known now the one that stands for the same under another salt. */
  renewed(salt: string): Promise<ReadonlyMap<string, string>>;
  /** The salt is another one now. */
  saltChanged(): void;
  /** What moved is published, and alarms are set anew. */
  moved(): void;
  readonly warn: (what: string, error?: unknown) => void;
}

/** Parcels are bounded: so many from each Ledger in one tick. */
const MOST_ROUNDS = 8;

export class Mover {
  readonly #world: MoverWorld;
  readonly #giver: Giver;
  readonly #taker: Taker;
  readonly #territory: Territory;
  #taking: Promise<void> | null = null;
  /** Gateways that are being asked for: what comes of it is not decided. */
  #asked: ReadonlySet<string> = new Set();
  readonly #visits = new Visits();
  readonly #waiting: Waiting;
  readonly #strays: Strays;

  constructor(
    world: MoverWorld,
    { giver, taker, territory }: { giver: Giver; taker: Taker; territory: Territory },
  ) {
    this.#world = world;
    this.#giver = giver;
    this.#taker = taker;
    this.#territory = territory;
    this.#strays = new Strays(world, giver);
    this.#waiting = new Waiting(world, taker, territory);
  }

  /** Takes over what belongs here, as far as it can be had now. Never rejects. */
  async take(): Promise<void> {
    try {
      if (!this.#isNeeded()) return;
      this.#taking ??= this.#takeNow();
      await this.#taking;
    } catch (error) {
      this.#world.warn("gateways of other shards could not be taken over, and are asked for again", error);
    } finally {
      this.#taking = null;
    }
  }

  async handOver(request: HandOverRequest, identities: Identities): Promise<HandOverAnswer> {
    const asked = new Set(request.gateways.map(({ id }) => id));
    const { isRetired } = this.#territory;
    const doubtful = this.#world.moves().given.filter((note) => {
      const isAsked = note.gateways.some((id) => asked.has(id));
      return this.#isNameless(note) || (isAsked ? note.to !== request.to : isRetired);
    });
    // It has no ticks of its own that would see to it.
    const own = isRetired ? [this.#payDebts(), this.#strays.offerUnasked(asked)] : [];
    await Promise.all([this.#learnFates(doubtful), ...own]);
    this.#giver.reconcile(identities);
    const answer = this.#giver.pack(request, this.#world.newId());
    const isSpent = this.#giver.lookAfter() && answer.parcel === null && answer.held.length === 0;
    this.#world.moved();
    const held = isRetired ? [...answer.held, ...this.#giver.strays()] : answer.held;
    return { ...answer, held: [...new Set(held)], isSpent };
  }

  settle(parcelId: string): Readonly<Record<string, number | null>> {
    const times = this.#giver.settle(parcelId);
    this.#world.moved();
    return times;
  }

  fateOf(parcelId: string, gatewayIds: readonly string[]): Fate {
    const fate = this.#taker.fateOf(parcelId);
    return fate === "not_taken" && gatewayIds.some((id) => this.#asked.has(id)) ? "open" : fate;
  }

  offer(gatewayIds: readonly string[]): void {
    this.#taker.expect(gatewayIds);
  }

  enrol(shards: number): Enrolment {
    return { shards: this.#taker.noteShards(shards), ...this.#world.enrolment() };
  }

  #isNeeded(): boolean {
    const moves = this.#world.moves();
    const isGrowing = this.#world.shard === 0 && this.#world.shards > moves.shards;
    const isOwing = moves.given.length > 0 || moves.taken.length > 0;
    return (
      isGrowing || isOwing || this.#strays.areDue() || this.#waiting.isDue || this.#unvisited().length > 0
    );
  }

  /** Shard 0 looks after those that have no ticks any more. */
  #unvisited(): readonly number[] {
    const { shard, shards } = this.#world;
    const most = shard === 0 ? this.#world.moves().shards : 0;
    return range(shards, most).filter((other) => this.#visits.isDue(other, this.#world.now()));
  }

  async #takeNow(): Promise<void> {
    const doubtful = this.#world
      .moves()
      .given.filter(
        (note) => this.#isNameless(note) || note.gateways.some((id) => this.#territory.isOwn(id)),
      );
    const offer = this.#strays.areDue() ? this.#strays.offer() : null;
    await Promise.all([this.#payDebts(), this.#learnFates(doubtful), offer]);
    const { shard } = this.#world;
    const isMissing = this.#taker.missing().length > 0;
    const shards = isMissing || shard === 0 ? await this.#mostShards() : 0;
    if (shards === null) {
      const ids = this.#taker.missing().map(({ id }) => id);
      this.#taker.noteAlone();
      if (ids.length > 0) this.#waiting.go(ids, { held: new Set(), isSilent: true });
      return;
    }
    const peers = range(0, shards).filter((other) => other !== shard);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const isDone = await this.#askAll(peers);
      if (isDone) break;
    }
    if (shard === 0) this.#taker.noteHolding(this.#visits.holding(shards, this.#world.shards));
  }

  /** True when there is nothing more to be had now. */
  async #askAll(peers: readonly number[]): Promise<boolean> {
    const wanted = this.#taker.missing();
    const unvisited = this.#unvisited();
    const asked = wanted.length > 0 ? peers : peers.filter((peer) => unvisited.includes(peer));
    if (asked.length === 0) {
      this.#territory.awaitOnly(new Set());
      return true;
    }
    const ids = wanted.map(({ id }) => id);
    this.#asked = new Set(ids);
    try {
      const taken = this.#world.moves().taken.map(({ id }) => id);
      const request = { to: this.#world.shard, hoursMs: this.#world.hoursMs(), gateways: wanted, taken };
      const answers = await Promise.all(asked.map((peer) => this.#ask(peer, request)));
      const held = new Set(answers.flatMap((answer) => answer?.held ?? []));
      const heard = { held, isSilent: answers.includes(null) };
      const stored = answers.filter((answer) => answer !== null && this.#store(answer));
      this.#waiting.note(ids, heard);
      if (stored.length === 0) return this.#waiting.go(ids, heard);
    } finally {
      this.#asked = new Set();
    }
    return false;
  }

  /** Null: it does not answer, or what it says cannot be understood. */
  async #ask(peer: number, request: HandOverRequest): Promise<HandOverAnswer | null> {
    try {
      const answer = readAnswer(await this.#world.inTime(this.#world.peer(peer).handOver(request)));
      // It is asked again soon while there is something that nobody else asks for.
      if (answer.parcel === null && answer.held.length > 0) this.#visits.forget(peer);
      else this.#visits.note(peer, answer.isSpent, this.#world.now());
      return answer;
    } catch (error) {
      this.#world.warn(`the ledger of shard ${peer} could not be asked for its gateways`, error);
      return null;
    }
  }

  /** @throws when storage fails; then nothing has changed. */
  #store({ parcel }: HandOverAnswer): boolean {
    if (parcel === null) return false;
    this.#taker.take(parcel);
    this.#world.moved();
    return true;
  }

  /**
   * Tells givers that they may forget, a tick after it was stored: until then readers find a gateway with its giver, wherever
   * the first snapshot of its taker is not seen yet.
   */
  async #payDebts(): Promise<void> {
    await Promise.all(
      this.#world.moves().taken.map(async ({ id, from }) => {
        try {
          const times = readSegmentTimes(await this.#world.inTime(this.#world.peer(from).settle(id)));
          this.#taker.acknowledge(id, from, times);
        } catch (error) {
          this.#world.warn(
            `the ledger of shard ${from} was not told that its gateways are taken over`,
            error,
          );
        }
      }),
    );
  }

  /** A gateway of it was removed or renamed since: whoever has it by now ends it, or carries it on. */
  #isNameless({ gateways }: Moves["given"][number]): boolean {
    return gateways.some((id) => !this.#territory.isConfigured(id));
  }

  /** What became of parcels that were packed. Where nobody tells, they stay promised. */
  async #learnFates(given: Moves["given"]): Promise<void> {
    await Promise.all(
      given.map(async ({ id, to, gateways }) => {
        try {
          const told = this.#world.inTime(this.#world.peer(to).fateOf(id, gateways));
          const fate = readFate(await told);
          if (fate === "taken") this.#giver.settle(id);
          if (fate === "not_taken") this.#giver.keep(id);
        } catch (error) {
          this.#world.warn(`the ledger of shard ${to} does not tell what became of gateways`, error);
        }
      }),
    );
  }

  /** The most that were ever used; null: who knows it does not answer. */
  async #mostShards(): Promise<number | null> {
    const { shard, shards } = this.#world;
    if (shard === 0) return this.#taker.noteShards(shards);
    try {
      const used = Math.max(shards, shard + 1);
      const enrolment = readEnrolment(await this.#world.inTime(this.#world.peer(0).enrol(used)));
      const renewed = this.#taker.joinsLate ? await this.#world.renewed(enrolment.salt) : new Map();
      if (this.#taker.join(enrolment, renewed)) this.#world.saltChanged();
      return enrolment.shards;
    } catch (error) {
      this.#world.warn("the ledger of shard 0 does not tell how many there are", error);
      return null;
    }
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
