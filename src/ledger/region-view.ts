/** How a monitor is seen from each of its regions, as it is published. Pure but for reading the archive. */
import type { GatewayConfig, MonitorConfig } from "../config/config.ts";
import { instant } from "../domain/calendar.ts";
import { regionSeries } from "../domain/monitor-id.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import { patienceMs } from "../domain/overdue.ts";
import type { RegionState } from "../domain/region-state.ts";
import type { RegionDocument } from "../history/documents.ts";
import { withDocs } from "../protocol/cause-docs.ts";
import type { Archive } from "./archive.ts";
import { briefDiagnosis, publicDiagnosis } from "./public-text.ts";

interface RegionContext {
  readonly archive: Archive;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

/** In configured order, also those that have not reported yet. */
export function regionsView(
  { id, everyMs }: MonitorConfig,
  gateway: GatewayConfig,
  state: MonitorState & { readonly isOverdue: boolean },
  { archive, nowMs, tickIntervalMs }: RegionContext,
): RegionDocument[] {
  return gateway.regions.map((region) => {
    const known = state.regions[region];
    const lastDay = archive.recent.lastDay(regionSeries(id, region), nowMs);
    const isLate = isLeftBehind(known, state, patienceMs(everyMs, tickIntervalMs));
    const isUnseen = known === undefined || state.isOverdue || isLate;
    const diagnosis = gateway.publish === "causes" ? (known?.diagnosis ?? null) : null;
    return {
      region,
      status: isUnseen ? "unknown" : known.health,
      since: known === undefined ? null : instant(known.sinceMs),
      diagnosis: diagnosis && withDocs(briefDiagnosis(publicDiagnosis(diagnosis, gateway))),
      lastProbe: known === undefined ? null : probeView(known.lastProbe),
      latency: lastDay.latency,
      uptime: { "24h": lastDay.uptime },
    };
  });
}

/** The others report, and it has not for long. */
function isLeftBehind(
  known: RegionState | undefined,
  { lastProbe }: Pick<MonitorState, "lastProbe">,
  patience: number,
): boolean {
  // Either way: a clock that ran ahead may have told when it was.
  return known !== undefined && Math.abs((lastProbe?.atMs ?? 0) - known.lastProbe.atMs) > patience;
}

function probeView({ atMs, latencyMs, attempts, waitedMs }: RegionState["lastProbe"]) {
  return { at: instant(atMs), latencyMs, attempts, waitedMs };
}
