/**
 * What `formerly` of the configuration means for what was stored before: under which ids it lies, and who may see it.
 * Pure.
 */
import type { Config, GatewayConfig } from "../config/config.ts";
import { gatewaysBefore } from "../config/gateway-names.ts";
import { partsOfSeries } from "../domain/monitor-id.ts";

/** By the present id of each monitor that had others. */
export function formerIds({ gateways }: Config): Record<string, string[]> {
  const renamed = gateways.flatMap(({ monitors }) => monitors).filter(({ formerly }) => formerly.length > 0);
  return Object.fromEntries(renamed.map(({ id, formerly }) => [id, [...formerly]]));
}

/** The id that a monitor has now, or the name of its series of a region. */
export function presentName(config: Config): (monitorId: string) => string {
  const names = new Map<string, string>();
  for (const [id, former] of Object.entries(formerIds(config))) for (const old of former) names.set(old, id);
  return (series) => {
    const { monitorId, suffix } = partsOfSeries(series);
    return `${names.get(monitorId) ?? monitorId}${suffix}`;
  };
}

/** What the public may see of a gateway's records; of one that is gone as much as of all that carry it on. */
export function publishOf({ gateways }: Config, gatewayId: string): GatewayConfig["publish"] {
  const own = gateways.filter(({ id }) => id === gatewayId);
  const heirs =
    own.length > 0 ? own : gateways.filter((gateway) => gatewaysBefore(gateway).includes(gatewayId));
  return heirs.length > 0 && heirs.every(({ publish }) => publish === "causes") ? "causes" : "health";
}

/** Gateways whose causes are published, and the former ones that such carry on. */
export function gatewaysWithCauses(config: Config): string[] {
  const ids = new Set(config.gateways.flatMap((gateway) => [gateway.id, ...gatewaysBefore(gateway)]));
  return [...ids].filter((id) => publishOf(config, id) === "causes");
}

/** What names a gateway that is gone names those that carry its monitors on; all others, and one without heirs, stay. */
export function presentGateways({ gateways }: Config): (gatewayIds: readonly string[]) => string[] {
  const heirs = new Map<string, string[]>();
  const living = new Set(gateways.map(({ id }) => id));
  for (const gateway of gateways) {
    for (const old of gatewaysBefore(gateway)) {
      if (!living.has(old)) heirs.set(old, [...(heirs.get(old) ?? []), gateway.id]);
    }
  }
  return (ids) => [...new Set(ids.flatMap((id) => heirs.get(id) ?? [id]))];
}
