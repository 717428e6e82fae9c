/**
 * What the public may see of stored records. They were published as the configuration was then; a gateway that now
 * publishes its health alone, or is gone, shows no cause of older days either. Pure.
 */
import { gatewayOf } from "../domain/monitor-id.ts";
import { compareInstants, type IncidentDocument, type PublishedIncident } from "../history/documents.ts";
import type { SharedTail } from "../history/merge.ts";

/** What came from a gateway that shows its health alone shows no more: samples do not tell where they were taken. */
export function isHealthOnly(
  monitorId: string,
  { withCauses, formerly }: Pick<SharedTail, "withCauses" | "formerly">,
): boolean {
  const before = Object.hasOwn(formerly, monitorId) ? (formerly[monitorId] ?? []) : [];
  return [monitorId, ...before].some((id) => !isAmong(withCauses, gatewayOf(id)));
}

/** Each list lives as long as what was published, and is asked for every incident of a page. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function isAmong(list: readonly string[], id: string): boolean {
  const known = sets.get(list);
  if (known !== undefined) return known.has(id);
  const made = new Set(list);
  sets.set(list, made);
  return made.has(id);
}

/** Those of the snapshot: the open ones, the latest opened first, then those that ended, the latest first. */
export function visibleIncidents(tail: SharedTail): IncidentDocument[] {
  return tail.incidents
    .map((published) => visibleIncident(published, tail).incident)
    .sort(
      (a, b) =>
        compareInstants(b.resolvedAt ?? OPEN, a.resolvedAt ?? OPEN) ||
        compareInstants(b.openedAt, a.openedAt),
    );
}

/** After every instant. */
const OPEN = "~";

export function visibleIncident(published: PublishedIncident, tail: SharedTail): PublishedIncident {
  const { gateway } = published.incident;
  if (gateway === null || isAmong(tail.withCauses, gateway)) return published;
  return { ...published, incident: withoutCauses(published.incident), reports: [] };
}

function withoutCauses(incident: IncidentDocument): IncidentDocument {
  return {
    ...incident,
    cause: null,
    owner: null,
    timeline: incident.timeline.map((entry) => ({
      ...entry,
      cause: null,
      text: "",
      owner: null,
      sent: null,
    })),
    report: null,
  };
}
