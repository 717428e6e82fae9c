/** How many gateways go into one parcel: a guess before anything is packed, and what the packed parcel really takes. Pure. */
import type { GatewayConfig } from "../config/config.ts";
import { partsOfSeries } from "../domain/monitor-id.ts";
import type { Archive } from "./archive.ts";
import type { Parcel } from "./parcel.ts";
import type { LedgerState } from "./state.ts";

/** A call between objects carries 32 MB. */
export const LARGEST_PARCEL = 8_000_000;

/** By what they may take; at least one. */
export function likelyToFit(
  gateways: readonly GatewayConfig[],
  { recent, hourRollups, dayRollups }: Pick<Archive, "recent" | "hourRollups" | "dayRollups">,
  { incidents }: LedgerState,
): number {
  const rows = hourRollups.size + dayRollups.size;
  const open = Map.groupBy(Object.values(incidents), ({ gatewayId }) => gatewayId);
  const series = Map.groupBy(recent.series(), (id) => partsOfSeries(id).monitorId);
  let left = LARGEST_PARCEL;
  const count = gateways.findIndex(({ id, monitors }) => {
    for (const monitor of monitors) {
      left -= BYTES_A_MONITOR;
      for (const of of series.get(monitor.id) ?? []) {
        left -= rows * BYTES_A_ROLLUP + recent.of(of).length * BYTES_A_SAMPLE;
      }
    }
    left -= (open.get(id)?.length ?? 0) * BYTES_AN_INCIDENT;
    return left < 0;
  });
  return count === -1 ? gateways.length : Math.max(1, count);
}

const BYTES_A_MONITOR = 4000;
const BYTES_A_ROLLUP = 80;
const BYTES_A_SAMPLE = 12;
const BYTES_AN_INCIDENT = 20_000;

export function sizeOf({ samples, rollups, ...rest }: Parcel): number {
  const packed = [samples, rollups].flatMap((of) => Object.entries(of));
  return packed.reduce((sum, [name, { length }]) => sum + name.length + length, JSON.stringify(rest).length);
}
