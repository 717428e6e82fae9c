/**
 * When what was published is too old to be believed, and what it says then. Pure.
 */
import { ageMs, isStale, type Ticks } from "../history/age.ts";
import type { MonitorDocument, StatusDocument } from "../history/documents.ts";
import { LEDGER_VERSION } from "../history/keys.ts";
import type { SnapshotMetadata } from "../history/snapshot.ts";

/** Why no tick comes any more, as far as what was published tells; null: nothing is known. */
export function whyStale(metadata: SnapshotMetadata, nowMs: number): string | null {
  if (!isStale(metadata, nowMs)) return null;
  if (ageMs(metadata, nowMs) < 0) return "the last tick is still to come: a clock is wrong";
  if (metadata.ledger <= LEDGER_VERSION) return null;
  const versions = `version ${metadata.ledger}, and this code knows ${LEDGER_VERSION}`;
  return `the ledger holds data of ${versions}: deploy the newer version again`;
}

/** As it is to be shown now. */
export function statusNow(status: StatusDocument, metadata: Ticks, nowMs: number): StatusDocument {
  return isStale(metadata, nowMs) ? asStale(status) : status;
}

/** Without fresh evidence every status is unknown; the last verdicts stay beside it. */
export function asStale(status: StatusDocument): StatusDocument {
  const monitors = status.gateways.reduce((sum, gateway) => sum + gateway.monitors.length, 0);
  return {
    ...status,
    stale: true,
    status: "unknown",
    summary: { up: 0, degraded: 0, down: 0, blocked: 0, unknown: monitors },
    gateways: status.gateways.map((gateway) => ({
      ...gateway,
      status: "unknown",
      monitors: gateway.monitors.map(unknownMonitor),
    })),
  };
}

function unknownMonitor(monitor: MonitorDocument): MonitorDocument {
  const lastStatus = monitor.lastStatus ?? (monitor.status === "unknown" ? null : monitor.status);
  const { regions } = monitor;
  const unseen = regions?.map((region) => Object.assign({}, region, { status: "unknown" as const }));
  return { ...monitor, status: "unknown", lastStatus, ...(unseen && { regions: unseen }) };
}
