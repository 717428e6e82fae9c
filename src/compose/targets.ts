/** What the configuration says of each monitor for its probes: put together once an isolate, when it is first asked for. */
import type { Config, GatewayConfig, MonitorConfig } from "../config/config.ts";
import { keyNames } from "../config/key-names.ts";

export interface WatchedTarget {
  readonly gateway: GatewayConfig;
  readonly monitor: MonitorConfig;
  /** The models that the gateway's canaries ask for, each once. */
  readonly watched: readonly string[];
  /** The names of the secrets that the gateway is sent, and of those that others of its host are sent, if they are few. */
  readonly keyNames: readonly string[];
}

/** By monitor; null: there is no such one. */
export function targetReader(
  config: Config,
  hostOf: (gatewayId: string) => string,
): (monitorId: string) => WatchedTarget | null {
  const places = new Map(
    config.gateways.flatMap((gateway) =>
      gateway.monitors.map((monitor) => [monitor.id, { gateway, monitor }]),
    ),
  );
  const namesOf = keyNames(config, hostOf);
  const known = new Map<string, WatchedTarget>();
  return (monitorId) => {
    const before = known.get(monitorId);
    if (before !== undefined) return before;
    const place = places.get(monitorId);
    if (place === undefined) return null;
    const { gateway } = place;
    const target = { ...place, watched: watchedBy(gateway), keyNames: namesOf(gateway) };
    known.set(monitorId, target);
    return target;
  };
}

function watchedBy({ monitors }: GatewayConfig): readonly string[] {
  return [...new Set(monitors.flatMap(({ canary, model }) => (canary === null ? [] : (model ?? []))))];
}
