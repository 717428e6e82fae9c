/** The incidents that follow from a monitor's probes, by rules as short as they can be. Pure. */
import type { Sample } from "../../../src/domain/probe-outcome.ts";

/** Section 8 in short: two failed probes in a row open an incident, two good ones close it. */
export function incidentsBy(
  samples: readonly Sample[],
): readonly (readonly [openedAt: string, resolvedAt: string | null])[] {
  const incidents: [string, string | null][] = [];
  let failed = 0;
  let good = 0;
  for (const { health, atMs } of samples) {
    failed = health === "up" ? 0 : failed + 1;
    good = health === "up" ? good + 1 : 0;
    const at = new Date(atMs).toISOString();
    const open = incidents.at(-1)?.[1] === null ? incidents.at(-1) : undefined;
    if (open && good === 2) open[1] = at;
    if (!open && failed === 2) incidents.push([at, null]);
  }
  return incidents;
}
