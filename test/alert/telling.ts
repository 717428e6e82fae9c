/** Events as the Ledger stores them, complete; a test names only what it needs. And what channels need to send them. */
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { Letter, Occasion, Rendered } from "../../src/alert/channel.ts";
import type { Story } from "../../src/alert/story.ts";
import type { ChannelFilter } from "../../src/config/config.ts";
import { secretValue } from "../../src/config/secrets.ts";
import { turnIn, type IncidentDocument, type TimelineEntryDocument } from "../../src/history/documents.ts";
import type { Cause, KeptDiagnosis, Health, Owner } from "../../src/protocol/diagnosis.ts";
import { diagnosis } from "../fixtures/outcome.ts";

export function noteOf({ facts }: Story): string | undefined {
  return facts.find(({ label }) => label === "Note")?.text;
}

export const SPEAKER = {
  title: "Acme gateways",
  timeZone: "UTC",
  language: "en" as const,
  isAdministered: true,
};
export const NOW_MS = Date.parse("2026-11-20T12:01:00Z");
export const ALL: ChannelFilter = { turns: null, owners: null, causes: null, gateways: null, events: null };

export function occasion(
  secrets: Readonly<Record<string, string>> = {},
  over: Partial<Occasion> = {},
): Occasion {
  return {
    nowMs: NOW_MS,
    ...SPEAKER,
    secretOf: (name) => secretValue(name, (of) => secrets[of] ?? null),
    ...over,
  };
}

/** The gateway's provider fails: `acme.models-20261120t120000z` is open. */
export function opened(over: Partial<AlertEvent> = {}): AlertEvent {
  return {
    id: "acme-models-20261120t120000z-incident-opened-7",
    type: "incident.opened",
    reason: null,
    atMs: Date.parse("2026-11-20T12:00:00Z"),
    tickMs: Date.parse("2026-11-20T12:00:00Z"),
    gateway: { id: "acme", name: "Acme", monitors: 1 },
    monitor: "acme/models",
    canary: null,
    incident: incident(),
    diagnosis: upstreamFails(),
    models: null,
    lastTickAtMs: null,
    shard: null,
    report: "https://status.acme.example/reports/acme.models-20261120t120000z-2",
    url: "https://status.acme.example/incidents/acme.models-20261120t120000z",
    ...over,
  };
}

export function upstreamFails(over: Partial<KeptDiagnosis> = {}): KeptDiagnosis {
  return diagnosis("upstream_unavailable", "down", {
    owner: "upstream",
    httpStatus: 503,
    errorType: "server_error",
    errorCode: "upstream_error",
    requestId: "req_8f2a",
    message: "no channel is available for this model",
    advice: ADVICE.upstream,
    ...over,
  });
}

export function balanceIsUsedUp(over: Partial<KeptDiagnosis> = {}): KeptDiagnosis {
  return diagnosis(BALANCE.cause, BALANCE.health, {
    owner: BALANCE.owner,
    httpStatus: 402,
    errorType: "insufficient_quota",
    errorCode: "insufficient_balance",
    requestId: "req_8f2b",
    message: "balance is not enough",
    advice: ADVICE.balance,
    ...over,
  });
}

const ADVICE = {
  upstream: "The gateway got no answer from the provider behind it. Wait, or switch to another gateway.",
  balance: "Check the balance, quota and provider of the account. Waiting does not help.",
  missing: "Restore the model, or remove it from the expected ones.",
  ownNetwork: "Every gateway failed in the same tick. Check Gatepulse's own network first.",
};

export function incident({ turn, ...over }: Partial<IncidentDocument> = {}): IncidentDocument {
  const { owner = "upstream" } = over;
  return {
    id: "acme.models-20261120t120000z",
    gateway: "acme",
    monitors: ["acme/models"],
    cause: "upstream_unavailable",
    owner,
    turn: turn ?? turnIn({ owner }),
    health: "down",
    firstFailureAt: "2026-11-20T11:59:00.000Z",
    openedAt: "2026-11-20T12:00:00.000Z",
    resolvedAt: null,
    acknowledgedAt: null,
    flapping: false,
    timeline: [failure("opened", "2026-11-20T12:00:00.000Z")],
    notes: [],
    report: "acme.models-20261120t120000z-2",
    url: "https://status.acme.example/incidents/acme.models-20261120t120000z",
    ...over,
  };
}

export function failure(
  type: "opened" | "updated",
  at: string,
  cause: Cause = "upstream_unavailable",
  owner: Owner = "upstream",
  health: Health = "down",
  text = ADVICE.upstream,
): TimelineEntryDocument {
  return { at, type, cause, text, health, owner, turn: turnIn({ owner }), sent: true };
}

function end(type: string, at: string, cause: Cause): TimelineEntryDocument {
  const over = { health: null, owner: null, turn: null, sent: null };
  return { at, type, cause, text: "The last probes succeeded.", ...over };
}

const BALANCE = { cause: "insufficient_balance", owner: "caller", health: "blocked" } as const;
const balanceEntry = (type: "opened" | "updated", at: string) =>
  failure(type, at, BALANCE.cause, BALANCE.owner, BALANCE.health, ADVICE.balance);

/** The key's balance is used up, from the beginning. */
export function blocked(over: Partial<AlertEvent> = {}): AlertEvent {
  const timeline = [balanceEntry("opened", "2026-11-20T12:00:00.000Z")];
  return opened({ incident: incident({ ...BALANCE, timeline }), diagnosis: balanceIsUsedUp(), ...over });
}

/** The provider works again; the key's balance is used up instead. */
export function updated(over: Partial<AlertEvent> = {}): AlertEvent {
  const at = "2026-11-20T12:10:00.000Z";
  const timeline = [...incident().timeline, balanceEntry("updated", at)];
  return opened({
    id: "acme-models-20261120t120000z-incident-updated-8",
    type: "incident.updated",
    reason: "cause",
    atMs: Date.parse(at),
    tickMs: Date.parse(at),
    incident: incident({ ...BALANCE, timeline }),
    diagnosis: balanceIsUsedUp(),
    ...over,
  });
}

/** Another cause of the same incident, 10 minutes after its opening. */
export function changed(cause: Cause, health: Health, before: Health = health): AlertEvent {
  const timeline = [
    failure("opened", "2026-11-20T12:00:00.000Z", "upstream_unavailable", "upstream", before),
    failure("updated", "2026-11-20T12:10:00.000Z", cause, "operator", health),
  ];
  return opened({
    type: "incident.updated",
    reason: "cause",
    atMs: Date.parse("2026-11-20T12:30:00Z"),
    incident: incident({ cause, health, owner: "operator", timeline }),
  });
}

/** Down, then blocked, then down for another cause. */
export function changedAgain(): AlertEvent {
  const third = failure("updated", "2026-11-20T12:20:00.000Z", "timeout", "operator");
  const timeline = [...(updated().incident?.timeline ?? []), third];
  return updated({ incident: incident({ cause: "timeout", owner: "operator", timeline }) });
}

/** It began to flap at 12:20; it is unknown whether it is down at 16:00. */
export function flappingReminder(over: Partial<AlertEvent> = {}): AlertEvent {
  const entry = { ...failure("opened", "2026-11-20T12:20:00.000Z"), type: "flapping", text: "It flaps." };
  return opened({
    type: "incident.updated",
    reason: "reminder",
    atMs: Date.parse("2026-11-20T16:00:00Z"),
    monitor: null,
    incident: incident({ flapping: true, timeline: [...incident().timeline, entry] }),
    ...over,
  });
}

/** At 13:30 it has failed at each check since 12:25. */
export function steady(of: AlertEvent = opened(), over: Partial<AlertEvent> = {}): AlertEvent {
  const at = "2026-11-20T13:30:00.000Z";
  const before = of.incident ?? incident();
  const { health, owner, turn } = before;
  const matter = { cause: before.cause ?? "ok", health, owner, turn, sent: true };
  const timeline = [
    ...before.timeline,
    { ...matter, at: "2026-11-20T12:20:00.000Z", type: "flapping", text: "It flaps." },
    { ...matter, at, type: "steady", text: "It is steady again." },
  ];
  return {
    ...of,
    id: "acme-models-20261120t120000z-incident-updated-12",
    type: "incident.updated",
    reason: "steady",
    atMs: Date.parse(at),
    incident: { ...before, timeline },
    ...over,
  };
}

/** Half an hour after its opening. */
export function resolved(of: AlertEvent = opened(), over: Partial<AlertEvent> = {}): AlertEvent {
  const at = "2026-11-20T12:30:00.000Z";
  const before = of.incident ?? incident();
  const timeline = [...before.timeline, end("resolved", at, before.cause ?? "ok")];
  return {
    ...of,
    id: "acme-models-20261120t120000z-incident-resolved-9",
    type: "incident.resolved",
    reason: null,
    atMs: Date.parse(at),
    tickMs: Date.parse(at),
    incident: { ...before, resolvedAt: at, timeline },
    diagnosis: diagnosis("ok", "up"),
    ...over,
  };
}

export function modelsChanged(
  vanished: readonly string[],
  returned: readonly string[] = [],
  missing: readonly string[] = vanished,
): AlertEvent {
  return opened({
    id: "2026-11-20-models-changed-10",
    type: "models.changed",
    incident: null,
    diagnosis: diagnosis("model_missing", "degraded", {
      ok: true,
      layer: null,
      requestId: "req_8f2c",
      advice: ADVICE.missing,
      rule: "4.1",
    }),
    models: { vanished, returned, missing },
    report: null,
    url: "https://status.acme.example/",
  });
}

function ofTheMonitoring(type: AlertEvent["type"], over: Partial<AlertEvent> = {}): AlertEvent {
  return opened({
    id: `2026-11-20-${type.replace(".", "-")}-11`,
    type,
    tickMs: null,
    gateway: null,
    monitor: null,
    incident: null,
    diagnosis: null,
    report: null,
    url: "https://status.acme.example/",
    ...over,
  });
}

const lastTickAtMs = Date.parse("2026-11-20T11:57:00Z");

export const stalled = (): AlertEvent => ofTheMonitoring("monitoring.stalled", { lastTickAtMs });

export const resumed = (): AlertEvent =>
  ofTheMonitoring("monitoring.resumed", { atMs: Date.parse("2026-11-20T13:00:00Z"), lastTickAtMs });

export const tested = (): AlertEvent => ofTheMonitoring("test");

export function ownNetworkFails(): AlertEvent {
  const at = "2026-11-20T12:00:00.000Z";
  const own = { gateway: null, cause: "connection_failed", owner: "network", health: "unknown" } as const;
  const timeline = [failure("opened", at, own.cause, own.owner, own.health, ADVICE.ownNetwork)];
  const id = "monitoring-20261120t120000z";
  const its = incident({ ...own, id, monitors: [], firstFailureAt: null, timeline });
  return ofTheMonitoring("incident.opened", { incident: its });
}

export function letterOf(rendered: Rendered): Letter {
  if (rendered.type !== "http") throw new Error(`no letter, but ${JSON.stringify(rendered)}`);
  return rendered;
}

export function bodyOf(rendered: Rendered): unknown {
  return JSON.parse(letterOf(rendered).body) as unknown;
}
