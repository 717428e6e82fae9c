/** Incidents as an old installation has them: the newest in its snapshot, and one of ten days ago in a segment alone. */
import { DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import type { PublishedIncident } from "../../src/history/documents.ts";
import { NEWEST_INCIDENTS } from "../../src/history/incident-archive.ts";
import { dayPeriod } from "../../src/history/keys.ts";
import { writeIncidents } from "../history/published-history.ts";
import { NOW_MS, resolvedIncident, statusDocument } from "./documents.ts";
import { type World } from "./published-status.ts";

/** As many as a snapshot holds, the newest first; one ended each so many milliseconds, after half a minute. */
export function newestIncidents(everyMs: number): PublishedIncident[] {
  return Array.from({ length: NEWEST_INCIDENTS }, (_, index) => {
    const endedMs = NOW_MS - (index + 1) * everyMs;
    return resolvedIncident(endedMs - 30_000, endedMs);
  });
}

/** Returns the one of ten days ago. @param incidents those of the snapshot. */
export async function publishArchive(
  world: World,
  incidents: readonly PublishedIncident[],
): Promise<PublishedIncident> {
  const old = resolvedIncident(NOW_MS - 10 * DAY_MS, NOW_MS - 10 * DAY_MS + HOUR_MS);
  const period = dayPeriod(NOW_MS - 10 * DAY_MS);
  await writeIncidents(world.kv, "day", period, [old]);
  const segments = { hour: [], day: [period], month: [] };
  await world.publish(statusDocument(), { incidents: [...incidents], segments });
  return old;
}
