/**
 * Published windows of planned maintenance: which of them is under way. Pure.
 */
import { concerns } from "../domain/maintenance.ts";
import type { WindowDocument } from "./documents.ts";

export function isUnderWay({ from, to }: WindowDocument, nowMs: number): boolean {
  return Date.parse(from) <= nowMs && nowMs < Date.parse(to);
}

/** Of those that concern the gateway the one that ends last; null: none is under way. */
export function windowNow(
  maintenance: readonly WindowDocument[],
  gatewayId: string,
  nowMs: number,
): WindowDocument | null {
  const running = maintenance.filter(
    (window) => concerns(window.gateways, gatewayId) && isUnderWay(window, nowMs),
  );
  return running.sort((a, b) => Date.parse(b.to) - Date.parse(a.to))[0] ?? null;
}
