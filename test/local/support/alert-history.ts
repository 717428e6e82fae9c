/** What arrived at channels, held against what the API shows: each event at least once, with one id, in order. Pure. */
import type { WebhookBody } from "../../../src/alert/channels/webhook.ts";
import type { PublishedIncident } from "../../../src/history/documents.ts";
import { toldIn } from "./alerting.ts";
import type { Arrival } from "./receiver.ts";

/** Each event once, in the order of first arrivals. */
export function firstArrivals(arrivals: readonly Arrival[]): readonly WebhookBody[] {
  const byId = new Map<string, WebhookBody>();
  for (const arrival of arrivals) {
    const told = toldIn(arrival);
    if (!byId.has(told.data.eventId)) byId.set(told.data.eventId, told);
  }
  return [...byId.values()];
}

export function idsOf(told: readonly WebhookBody[]): readonly string[] {
  return told.map(({ data }) => data.eventId);
}

/** Ids under which different things were told, or whose header says another id. Must be empty. */
export function ambiguousIds(arrivals: readonly Arrival[]): readonly string[] {
  const bodies = new Map<string, string>();
  return arrivals.flatMap((arrival) => {
    const id = toldIn(arrival).data.eventId;
    const before = bodies.get(id) ?? arrival.body;
    bodies.set(id, before);
    return before === arrival.body && arrival.headers["webhook-id"] === id ? [] : [id];
  });
}

/** `<type> <instant>` of all that should have been told of an incident, by its timeline. */
export function expectedOf({ incident }: PublishedIncident): readonly string[] {
  const types: Readonly<Record<string, string>> = {
    opened: "incident.opened",
    updated: "incident.updated",
    flapping: "incident.updated",
    resolved: "incident.resolved",
    removed: "incident.resolved",
    paused: "incident.resolved",
  };
  return incident.timeline.flatMap(({ type, at }) => (types[type] ? [`${types[type]} ${at}`] : []));
}

/** By incident, `<type> <instant>` of what was told, in order. */
export function toldOfIncidents(told: readonly WebhookBody[]): Readonly<Record<string, readonly string[]>> {
  const byIncident: Record<string, string[]> = {};
  for (const { type, timestamp, data } of told) {
    if (data.incident) (byIncident[data.incident.id] ??= []).push(`${type} ${timestamp}`);
  }
  return byIncident;
}

/** Who ever had to act; what has no incident concerns everybody, but for models, which are the operator's. */
export function everOwnedBy({ data }: WebhookBody, owners: readonly string[]): boolean {
  const { incident, models } = data;
  if (models !== null) return owners.includes("operator");
  if (incident === null) return true;
  return [incident, ...incident.timeline].some(({ owner }) => owner !== null && owners.includes(owner));
}

/**
 * What must be paired, by monitor (`-`: the monitoring's own), each as letters in the order in which it was told: `+` and
 * `-` for an opening and its end, for a silence and its end, and for models that vanish and return.
 */
export function pairsIn(told: readonly WebhookBody[]): Readonly<Record<string, string>> {
  const pairs: Record<string, string> = {};
  const note = (of: string, letter: string): void => {
    pairs[of] = (pairs[of] ?? "") + letter;
  };
  for (const { type, data } of told) {
    const [what = "", how = ""] = type.split(".");
    const subject = data.monitor ?? "-";
    if (what === "monitoring") note("silence", how === "stalled" ? "+" : "-");
    if (what === "models") note(`models of ${subject}`, data.models?.missing.length === 0 ? "-" : "+");
    if (what === "incident" && how !== "updated")
      note(`incidents of ${subject}`, how === "opened" ? "+" : "-");
  }
  return pairs;
}
