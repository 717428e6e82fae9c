/**
 * What a Ledger does about gateways that are its own by now: which it has to ask for, and how it takes over what it gets, all
 * of a parcel in one write.
 */
import type { GatewayState } from "../domain/assignment.ts";
import { partsOfSeries } from "../domain/monitor-id.ts";
import { NO_TICK_YET } from "../domain/silence.ts";
import type { KvReader } from "../history/reader.ts";
import { commitMoves, type HandingWorld, only, SILENT } from "./handing.ts";
import { inherit } from "./inheritance.ts";
import { lateArrival } from "./late-arrival.ts";
import { takeHistory } from "./moved-history.ts";
import { homesOf, type Moves, type SegmentTimes, usedHistory, withAbroad } from "./moves.ts";
import type { Enrolment, Fate, Parcel, WantedGateway } from "./parcel.ts";
import { entryOf, type LedgerState } from "./state.ts";

export class Taker {
  readonly #world: HandingWorld;

  constructor(world: HandingWorld) {
    this.#world = world;
  }

  missing(): readonly WantedGateway[] {
    return this.#world.territory.missing(this.#world.memory.state);
  }

  /** As `inherit`. */
  async inherit(kv: KvReader, warn: (what: string) => void): Promise<void> {
    await inherit(kv, this.#world, warn);
  }

  begunUnheard(): readonly string[] {
    return this.#world.territory.begunUnheard(this.#world.memory.state);
  }

  /** That so many shards are used, or were. */
  noteShards(shards: number): number {
    const moves = this.#moves;
    if (shards > moves.shards) commitMoves(this.#world, { shards });
    return Math.max(shards, moves.shards);
  }

  /** That no more than so many hold anything. */
  noteHolding(shards: number): void {
    if (shards < this.#moves.shards) commitMoves(this.#world, { shards });
  }

  /** A Ledger that knows nothing yet is about to begin without shard 0, which does not answer. */
  noteAlone(): void {
    if (this.#isNew && this.#moves.joined) commitMoves(this.#world, { joined: false });
  }

  get joinsLate(): boolean {
    return !this.#isNew && !this.#moves.joined;
  }

  /**
   * A Ledger that knows nothing begins with what shard 0 knows; one that had to begin alone gets it later.
   * @param renewed of one that joins late: by each identity of now the one that stands for the same under the other's salt.
   * @returns whether it has another salt now.
   */
  join({ shards, salt, planned }: Enrolment, renewed: ReadonlyMap<string, string>): boolean {
    const { state, archive } = this.#world.memory;
    this.noteShards(shards);
    if (!this.#isNew && !this.joinsLate) return false;
    const isNew = archive.tables.document("salt") !== salt;
    const { journal } = this.#isNew ? withoutTicks(state) : state;
    const after = {
      ...withIdentities(state, { ...journal, planned: [...planned] }, renewed),
      moves: { ...this.#moves, joined: true },
    };
    this.#world.commit({ ...SILENT, state: after }, (stores) => {
      if (isNew) stores.archive.tables.putDocument("salt", salt);
    });
    return isNew;
  }

  get #isNew(): boolean {
    return Object.keys(this.#world.memory.state.monitors).length === 0;
  }

  noteBehind(behind: Moves["behind"]): void {
    commitMoves(this.#world, { behind });
  }

  fateOf(parcelId: string): Fate {
    return this.#moves.taken.some(({ id }) => id === parcelId) ? "taken" : "not_taken";
  }

  /** Another Ledger has something of them. Those that are missing are asked for anyway. */
  expect(gatewayIds: readonly string[]): void {
    const { territory } = this.#world;
    const missing = new Set(this.missing().map(({ id }) => id));
    const known = gatewayIds.filter((id) => territory.isOwn(id) && !missing.has(id));
    if (known.length > 0) this.noteUnheard([], new Set(known));
  }

  /**
   * Notes that of all gateways that were asked for only these may still be known to a Ledger that does not answer, or not now.
   * @returns since when each own one is waited for.
   */
  noteUnheard(asked: readonly string[], waiting: ReadonlySet<string>): Moves["unheard"] {
    const nowMs = this.#world.now();
    const { unheard: before } = this.#moves;
    const { territory } = this.#world;
    const left = Object.keys(before).filter((id) => territory.isOwn(id) && !asked.includes(id));
    const entries = Array.from(new Set([...left, ...waiting]), (id) => {
      return [id, Math.min(Object.hasOwn(before, id) ? (before[id] ?? nowMs) : nowMs, nowMs)] as const;
    });
    const unheard = Object.fromEntries(entries);
    const isSame =
      entries.length === Object.keys(before).length &&
      entries.every(([id, sinceMs]) => before[id] === sinceMs);
    if (!isSame) commitMoves(this.#world, { unheard });
    return unheard;
  }

  /** Takes over what is not known here, and puts what was before to what was begun without it: all in one write. */
  take(parcel: Parcel): void {
    const { state, archive } = this.#world.memory;
    if (this.fateOf(parcel.id) === "taken") return;
    const isKnown = (id: string): boolean => Object.hasOwn(state.monitors, archive.nameOf(id));
    const come = new Set(Object.keys(parcel.monitors));
    const isFresh = (id: string): boolean => come.has(id) && !isKnown(id);
    // Begun here without it, or come from another Ledger before: what two of them had, both probed at different times.
    const isLate = (id: string): boolean => come.has(id) && isKnown(id);
    const late = lateArrival(state, parcel, isLate, this.#world.now());
    const after: LedgerState = {
      ...state,
      monitors: { ...state.monitors, ...only(parcel.monitors, isFresh), ...late.monitors },
      canaries: { ...state.canaries, ...late.canaries, ...only(parcel.canaries, isFresh) },
      incidents: late.incidents,
      journal: { ...state.journal, gateways: withGateways(state.journal.gateways, parcel.gateways) },
      moves: this.#movesWith(parcel),
    };
    const isTaken = (series: string): boolean => {
      const { monitorId } = partsOfSeries(series);
      return isFresh(monitorId) || isLate(monitorId);
    };
    const { resolved, happenings } = late;
    this.#world.commit({ ...SILENT, resolved, happenings, state: after }, (stores) =>
      takeHistory(stores.archive, { ...parcel, samples: only(parcel.samples, isTaken) }, isTaken),
    );
  }

  /** The giver has forgotten it. What KV has not taken yet of its segments, is asked for again. */
  acknowledge(parcelId: string, from: number, times: SegmentTimes): void {
    const moves = this.#moves;
    const known = moves.abroad[from] ?? {};
    const told = only(times, (name) => Object.hasOwn(known, name));
    const isWhole = Object.values(told).every((storedMs) => storedMs !== null);
    const isNews = Object.entries(told).some(([name, storedMs]) => storedMs !== known[name]);
    if (!isWhole && !isNews) return;
    commitMoves(this.#world, {
      ...(isNews && { abroad: withAbroad(moves.abroad, String(from), told) }),
      ...(isWhole && { taken: moves.taken.filter((of) => of.id !== parcelId || of.from !== from) }),
    });
  }

  #movesWith(parcel: Parcel): Moves {
    const { archive } = this.#world.memory;
    const moves = this.#moves;
    const own = this.#world.shard;
    const homes = { ...moves.homes };
    for (const [id, of] of Object.entries(parcel.homes)) {
      const known = homesOf({ homes: { here: homes[id] ?? [], there: of } }, ["here", "there"]);
      homes[id] = known.filter(({ shard }) => shard !== own);
    }
    let { abroad } = moves;
    for (const [shard, times] of Object.entries(parcel.abroad)) {
      if (Number(shard) !== own) abroad = withAbroad(abroad, shard, times);
    }
    const back = new Set(Object.keys(parcel.monitors).map((id) => archive.nameOf(id)));
    return {
      ...moves,
      // What was promised to whoever gives it now needs no answer any more.
      given: moves.given.filter(({ gateways }) => !gateways.some((id) => parcel.gatewayIds.includes(id))),
      taken: [...moves.taken, ...debtsOf(parcel, own)],
      gone: only(moves.gone, (id) => !back.has(archive.nameOf(id))),
      behind: [...moves.behind, ...this.#behind(parcel)],
      ...usedHistory(homes, abroad),
    };
  }

  #behind({ from, owedTo }: Parcel): Moves["behind"] {
    if (owedTo === 0) return [];
    const nowMs = this.#world.now();
    return [{ from, to: owedTo, ownFrom: this.#world.memory.outbox.next(nowMs), heardMs: nowMs }];
  }

  get #moves(): Moves {
    return this.#world.memory.state.moves;
  }
}

function withoutTicks(state: LedgerState): LedgerState {
  return { ...state, journal: { ...state.journal, watch: NO_TICK_YET } };
}

/** A key and an address are the same under another salt. */
function withIdentities(
  state: LedgerState,
  journal: LedgerState["journal"],
  renewed: ReadonlyMap<string, string>,
): LedgerState {
  const gateways = Object.entries(journal.gateways).map(
    ([id, of]) => [id, { ...of, identity: renewed.get(of.identity) ?? of.identity }] as const,
  );
  const canaries = Object.entries(state.canaries).map(([id, of]) => {
    const keyIdentity = of.keyIdentity === null ? null : (renewed.get(of.keyIdentity) ?? of.keyIdentity);
    return [id, { ...of, keyIdentity }] as const;
  });
  return {
    ...state,
    journal: { ...journal, gateways: Object.fromEntries(gateways) },
    canaries: Object.fromEntries(canaries),
  };
}

/** To the giver; and to those before it whose segments it still waited for, who alone can tell when KV takes them. */
function debtsOf({ id, from, abroad }: Parcel, own: number): Moves["taken"] {
  const waiting = Object.keys(abroad).filter((shard) => Object.values(abroad[shard] ?? {}).includes(null));
  const shards = new Set([from, ...waiting.map(Number)]);
  return [...shards].filter((shard) => shard !== own).map((shard) => ({ id, from: shard }));
}

/** What is known here goes before what comes; but a wait that was asked for binds in any case. */
function withGateways(
  known: Readonly<Record<string, GatewayState>>,
  come: Parcel["gateways"],
): Record<string, GatewayState> {
  const gateways = { ...known };
  for (const [id, gateway] of Object.entries(come)) {
    const own = entryOf(known, id);
    gateways[id] =
      own === undefined
        ? gateway
        : {
            ...own,
            heldUntilMs: Math.max(own.heldUntilMs, gateway.heldUntilMs),
            suspect: own.suspect || gateway.suspect,
          };
  }
  return gateways;
}
