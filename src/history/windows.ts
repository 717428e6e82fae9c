/**
 * Published windows of planned maintenance: which of them is under way, and by what each is known. Pure.
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

export interface KeyedWindow {
  /** The window's alone, and the same for as long as it is told of. */
  readonly key: string;
  readonly window: WindowDocument;
}

/** In their order. One that has no id is known by when it begins and whom it concerns: its end and its title may change. */
export function keyedWindows(maintenance: readonly WindowDocument[]): KeyedWindow[] {
  const counts = new Map<string, number>();
  return maintenance.map((window) => {
    const { id, from, gateways } = window;
    const own = id ?? ["maintenance", Date.parse(from).toString(36), ...gateways].join(".");
    const count = (counts.get(own) ?? 0) + 1;
    counts.set(own, count);
    return { key: count === 1 ? own : `${own}:${count}`, window };
  });
}
