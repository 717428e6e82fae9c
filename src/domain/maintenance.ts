/** Whom a maintenance window concerns. Pure. */

/** @param gateways the window's; none: it concerns every gateway. */
export function concerns(gateways: readonly string[], gatewayId: string): boolean {
  return gateways.length === 0 || gateways.includes(gatewayId);
}
