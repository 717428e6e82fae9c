/** A world that one shard would publish as a whole, and the same over several. Pure. */
import { worstHealth } from "../../src/domain/health.ts";
import type {
  GatewayDocument,
  IncidentDocument,
  PublishedIncident,
  StatusDocument,
} from "../../src/history/documents.ts";
import type { Part } from "../../src/history/merge.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { countedHealths } from "../../src/history/standing.ts";
import { NOW_MS, statusDocument } from "../http/documents.ts";
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
    metadata: { lastTickMs: NOW_MS, tickMs: 60_000, generatedMs: NOW_MS },
    status: statusDocument({
      gateways: [...gateways],
      status: worstHealth(healths),
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

/** What each shard would publish of it: of the configuration each knows all. */
export function splitWorld(world: WholeWorld, shards: number): WholePart[] {
  return Array.from({ length: shards }, (_, shard) => {
    const gateways = world.gateways.filter((_gateway, index) => index % shards === shard);
    const ids = new Set(gateways.map(({ id }) => id));
    const incidents = world.incidents.filter(({ incident }) => ids.has(incident.gateway ?? ""));
    return wholePart({ ...world, gateways, incidents }, shard, placesOf(world));
  });
}
