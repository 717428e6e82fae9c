/** What is made once and lives as long as the isolate. */
import type { Config, Region } from "../config/config.ts";
import type { Clock } from "../probe/clock.ts";
import { createHeartbeat, type Heartbeat } from "../probe/heartbeat.ts";
import { createRedactorCache } from "../probe/redactor-cache.ts";
import type { TickPorts } from "../probe/tick.ts";
import { targetReader, type WatchedTarget } from "./targets.ts";

export interface Standing {
  readonly config: Config;
  readonly clock: Clock;
  readonly redactorFor: ReturnType<typeof createRedactorCache>;
  readonly hostOf: TickPorts["hostOf"];
  readonly regionsOf: (gatewayId: string) => readonly Region[];
  /** Null: there is no such monitor. */
  readonly targetOf: (monitorId: string) => WatchedTarget | null;
  readonly heartbeat: Heartbeat | null;
}

export function standingOf(config: Config, clock: Clock): Standing {
  const hostOf = hostReader(config);
  const regions = new Map(config.gateways.map((gateway) => [gateway.id, gateway.regions]));
  return {
    config,
    clock,
    redactorFor: createRedactorCache(),
    hostOf,
    regionsOf: (gatewayId) => regions.get(gatewayId) ?? [],
    targetOf: targetReader(config, hostOf),
    heartbeat: config.heartbeat === null ? null : createHeartbeat(config.heartbeat),
  };
}

/** An address is parsed once an isolate, when it is first asked for: parsing it costs a fifteenth of a probe. */
function hostReader({ gateways }: Config): TickPorts["hostOf"] {
  const addresses = new Map(gateways.map(({ id, baseUrl }) => [id, baseUrl]));
  const hosts = new Map<string, string>();
  return (gatewayId) => {
    const known = hosts.get(gatewayId);
    if (known !== undefined) return known;
    const { host } = new URL(addresses.get(gatewayId) ?? "http://unknown.invalid");
    hosts.set(gatewayId, host);
    return host;
  };
}
