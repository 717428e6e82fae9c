/** A world that one shard would publish as a whole, and the same dealt to several. Pure. */
import { shardOf } from "../../src/domain/dealing.ts";
import { worstHealth } from "../../src/domain/health.ts";
import { gatewayOf } from "../../src/domain/monitor-id.ts";
import type {
  GatewayDocument,
  IncidentDocument,
  PublishedIncident,
  StatusDocument,
} from "../../src/history/documents.ts";
import type { Part } from "../../src/history/part.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { countedHealths, summaryOf } from "../../src/history/standing.ts";
import { NOW_MS, statusDocument } from "../http/published-status.ts";
import { emptyTail, sampleAt } from "./published-history.ts";

export interface WholeWorld {
  /** In configured order. */
  readonly gateways: readonly GatewayDocument[];
  readonly incidents: readonly PublishedIncident[];
  readonly withCauses: readonly string[];
  readonly maintenance: StatusDocument["maintenance"];
  readonly formerly: SnapshotTail["formerly"];
}

/** With its live part. */
export type WholePart = Part & { readonly tail: SnapshotTail };

export function wholePart(world: WholeWorld, shard = 0, places = placesOf(world)): WholePart {
  const { gateways, incidents, maintenance } = world;
  const open = incidents.map(({ incident }) => incident).filter(({ resolvedAt }) => resolvedAt === null);
  const healths = gateways.flatMap(countedHealths);
  const ids = gateways.flatMap(({ monitors }) => monitors.map(({ id }) => id));
  return {
    shard,
    isRetired: false,
    metadata: { lastTickMs: NOW_MS, tickMs: 60_000, generatedMs: NOW_MS },
    status: statusDocument({
      gateways: [...gateways],
      status: worstHealth(healths),
      summary: summaryOf(healths),
      incidents: open.sort(byOpening),
      maintenance: [...maintenance].sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from))),
    }),
    tail: emptyTail({
      incidents: [...incidents].sort((a, b) => byOpening(a.incident, b.incident)),
      withCauses: world.withCauses,
      maintenance,
      formerly: world.formerly,
      places,
      live: {
        samples: Object.fromEntries(ids.map((id) => [id, packSamples([sampleAt(id.length)])])),
        hours: {},
        days: {},
      },
    }),
  };
}

function byOpening(a: IncidentDocument, b: IncidentDocument): number {
  if (a.openedAt !== b.openedAt) return a.openedAt > b.openedAt ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function placesOf({ gateways }: WholeWorld): SnapshotTail["places"] {
  return Object.fromEntries(gateways.map(({ id }, place) => [id, place]));
}

/** What each shard would publish of it. */
export function splitWorld(world: WholeWorld, shards: number): WholePart[] {
  return Array.from({ length: shards }, (_, shard) => {
    const isOwn = (gatewayId: string): boolean => shardOf(gatewayId, shards) === shard;
    const own: WholeWorld = {
      gateways: world.gateways.filter(({ id }) => isOwn(id)),
      incidents: world.incidents.filter(({ incident: { gateway } }) => gateway !== null && isOwn(gateway)),
      withCauses: world.withCauses.filter(isOwn),
      maintenance: world.maintenance,
      formerly: Object.fromEntries(Object.entries(world.formerly).filter(([id]) => isOwn(gatewayOf(id)))),
    };
    return wholePart(own, shard, placesOf(world));
  });
}
