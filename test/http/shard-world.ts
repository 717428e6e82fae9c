/** Three gateways of three shards, published by one or by each. */
import { instant } from "../../src/domain/calendar.ts";
import { packSamples } from "../../src/history/segment.ts";
import { handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/cache.ts";
import { sampleAt } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import { gatewayDocument, monitorDocument, NOW_MS, publishedIncident, statusDocument } from "./documents.ts";
import { depsOf, useWorld, type World } from "./published-status.ts";

export const MINUTE_MS = 60_000;
/** Beyond seven minutes without a tick it is stale. */
export const LONG_AGO_MS = NOW_MS - 8 * MINUTE_MS;

export const GATEWAYS = ["acme", "beta", "gamma"] as const;
export const SHARD_OF = { gamma: 0, acme: 1, beta: 2 } as const;
const PLACES = { acme: 0, beta: 1, gamma: 2 };

export type Name = (typeof GATEWAYS)[number];

const INCIDENTS = [
  publishedIncident(),
  publishedIncident({
    id: "beta.models-20261120t070000z",
    gateway: "beta",
    monitors: ["beta/models"],
    openedAt: "2026-11-20T07:00:00.000Z",
  }),
];

export function documentOf(name: Name) {
  return gatewayDocument({ id: name, name, monitors: [monitorDocument({ id: `${name}/models` })] });
}

export function published(names: readonly Name[]) {
  const own = new Set<string | null>(names);
  const incidents = INCIDENTS.filter(({ incident }) => own.has(incident.gateway));
  const status = statusDocument({
    gateways: names.map(documentOf),
    summary: { up: names.length, degraded: 0, down: 0, blocked: 0, unknown: 0 },
    incidents: incidents.map(({ incident }) => incident),
  });
  const samples = names.map(
    (name) => [`${name}/models`, packSamples([sampleAt(NOW_MS - MINUTE_MS)])] as const,
  );
  const tail = {
    incidents,
    withCauses: [...GATEWAYS],
    places: PLACES,
    url: "https://status.acme.example",
    live: { samples: Object.fromEntries(samples), hours: {}, days: {} },
  };
  return { status, tail };
}

export interface ShardWorld extends World {
  publishOne(): Promise<void>;
  /** @param lastTicks where they are not now. */
  publishThree(lastTicks?: Partial<Record<Name, number>>): Promise<void>;
  get(path: string, shards: number, asked?: Partial<Asked>): Promise<Response>;
  json<Answer>(path: string, shards?: number, asked?: Partial<Asked>): Promise<Answer>;
}

interface Asked {
  readonly kv: ReturnType<typeof watched>;
  readonly memory: SnapshotMemory;
  readonly nowMs: number;
  /** As configured. */
  readonly names: Readonly<Record<string, string>>;
}

/** A real KV, empty before each test. */
export function useShards(): ShardWorld {
  const world = useWorld();
  const get: ShardWorld["get"] = async (path, shards, asked = {}) => {
    const { kv = watched(world.kv), memory = new SnapshotMemory(), nowMs = NOW_MS, names = {} } = asked;
    const request = new Request(`https://status.acme.example${path}`);
    const gatewayNames = new Map(Object.entries(names));
    return handleRequest(request, depsOf(kv, { shards, memory, now: () => nowMs, gatewayNames }));
  };
  return {
    get kv() {
      return world.kv;
    },
    publish: (...args) => world.publish(...args),
    publishShard: (...args) => world.publishShard(...args),
    clear: () => world.clear(),
    ask: (...args) => world.ask(...args),
    text: (...args) => world.text(...args),
    publishOne: async () => {
      const { status, tail } = published(GATEWAYS);
      await world.publish(status, tail);
    },
    publishThree: async (lastTicks = {}) => {
      for (const name of GATEWAYS) {
        const { status, tail } = published([name]);
        const lastTickMs = lastTicks[name] ?? NOW_MS;
        const told = { ...status, lastTickAt: instant(lastTickMs) };
        await world.publishShard(SHARD_OF[name], told, tail, { lastTickMs });
      }
    },
    get,
    json: async (path, shards = 3, asked = {}) => (await get(path, shards, asked)).json() as never,
  };
}
