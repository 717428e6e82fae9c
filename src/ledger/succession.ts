/**
 * What a gateway takes over from those whose monitors it carries on (`formerly`): a rename is no reason to ask one that
 * wants to be left in peace, nor two probes at once. Pure.
 */
import type { Config, GatewayConfig } from "../config/config.ts";
import { gatewaysBefore } from "../config/gateway-names.ts";
import type { GatewayState } from "../domain/assignment.ts";
import { gatewayOf } from "../domain/monitor-id.ts";
import { presentName } from "./former-ids.ts";
import { entryOf } from "./state.ts";

type Stored = Readonly<Record<string, GatewayState>>;

/** An identity is `<address>:<key>`: a Retry-After binds the address, whatever the key. */
export function sameAddress(before: string, now: string): boolean {
  return before.split(":", 1)[0] === now.split(":", 1)[0];
}

/**
 * A gateway's state before this configuration, monitors under the ids that they have now; undefined: nothing is known of
 * it. Of one that is known already only what would vanish is taken over: that of gateways which are gone.
 */
export function inherited(
  gateway: GatewayConfig,
  stored: Stored,
  config: Config,
  identity: string,
): GatewayState | undefined {
  const own = entryOf(stored, gateway.id);
  const living = new Set(config.gateways.map(({ id }) => id));
  const former = [...new Set(gatewaysBefore(gateway))].flatMap((id) => {
    const isOver = own === undefined || !living.has(id);
    return id !== gateway.id && isOver ? (entryOf(stored, id) ?? []) : [];
  });
  const atAddress = former.filter((before) => sameAddress(before.identity, identity));
  const first = own ?? former.find((before) => before.identity === identity) ?? atAddress[0] ?? former[0];
  const isRenamed = former.length > 0 || gateway.monitors.some(({ formerly }) => formerly.length > 0);
  if (first === undefined || !isRenamed) return first;
  const nameOf = presentName(config);
  const known = [first, ...atAddress];
  const alike = [first, ...atAddress.filter((before) => before.identity === first.identity)];
  const lease = alike.map((before) => before.lease).find((of) => of !== null) ?? null;
  const laneLease = alike.map(({ canaries }) => canaries.lease).find((of) => of !== null) ?? null;
  return {
    identity: first.identity,
    lease: lease && { ...lease, owed: lease.owed.map(nameOf) },
    heldUntilMs: Math.max(...known.map(({ heldUntilMs }) => heldUntilMs)),
    quickOwed: Math.max(...known.map(({ quickOwed }) => quickOwed)),
    suspect: known.some(({ suspect }) => suspect),
    unreachedSinceMs: first.unreachedSinceMs,
    unreachedFrom: first.unreachedFrom,
    canaries: {
      lease: laneLease && { ...laneLease, owed: laneLease.owed.map(nameOf) },
      heldUntilMs: Math.max(...known.map(({ canaries }) => canaries.heldUntilMs)),
    },
    seenModels: first.seenModels,
  };
}

/** The gateway at which a monitor was until now, as it was known then; undefined: nowhere, or it is not known. */
export function gatewayUntilNow(
  monitor: { readonly id: string; readonly formerly: readonly string[] },
  monitors: Readonly<Record<string, unknown>>,
  stored: Stored,
): GatewayState | undefined {
  const name = [monitor.id, ...monitor.formerly].find((id) => Object.hasOwn(monitors, id));
  return name === undefined ? undefined : entryOf(stored, gatewayOf(name));
}
