/**
 * Of which gateways it says something of the monitoring's own network that they are not reached. Pure.
 */
import type { GatewayState } from "../domain/assignment.ts";
import { inMaintenance, type MaintenanceWindow } from "../domain/maintenance.ts";
import { failsByItself } from "../domain/own-network.ts";
import { entryOf, type LedgerState } from "./state.ts";

/** It is worked on, or fails by itself: that it is not reached says nothing. */
export function isExcused(
  gatewayId: string,
  { journal }: Pick<LedgerState, "journal">,
  maintenance: readonly MaintenanceWindow[],
  atMs: number,
): boolean {
  if (inMaintenance(maintenance, gatewayId, atMs)) return true;
  const gateway: GatewayState | undefined = entryOf(journal.gateways, gatewayId);
  return gateway !== undefined && failsByItself(gateway.unreachedSinceMs, journal.ownNetwork);
}
