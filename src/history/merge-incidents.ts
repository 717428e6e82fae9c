/**
 * Incidents of several shards as one list. A gateway that moved may have the same one in two of them: that of the shard counts
 * which shows the gateway now. The monitoring's own is told by one shard for all, under an id of its own. Pure.
 */
import { compareInstants, type IncidentDocument, type PublishedIncident } from "./documents.ts";
import type { Holders, Part } from "./part.ts";

/** Those of the snapshots, newest first. */
export function mergeIncidents(newestFirst: readonly Part[], holders: Holders): PublishedIncident[] {
  const told = newestFirst.flatMap((part) =>
    part.tail.incidents.map((published) => ({ part, incident: published.incident, published })),
  );
  return once(current(told, holders), holders)
    .map(({ published }) => published)
    .sort((a, b) => byOpening(a.incident, b.incident));
}

/** Those of the status. */
export function mergeOpenIncidents(newestFirst: readonly Part[], holders: Holders): IncidentDocument[] {
  const told = newestFirst.flatMap((part) => part.status.incidents.map((incident) => ({ part, incident })));
  return once(current(told, holders), holders)
    .map(({ incident }) => incident)
    .sort(byOpening);
}

interface Told {
  readonly part: Part;
  readonly incident: IncidentDocument;
}

/** What is open is told by the shard alone that shows the gateway: it may have ended it, or not know of it yet. */
function current<Of extends Told>(told: readonly Of[], holders: Holders): Of[] {
  return told.filter(
    ({ part, incident }) => incident.resolvedAt !== null || isHolders(part, incident, holders),
  );
}

function isHolders(part: Part, { gateway }: IncidentDocument, holders: Holders): boolean {
  const holder = gateway === null ? undefined : holders.get(gateway);
  return holder === undefined || holder === part;
}

/** Of what nobody shows the newest counts. */
function once<Of extends Told>(told: readonly Of[], holders: Holders): Of[] {
  const known = new Map<string, Of>();
  for (const one of told) {
    const { id, gateway } = one.incident;
    const isShown = gateway !== null && holders.get(gateway) === one.part;
    if (isShown || !known.has(id)) known.set(id, one);
  }
  return [...known.values()];
}

function byOpening(a: IncidentDocument, b: IncidentDocument): number {
  return compareInstants(b.openedAt, a.openedAt) || compareInstants(a.id, b.id);
}
