/**
 * Whether a channel wants an event. Who was told of an opening is told of its end: an incident counts as whatever it
 * ever was, and what ends of a gateway that has left the configuration, and with it every filter, passes them all. Pure.
 */
import type { ChannelFilter, GatewayFilter } from "../config/channels.ts";
import type { EventDraft } from "./delivery-id.ts";
import { isOver } from "./severity.ts";

export function wants(only: ChannelFilter, event: EventDraft): boolean {
  const { incident, gateway, type } = event;
  const past = incident?.timeline ?? [];
  const matters = incident ? [incident, ...past] : type === "models.changed" ? [MODELS_MISSING] : [];
  return (
    passes(
      only.owners,
      matters.map(({ owner }) => owner),
    ) &&
    passes(
      only.causes,
      matters.map(({ cause }) => cause),
    ) &&
    (only.gateways === null || gateway === null || isOf(only.gateways, gateway.id, isOver(event))) &&
    passes(only.events, type === "test" ? [] : [type])
  );
}

/** Whatever else was wrong with the probe that told: who hears of a model that vanished hears of its return. */
const MODELS_MISSING = { owner: "operator", cause: "model_missing" } as const;

function isOf({ named, others }: GatewayFilter, gatewayId: string, ends: boolean): boolean {
  return named.includes(gatewayId) || (ends && !others.includes(gatewayId));
}

/** What the event does not have holds nothing back. */
function passes<Value>(
  allowed: readonly Value[] | null,
  has: readonly (Value | null | undefined)[],
): boolean {
  if (allowed === null) return true;
  const known = has.filter((value) => value !== null && value !== undefined);
  return known.length === 0 || known.some((value) => allowed.includes(value));
}
