/** A person wants a monitor probed now: what made it wait ends. Pure. */
import type { Config } from "../config/config.ts";
import { askSoon } from "../domain/canary-run.ts";
import { gatewayOf } from "../domain/monitor-id.ts";
import { entryOf, type LedgerState } from "./state.ts";

/** A canary that is not asked for its list's sake is asked as soon as the list is well: hence that is probed first. */
export function probeSoon(state: LedgerState, config: Config, monitorId: string): LedgerState {
  const canary = entryOf(state.canaries, monitorId);
  const lists = canary?.skip?.reason === "gateway" ? listsOf(config, gatewayOf(monitorId)) : [];
  const monitors = { ...state.monitors };
  for (const id of [monitorId, ...lists]) {
    const monitor = entryOf(monitors, id);
    if (monitor) monitors[id] = { ...monitor, nextDueMs: 0, refusalsInARow: 0 };
  }
  const canaries = canary ? { ...state.canaries, [monitorId]: askSoon(canary) } : state.canaries;
  return { ...state, monitors, canaries };
}

function listsOf({ gateways }: Config, gatewayId: string): readonly string[] {
  const monitors = gateways.find(({ id }) => id === gatewayId)?.monitors ?? [];
  return monitors.filter(({ canary }) => canary === null).map(({ id }) => id);
}
