/** What is made once and lives as long as the isolate. */
import type { Config } from "../config/config.ts";
import { keyNames } from "../config/key-names.ts";
import type { Clock } from "../probe/clock.ts";
import { createHeartbeat, type Heartbeat } from "../probe/heartbeat.ts";
import { createRedactorCache } from "../probe/redactor-cache.ts";
import type { TickPorts } from "../probe/tick.ts";

export interface Standing {
  readonly config: Config;
  readonly clock: Clock;
  readonly redactorFor: ReturnType<typeof createRedactorCache>;
  readonly hostOf: TickPorts["hostOf"];
  /** The names of the secrets that the gateway is sent, and of those that others of its host are sent, if they are few. */
  readonly keysOf: (gatewayId: string) => readonly string[];
  readonly heartbeat: Heartbeat | null;
}

export function standingOf(config: Config, clock: Clock): Standing {
  const hostOf = hostReader(config);
  return {
    config,
    clock,
    redactorFor: createRedactorCache(),
    hostOf,
    keysOf: keyNames(config, hostOf),
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
