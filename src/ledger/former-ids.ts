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
  return sharedBy(
    own.length > 0 ? own : gateways.filter((gateway) => gatewaysBefore(gateway).includes(gatewayId)),
  );
}

/** Gateways whose causes are published, and the former ones that such carry on. */
export function gatewaysWithCauses({ gateways }: Config): string[] {
  const shown = gateways.flatMap(({ id, publish }) => (publish === "causes" ? [id] : []));
  const gone = Array.from(heirsOf(gateways)).filter(([, heirs]) => sharedBy(heirs) === "causes");
  return [...shown, ...gone.map(([id]) => id)];
}

/** What names a gateway that is gone names those that carry its monitors on; all others, and one without heirs, stay. */
export function presentGateways({ gateways }: Config): (gatewayIds: readonly string[]) => string[] {
  const heirs = heirsOf(gateways);
  return (ids) => [...new Set(ids.flatMap((id) => heirs.get(id)?.map((heir) => heir.id) ?? [id]))];
}

function sharedBy(gateways: readonly GatewayConfig[]): GatewayConfig["publish"] {
  return gateways.length > 0 && gateways.every(({ publish }) => publish === "causes") ? "causes" : "health";
}

/** By the gateways that are gone: those that carry their monitors on. */
function heirsOf(gateways: readonly GatewayConfig[]): ReadonlyMap<string, readonly GatewayConfig[]> {
  const living = new Set(gateways.map(({ id }) => id));
  const heirs = new Map<string, GatewayConfig[]>();
  for (const gateway of gateways) {
    for (const old of gatewaysBefore(gateway)) {
      if (living.has(old)) continue;
      const others = heirs.get(old);
      if (others === undefined) heirs.set(old, [gateway]);
      else others.push(gateway);
    }
  }
  return heirs;
}
