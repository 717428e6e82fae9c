/** Which Ledger has which gateway, for ever. A new one goes to the Ledger with the fewest monitors. Pure. */
import { gatewayOf } from "../domain/monitor-state.ts";
import type { Config, GatewayConfig } from "./config.ts";

/** Messages that one call may send to a queue. */
export const MOST_SHARDS = 100;

/** The number of its shard by the id of a gateway, also of gateways that left the configuration. */
export type Placement = Readonly<Record<string, number>>;

/** The very same where no gateway is new. One that carries another's monitors on (`formerly`) is placed where that one was. */
export function placed(
  { gateways, shards }: Pick<Config, "gateways" | "shards">,
  known: Placement,
): Placement {
  const fresh = gateways.filter(({ id }) => !Object.hasOwn(known, id));
  if (fresh.length === 0) return known;
  const places: Record<string, number> = { ...known };
  const counts = Array.from({ length: shards }, () => 0);
  const put = ({ id, monitors }: GatewayConfig, shard: number): void => {
    places[id] = shard;
    if (shard < shards) counts[shard] = (counts[shard] ?? 0) + monitors.length;
  };
  for (const gateway of gateways) {
    const shard = placeOf(gateway, known);
    if (shard !== undefined) put(gateway, shard);
  }
  for (const gateway of fresh) {
    if (!Object.hasOwn(places, gateway.id)) put(gateway, counts.indexOf(Math.min(...counts)));
  }
  return places;
}

function placeOf(gateway: GatewayConfig, known: Placement): number | undefined {
  return [gateway.id, ...gatewaysBefore(gateway)]
    .filter((id) => Object.hasOwn(known, id))
    .map((id) => known[id])[0];
}

/** How many shards there are: as many as are configured, and those that have gateways besides. */
export function shardsInUse({ shards }: Pick<Config, "shards">, placement: Placement): number {
  return Math.max(shards, ...Object.values(placement).map((shard) => shard + 1));
}

/** What each shard of a new installation has, in their order. */
export function shardParts(config: Config): readonly Config[] {
  if (config.shards === 1) return [config];
  const placement = placed(config, {});
  return Array.from({ length: config.shards }, (_, shard) => ({
    ...config,
    gateways: config.gateways.filter(({ id }) => placement[id] === shard),
  }));
}

/** What is asked of a gateway for its former ids: the `formerly` of its monitors. */
type Named = Pick<GatewayConfig, "id"> & {
  readonly monitors: readonly Pick<GatewayConfig["monitors"][number], "formerly">[];
};

/** Those that its monitors come from; it may be among them itself. */
export function gatewaysBefore({ monitors }: Pick<Named, "monitors">): string[] {
  return monitors.flatMap(({ formerly }) => formerly.map(gatewayOf));
}

/** What a filter with these ids means; with each gateway go the ids of those that are gone and whose monitors it carries on. */
export function gatewayFilter(ids: readonly string[], gateways: readonly Named[]) {
  const living = new Set(gateways.map(({ id }) => id));
  const namesOf = (of: readonly Named[]): readonly string[] => [
    ...new Set(
      of.flatMap((gateway) => [gateway.id, ...gatewaysBefore(gateway).filter((id) => !living.has(id))]),
    ),
  ];
  return {
    named: namesOf(gateways.filter(({ id }) => ids.includes(id))),
    /** A gateway in neither list has left the configuration: only the ends of its incidents are still sent. */
    others: namesOf(gateways.filter(({ id }) => !ids.includes(id))),
  };
}
