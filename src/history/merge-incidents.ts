/**
 * Incidents of several shards as one list. A gateway that moved may have the same one in two of them: that of the shard counts
 * which shows the gateway now. The monitoring's own opens in each shard that is cut off: together they are one. Pure.
 */
import { compareInstants, type IncidentDocument, type PublishedIncident } from "./documents.ts";
import type { Part } from "./merge.ts";

type Holders = ReadonlyMap<string, Part>;

/** Those of the snapshots, newest first. */
export function mergeIncidents(newestFirst: readonly Part[], holders: Holders): PublishedIncident[] {
  const told = newestFirst.flatMap((part) =>
    part.tail.incidents.map((published) => ({ part, incident: published.incident, published })),
  );
  return once(told, holders)
    .map(({ published, incident }) => retold(published, incident))
    .sort((a, b) => byOpening(a.incident, b.incident));
}

function retold(published: PublishedIncident, incident: IncidentDocument): PublishedIncident {
  return published.incident === incident ? published : { ...published, incident };
}

/** Those of the status. */
export function mergeOpenIncidents(newestFirst: readonly Part[], holders: Holders): IncidentDocument[] {
  const told = newestFirst.flatMap((part) => part.status.incidents.map((incident) => ({ part, incident })));
  // One that the shard has ended which shows the gateway is open nowhere.
  const current = told.filter(({ part, incident }) => isHolders(part, incident, holders));
  return once(current, holders)
    .map(({ incident }) => incident)
    .sort(byOpening);
}

interface Told {
  readonly part: Part;
  readonly incident: IncidentDocument;
}

function isHolders(part: Part, { gateway }: IncidentDocument, holders: Holders): boolean {
  const holder = gateway === null ? undefined : holders.get(gateway);
  return holder === undefined || holder === part;
}

function once<Of extends Told>(told: readonly Of[], holders: Holders): Of[] {
  const known = new Map<string, Of>();
  for (const one of told) {
    const { id, gateway } = one.incident;
    const twin = known.get(id);
    if (twin === undefined) known.set(id, one);
    else if (gateway === null) known.set(id, { ...twin, incident: joint(twin.incident, one.incident) });
    else if (isHolders(one.part, one.incident, holders)) known.set(id, one);
  }
  return [...known.values()];
}

/** It is over when it is over everywhere. */
function joint(a: IncidentDocument, b: IncidentDocument): IncidentDocument {
  const lasting = compareInstants(a.resolvedAt ?? LATER, b.resolvedAt ?? LATER) < 0 ? b : a;
  const monitors = [...new Set([...a.monitors, ...b.monitors])];
  const members = [...new Set([...(a.members ?? a.monitors), ...(b.members ?? b.monitors)])];
  const someLeft = lasting.resolvedAt === null && members.length < monitors.length;
  const { members: _, ...rest } = lasting;
  return {
    ...rest,
    monitors,
    ...(someLeft && { members }),
    acknowledgedAt: a.acknowledgedAt ?? b.acknowledgedAt,
    notes: [...a.notes, ...b.notes].sort((one, other) => compareInstants(one.at, other.at)),
  };
}

/** After every instant. */
const LATER = "~";

function byOpening(a: IncidentDocument, b: IncidentDocument): number {
  return compareInstants(b.openedAt, a.openedAt) || compareInstants(a.id, b.id);
}
