/** Planned work: whom a window concerns, and when. Pure. */

export interface MaintenanceWindow {
  /** Empty: every gateway. */
  readonly gateways: readonly string[];
  readonly fromMs: number;
  /** Excluded. */
  readonly toMs: number;
  readonly title: string;
}

/** @param gateways the window's; none: it concerns every gateway. */
export function concerns(gateways: readonly string[], gatewayId: string): boolean {
  return gateways.length === 0 || gateways.includes(gatewayId);
}

export function inMaintenance(
  windows: readonly MaintenanceWindow[],
  gatewayId: string,
  atMs: number,
): boolean {
  return windows.some(
    ({ gateways, fromMs, toMs }) => concerns(gateways, gatewayId) && fromMs <= atMs && atMs < toMs,
  );
}
