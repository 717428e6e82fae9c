/**
 * Which gateways a shard's Ledger probes, which it only keeps until another shard takes them over, and of which it waits to hear
 * whether another one knows them. Pure, but for what it waits for.
 */
import type { Config, GatewayConfig, MonitorConfig } from "../config/config.ts";
import { gatewaysBefore } from "../config/gateway-names.ts";
import type { ShardConfig } from "../config/shard.ts";
import { gatewaysUnderWay } from "./moves.ts";
import type { WantedGateway } from "./parcel.ts";
import type { LedgerState } from "./state.ts";

type Known = Pick<LedgerState, "monitors" | "moves">;

export class Territory {
  /** With the gateways of all shards. */
  readonly whole: Config;
  readonly #own: Config;
  readonly #elsewhere: readonly GatewayConfig[];
  readonly #shard: number;
  readonly #ownIds: ReadonlySet<string>;
  readonly #ownMonitors: ReadonlySet<string>;
  /** Gateways whose unknown monitors may be known elsewhere; `all`: nobody was asked yet. */
  #awaited: ReadonlySet<string> | "all" = "all";

  constructor({ config, elsewhere, shard }: Omit<ShardConfig, "places"> & { readonly shard: number }) {
    this.#own = config;
    this.#elsewhere = elsewhere;
    this.#shard = shard;
    this.#ownIds = new Set(config.gateways.map(({ id }) => id));
    this.#ownMonitors = new Set(config.gateways.flatMap(({ monitors }) => monitors.map(({ id }) => id)));
    this.whole =
      elsewhere.length === 0 ? config : { ...config, gateways: [...config.gateways, ...elsewhere] };
  }

  /** No tick comes here any more: there are fewer shards than there were. */
  get isRetired(): boolean {
    return this.#shard >= this.#own.shards;
  }

  /** Has there ever been a Ledger beside this one? */
  hasPeers({ moves }: Known): boolean {
    return this.#shard > 0 || Math.max(this.#own.shards, moves.shards) > 1;
  }

  isOwn(gatewayId: string): boolean {
    return this.#ownIds.has(gatewayId);
  }

  /** Of whatever shard. */
  isConfigured(gatewayId: string): boolean {
    return this.isOwn(gatewayId) || this.#elsewhere.some(({ id }) => id === gatewayId);
  }

  /** As `isOwn`, by any id that a monitor has now. */
  isOwnMonitor(monitorId: string): boolean {
    return this.#ownMonitors.has(monitorId);
  }

  /** Under the name of now, or of then. */
  isAmong(ids: ReadonlySet<string>, gateway: GatewayConfig): boolean {
    return (
      ids.has(gateway.id) || gatewaysBefore(gateway).some((old) => ids.has(old) && !this.isConfigured(old))
    );
  }

  awaitOnly(gatewayIds: ReadonlySet<string>): void {
    this.#awaited = gatewayIds;
  }

  /** What is probed. */
  work(known: Known): Config {
    if (!this.hasPeers(known)) return this.#own;
    const underWay = this.#underWay(known);
    return withGateways(this.#own, (gateway) => {
      if (underWay.has(gateway.id)) return [];
      return gateway.monitors.filter((monitor) => isKnown(monitor, known) || !this.#isAwaited(gateway.id));
    });
  }

  /** What is known here and not probed: another shard's, or under way. */
  departed(known: Known): readonly GatewayConfig[] {
    if (!this.hasPeers(known)) return [];
    const underWay = this.#underWay(known);
    const own = this.#own.gateways.filter(({ id }) => underWay.has(id));
    const gateways = [...own, ...this.#elsewhere];
    return withGateways({ ...this.#own, gateways }, ({ monitors }) =>
      monitors.filter((monitor) => isKnown(monitor, known)),
    ).gateways;
  }

  /** Both: whatever else is known belongs to nobody any more. */
  kept(known: Known): Config {
    const work = this.work(known);
    const departed = this.departed(known);
    return departed.length === 0 ? work : { ...work, gateways: [...work.gateways, ...departed] };
  }

  /** Own gateways with monitors that another Ledger may know: they are not known, or were begun before all had answered. */
  missing(known: Known): readonly WantedGateway[] {
    if (!this.hasPeers(known)) return [];
    const underWay = this.#underWay(known);
    return this.#own.gateways.flatMap(({ id, monitors }) => {
      const isBegun = Object.hasOwn(known.moves.unheard, id);
      const unknown = underWay.has(id)
        ? []
        : monitors.filter((monitor) => isBegun || !isKnown(monitor, known));
      return unknown.length === 0 ? [] : [{ id, monitorIds: unknown.flatMap(namesOf) }];
    });
  }

  /** Own gateways that are probed without what a Ledger may have of them that does not answer. */
  begunUnheard(known: Known): readonly string[] {
    const { unheard } = known.moves;
    return this.#own.gateways.flatMap(({ id, monitors }) =>
      Object.hasOwn(unheard, id) && monitors.every((monitor) => isKnown(monitor, known)) ? [id] : [],
    );
  }

  /** Own gateways that are in a parcel, under the name of now, or of then. */
  #underWay({ moves }: Known): ReadonlySet<string> {
    const given = gatewaysUnderWay(moves);
    if (given.size === 0) return given;
    return new Set(
      this.#own.gateways.flatMap((gateway) => (this.isAmong(given, gateway) ? [gateway.id] : [])),
    );
  }

  #isAwaited(gatewayId: string): boolean {
    return this.#awaited === "all" || this.#awaited.has(gatewayId);
  }
}

/** The very same where all monitors are left. */
function withGateways(config: Config, left: (gateway: GatewayConfig) => readonly MonitorConfig[]): Config {
  const gateways = config.gateways.flatMap((gateway) => {
    const monitors = left(gateway);
    if (monitors.length === 0) return [];
    return [monitors.length === gateway.monitors.length ? gateway : { ...gateway, monitors }];
  });
  const isSame =
    gateways.length === config.gateways.length &&
    gateways.every((gateway, place) => gateway === config.gateways[place]);
  return isSame ? config : { ...config, gateways };
}

function isKnown(monitor: MonitorConfig, { monitors }: Known): boolean {
  return namesOf(monitor).some((id) => Object.hasOwn(monitors, id));
}

function namesOf({ id, formerly }: MonitorConfig): readonly string[] {
  return [id, ...formerly];
}
