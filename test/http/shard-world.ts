/** Three gateways of three shards, published by one or by each. */
import { instant } from "../../src/domain/calendar.ts";
import { packSamples } from "../../src/history/segment.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { SnapshotMemory } from "../../src/http/published.ts";
import { sampleAt } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import { gatewayDocument, monitorDocument, NOW_MS, publishedIncident, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

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

interface Asked {
  /** Three, unless another number is given. */
  readonly shards: number;
  readonly kv: ReturnType<typeof watched>;
  readonly memory: SnapshotMemory;
  readonly nowMs: number;
  /** As configured. */
  readonly names: Readonly<Record<string, string>>;
}

/** A real KV, empty before each test. */
export function useShards() {
  const world = useWorld();
  const get = async (path: string, asked: Partial<Asked> = {}): Promise<Response> => {
    const { shards = 3, kv = watched(world.kv), memory, nowMs = NOW_MS, names = {} } = asked;
    const request = new Request(`https://status.acme.example${path}`);
    const gatewayNames = new Map(Object.entries(names));
    return handleRequest(
      request,
      depsOf(kv, { shards, ...(memory && { memory }), now: () => nowMs, gatewayNames }),
    );
  };
  return Object.assign(world, {
    publishOne: async () => {
      const { status, tail } = published(GATEWAYS);
      await world.publish(status, tail);
    },
    /** @param lastTicks where they are not now. */
    publishThree: async (lastTicks: Partial<Record<Name, number>> = {}) => {
      for (const name of GATEWAYS) {
        const { status, tail } = published([name]);
        const lastTickMs = lastTicks[name] ?? NOW_MS;
        const told = { ...status, lastTickAt: instant(lastTickMs) };
        await world.publishShard(SHARD_OF[name], told, tail, { lastTickMs });
      }
    },
    get,
    json: async <Answer>(path: string, asked?: Partial<Asked>) =>
      (await get(path, asked)).json() as Promise<Answer>,
  });
}
