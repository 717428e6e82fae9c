/**
 * What a Ledger does with gateways that are another shard's by now: it keeps them, packs them for who asks, and forgets them once
 * they are taken over. A parcel that is packed changes nothing but a note.
 */
import type { GatewayConfig } from "../config/config.ts";
import { gatewaysBefore } from "../config/gateway-names.ts";
import type { Lease } from "../domain/assignment.ts";
import { gatewayOf } from "../domain/monitor-id.ts";
import { endOwnIncident, type OwnNetworkMoved, type OwnNetworkState } from "../domain/own-network.ts";
import { NO_TICK_YET } from "../domain/silence.ts";
import type { Archive } from "./archive.ts";
import { GRACE_MS } from "./flush.ts";
import { commitMoves, type HandingWorld, only, SILENT } from "./handing.ts";
import { dropHistory, type Movers, packHistory, segmentTimes } from "./moved-history.ts";
import { gatewaysUnderWay, homesOf, type Moves, type SegmentTimes, usedHistory } from "./moves.ts";
import {
  type HandOverAnswer,
  type HandOverRequest,
  type Parcel,
  PARCEL_VERSION,
  type WantedGateway,
} from "./parcel.ts";
import { LARGEST_PARCEL, likelyToFit, sizeOf } from "./parcel-size.ts";
import { type Identities, reconcile } from "./reconcile.ts";
import { holdsNothing, VISITED_EVERY_MS } from "./retired.ts";
import { entryOf, type LedgerState } from "./state.ts";

export class Giver {
  readonly #world: HandingWorld;
  #isReconciled = false;

  constructor(world: HandingWorld) {
    this.#world = world;
  }

  /** What the configuration changed for gateways that nobody probes here any more: renamed ones, and removed ones. */
  reconcile(identities: Identities): void {
    const { state } = this.#world.memory;
    if (this.#isReconciled) return;
    const { run } = this.#world;
    const nowMs = this.#world.now();
    const config = this.#world.territory.kept(state);
    const outcome = reconcile(state, { config, identities, nowMs, run });
    this.#world.commit({ ...outcome, tickMs: null, isLast: false });
    if (this.#world.territory.isRetired) this.#retire();
    this.#isReconciled = true;
  }

  /** What is kept for other shards and promised to nobody. */
  strays(): readonly string[] {
    const { territory, memory } = this.#world;
    const promised = gatewaysUnderWay(this.#moves);
    const departed = territory.departed(memory.state);
    return departed.flatMap((gateway) => (territory.isAmong(promised, gateway) ? [] : [gateway.id]));
  }

  /** Call `reconcile` first. @param parcelId a fresh one. */
  pack(request: HandOverRequest, parcelId: string): Omit<HandOverAnswer, "isSpent"> {
    const { state } = this.#world.memory;
    const nowMs = this.#world.now();
    const departed = new Map(this.#world.territory.departed(state).map((gateway) => [gateway.id, gateway]));
    const asked = this.#notStored(request);
    const held = asked.filter((wanted) => this.#isHeld(wanted, request.to)).map(({ id }) => id);
    const free = asked.flatMap(({ id }) => {
      const gateway = departed.get(id);
      return gateway === undefined || held.includes(id) ? [] : [gateway];
    });
    if (free.length === 0) return { parcel: null, held };
    this.#world.closeHistory(Math.max(nowMs, closingMs(request, nowMs)));
    const { given, parcel } = this.#packedOf(free, parcelId);
    const ids = new Set(given.map(({ id }) => id));
    const others = this.#moves.given
      .map((note) => ({ ...note, gateways: note.gateways.filter((id) => !ids.has(id)) }))
      .filter(({ gateways }) => gateways.length > 0);
    const note = { id: parcelId, to: request.to, gateways: [...ids] };
    commitMoves(this.#world, { given: [...others, note] });
    return { parcel, held: [...held, ...free.slice(given.length).map(({ id }) => id)] };
  }

  /** As many as fit; at least one. */
  #packedOf(
    free: readonly GatewayConfig[],
    parcelId: string,
  ): { readonly given: readonly GatewayConfig[]; readonly parcel: Parcel } {
    const { archive, state } = this.#world.memory;
    let given = free.slice(0, likelyToFit(free, archive, state));
    let parcel = this.#parcelOf(given, parcelId);
    while (given.length > 1 && sizeOf(parcel) > LARGEST_PARCEL) {
      given = given.slice(0, Math.floor(given.length / 2));
      parcel = this.#parcelOf(given, parcelId);
    }
    return { given, parcel };
  }

  /** As `holdsNothing`, where no shard is to be here any more; then it publishes anew, too. */
  lookAfter(): boolean {
    const { memory, territory } = this.#world;
    if (!territory.isRetired) return false;
    const nowMs = this.#world.now();
    const agoMs = nowMs - memory.state.journal.publishing.lastMs;
    if (agoMs >= VISITED_EVERY_MS || agoMs < 0) this.#world.commit({ ...SILENT, state: memory.state });
    return holdsNothing(memory, nowMs);
  }

  /** Forgets what was taken over. Whatever is asked for twice is done once. */
  settle(parcelId: string): SegmentTimes {
    const note = this.#moves.given.find(({ id }) => id === parcelId);
    if (note !== undefined) this.#release(new Set(note.gateways), parcelId);
    return segmentTimes(this.#world.memory.archive);
  }

  /** Channels that are owed an event with a number below this one, or that wait for another shard before it. */
  owing(to: number): readonly string[] {
    const { outbox } = this.#world.memory;
    const isBehind = this.#moves.behind.some(({ ownFrom }) => ownFrom < to);
    return isBehind ? outbox.names() : outbox.owing(to);
  }

  /** A parcel that was packed was not taken over, and is not going to be. */
  keep(parcelId: string): void {
    commitMoves(this.#world, { given: this.#moves.given.filter(({ id }) => id !== parcelId) });
  }

  /** Who asks has the others by now, whatever else it still asks for. */
  #notStored({ gateways, taken }: HandOverRequest): readonly WantedGateway[] {
    const stored = this.#moves.given.filter(({ id }) => taken.includes(id));
    const ids = new Set(stored.flatMap((note) => note.gateways));
    return gateways.filter(({ id }) => !ids.has(id));
  }

  /** Of another shard by now (as another version of the configuration has it), being probed, or promised to somebody else. */
  #isHeld({ id, monitorIds }: WantedGateway, to: number): boolean {
    const { journal } = this.#world.memory.state;
    if (this.#world.territory.isOwn(id)) return true;
    if (monitorIds.some((monitorId) => this.#world.territory.isOwnMonitor(monitorId))) return true;
    const names = new Set([id, ...monitorIds.map(gatewayOf)]);
    const note = this.#moves.given.find(({ gateways }) => gateways.some((given) => names.has(given)));
    if (note !== undefined && note.to !== to) return true;
    const gateway = entryOf(journal.gateways, id);
    return gateway !== undefined && [gateway.lease, gateway.canaries.lease].some((of) => this.#isOpen(of));
  }

  #isOpen(lease: Lease | null): boolean {
    return lease !== null && lease.untilMs > this.#world.now() && lease.run === this.#world.run;
  }

  #parcelOf(gateways: readonly GatewayConfig[], id: string): Parcel {
    const { state, archive } = this.#world.memory;
    const { shard, calendar } = this.#world;
    const movers = this.#moversOf(gateways);
    const ids = new Set(gateways.map((gateway) => gateway.id));
    const isMoving = (monitorId: string): boolean => ids.has(gatewayOf(monitorId));
    const homes = Object.fromEntries(
      gateways.map((gateway) => [gateway.id, this.#homesOf(gateway, archive)]),
    );
    const abroad = { ...state.moves.abroad, [shard]: { ...segmentTimes(archive) } };
    return {
      version: PARCEL_VERSION,
      id,
      from: shard,
      gatewayIds: [...ids],
      gateways: only(state.journal.gateways, (gatewayId) => ids.has(gatewayId)),
      monitors: only(state.monitors, isMoving),
      canaries: only(state.canaries, isMoving),
      incidents: Object.fromEntries(
        Object.entries(state.incidents).filter(
          ([, { gatewayId }]) => gatewayId !== null && ids.has(gatewayId),
        ),
      ),
      ...packHistory(archive, movers, { nowMs: this.#world.now(), calendar }),
      ...usedHistory(homes, abroad),
      owedTo: this.#owedTo(),
    };
  }

  #owedTo(): number {
    const to = this.#world.memory.outbox.next(this.#world.now());
    return this.owing(to).length > 0 ? to : 0;
  }

  #homesOf(gateway: GatewayConfig, { through, segments }: Archive): Moves["homes"][string] {
    const before = homesOf(this.#moves, [gateway.id, ...gatewaysBefore(gateway)]);
    const own =
      through === null || segments.size === 0 ? [] : [{ shard: this.#world.shard, untilMs: through.hoursMs }];
    return [...own, ...before];
  }

  #moversOf(gateways: readonly GatewayConfig[]): Movers {
    const living = new Set(this.#world.territory.whole.gateways.map(({ id }) => id));
    const former = gateways.flatMap(gatewaysBefore).filter((id) => !living.has(id));
    return {
      monitorIds: new Set(gateways.flatMap(({ monitors }) => monitors.map(({ id }) => id))),
      gatewayIds: new Set([...gateways.map(({ id }) => id), ...former]),
    };
  }

  #release(given: ReadonlySet<string>, parcelId: string): void {
    const { state } = this.#world.memory;
    const { moves } = state;
    const { territory } = this.#world;
    const gateways = territory.departed(state).filter((gateway) => territory.isAmong(given, gateway));
    const ids = new Set([...given, ...gateways.map(({ id }) => id)]);
    const movers = this.#moversOf(gateways);
    const isLeft = (monitorId: string): boolean => !ids.has(gatewayOf(monitorId));
    const goneMs = this.#world.now();
    const homes = only(moves.homes, (id) => !ids.has(id));
    const after: LedgerState = {
      ...state,
      monitors: only(state.monitors, isLeft),
      canaries: only(state.canaries, isLeft),
      incidents: Object.fromEntries(
        Object.entries(state.incidents).filter(
          ([, { gatewayId }]) => gatewayId === null || !ids.has(gatewayId),
        ),
      ),
      journal: { ...state.journal, gateways: only(state.journal.gateways, (id) => !ids.has(id)) },
      moves: {
        ...moves,
        given: moves.given.filter(({ id }) => id !== parcelId),
        gone: { ...moves.gone, ...Object.fromEntries([...movers.monitorIds].map((id) => [id, goneMs])) },
        ...usedHistory(homes, moves.abroad),
      },
    };
    this.#world.commit({ ...SILENT, state: after }, ({ archive }) => dropHistory(archive, movers));
  }

  /** Nobody misses its ticks, nor can its network be seen any more. */
  #retire(): void {
    const { state } = this.#world.memory;
    const nowMs = this.#world.now();
    const { journal } = state;
    const over = (network: OwnNetworkState): OwnNetworkMoved | null =>
      endOwnIncident(network, state.incidents[network.incidentId ?? ""] ?? null, nowMs);
    const [own, vantage] = [over(journal.ownNetwork), over(journal.vantageNetwork)];
    const resolved = [...(own?.incidents ?? []), ...(vantage?.incidents ?? [])];
    if (resolved.length === 0 && journal.watch.lastTickMs === null) return;
    const ended = new Set(resolved.map(({ id }) => id));
    this.#world.commit({
      ...SILENT,
      state: {
        ...state,
        incidents: only(state.incidents, (id) => !ended.has(id)),
        journal: {
          ...journal,
          watch: NO_TICK_YET,
          ownNetwork: own?.state ?? journal.ownNetwork,
          vantageNetwork: vantage?.state ?? journal.vantageNetwork,
        },
      },
      happenings: [...(own?.happenings ?? []), ...(vantage?.happenings ?? [])],
      resolved,
    });
  }

  get #moves(): Moves {
    return this.#world.memory.state.moves;
  }
}

/** Clocks of two machines differ by less. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** The giver is to have closed what the taker has, so that no hour has to be opened again. */
function closingMs({ hoursMs }: HandOverRequest, nowMs: number): number {
  const atMs = (hoursMs ?? 0) + GRACE_MS;
  return atMs - nowMs <= CLOCKS_DIFFER_MS ? atMs : nowMs;
}
