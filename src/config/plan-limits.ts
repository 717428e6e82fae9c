/** Cloudflare's limits of 2026 for each plan, how often snapshots are written so that they hold, and which Ledger has which gateway. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Config, Plan, GatewayConfig } from "./config.ts";
import { gatewayOf } from "../domain/monitor-state.ts";

/** Messages that one call may send to a queue. */
export const MOST_SHARDS = 100;

/** Enough for the monitors that one Ledger carries. */
export const MOST_LANES = 16;

/** Where all lanes are needed: with one shard the invocation of cron is a lane itself. */
export function messagesATick({ shards, lanes }: Pick<Config, "shards" | "lanes">): number {
  return shards * lanes - (shards === 1 ? 1 : 0);
}

export const PLAN_LIMITS = {
  // 50 subrequests and 10 ms of CPU an invocation: 20 probes take some 7 ms (`src/plan/figures.ts`), and 10 of them can retry 3 times.
  // 10,000 operations of a queue a day, and 3 of them a message: 2 messages a minute.
  free: { subrequests: 50, defaultProbesPerTick: 20, maxProbesPerTick: 50, mostMessages: 2 },
  // 10,000 subrequests and 30 s of CPU; with 6 connections at once, 200 answers of 2 s each take about a minute.
  paid: {
    /** Requests that one invocation may send, retries included. */
    subrequests: 10_000,
    /** Probes of a tick unless the configuration says otherwise. */
    defaultProbesPerTick: 200,
    /** More could never be sent in one invocation. */
    maxProbesPerTick: 2_000,
    /** Messages a minute that the queue carries. */
    mostMessages: MOST_LANES * MOST_SHARDS,
  },
} satisfies Readonly<Record<Plan, unknown>>;

/** One invocation of the Ledger has requests for as many, of the 50 of the free plan: it can send to each of them. */
export const MOST_CHANNELS = 40;

/** Whose headers an invocation, or an object, may await at once. */
export const CONNECTIONS_AT_ONCE = 6;

/** How many status pages of providers a tick reads at most. */
export const PAGES_A_TICK = 2;

/** What the probes of one tick may send: the heartbeat is a request of the same invocation. */
export function requestsForProbes({ plan, heartbeat }: Pick<Config, "plan" | "heartbeat">): number {
  return PLAN_LIMITS[plan].subrequests - (heartbeat === null ? 0 : 1);
}

/** With that, a day has 720 writes at most. */
const USUAL_MS = 2 * MINUTE_MS;
const URGENT_A_DAY = 200;

export type PublishingPace = ReturnType<typeof publishingPace>;

/** What readers take for stale is older than two shards' pace by minutes; the queue of the free plan carries no more shards. */
export function publishingPace({ plan, shards }: Pick<Config, "plan" | "shards">) {
  const sharing = plan === "free" ? shards : 1;
  return {
    /** Without news; whole minutes. */
    usualMs: USUAL_MS * sharing,
    /** News are published at once, so often a day. */
    urgentADay: Math.floor(URGENT_A_DAY / sharing),
  };
}

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
