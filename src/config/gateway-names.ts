/** The former ids of a configuration's gateways, from the `formerly` of its monitors. Pure. */
import { gatewayOf } from "../domain/monitor-state.ts";
import type { GatewayConfig, GatewayFilter } from "./config.ts";

type Named = Pick<GatewayConfig, "id"> & {
  readonly monitors: readonly Pick<GatewayConfig["monitors"][number], "formerly">[];
};

/** Those that its monitors come from; it may be among them itself. */
export function gatewaysBefore({ monitors }: Pick<Named, "monitors">): string[] {
  return monitors.flatMap(({ formerly }) => formerly.map(gatewayOf));
}

/** What a filter with these ids means in a configuration with these gateways. */
export function gatewayFilter(ids: readonly string[], gateways: readonly Named[]): GatewayFilter {
  const living = new Set(gateways.map(({ id }) => id));
  const namesOf = (of: readonly Named[]): readonly string[] => [
    ...new Set(
      of.flatMap((gateway) => [gateway.id, ...gatewaysBefore(gateway).filter((id) => !living.has(id))]),
    ),
  ];
  return {
    named: namesOf(gateways.filter(({ id }) => ids.includes(id))),
    others: namesOf(gateways.filter(({ id }) => !ids.includes(id))),
  };
}
