/**
 * Prometheus Alertmanager, API v2. Pure. An alert's labels are its identity there, and what alerts are routed by.
 * Health, owner and turn are among them, so an incident in which one of them changes is a new alert, and the one before has
 * ended. Its gateway keeps the name that it had at the opening. Causes, texts and monitors may change and are annotations.
 */
import type { ChannelOf } from "../../../config/config.ts";
import { instant, MINUTE_MS } from "../../../domain/calendar.ts";
import { gatewayAtOpening } from "../../../domain/incident.ts";
import { turnIn, type IncidentDocument } from "../../../history/documents.ts";
import { turnOf } from "../../../protocol/causes.ts";
import type { Health, Owner, Turn } from "../../../protocol/diagnosis.ts";
import { oneLine } from "../../../protocol/error-facts.ts";
import { operatorOf, type AlertEvent, type Speaker } from "../../alert-event.ts";
import { bearerHeader, jsonLetter, type ChannelKind, type Occasion } from "../../channel.ts";
import { cut } from "../../cut.ts";
import { storyOf } from "../../story.ts";
import { callsFail, failuresOf, isOver, openedAtMs } from "../../wording.ts";

/** How long an alert fires if it is not repeated. Repeats may be late, or Gatepulse may have died. */
const FIRES_FOR_MS = 10 * MINUTE_MS;
const TEST_FIRES_FOR_MS = 2 * MINUTE_MS;

export const alertmanager: ChannelKind<ChannelOf<"alertmanager">> = {
  bundles: false,
  resendEveryMs: 2 * MINUTE_MS,
  render,
};

export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
}

/** The alerts of these events, oldest first; of several about the same thing the last one counts. */
export function renderAlerts(events: readonly AlertEvent[], occasion: Occasion): readonly Alert[] {
  const alerts = new Map<string, Alert>();
  for (const event of events) {
    for (const alert of alertsOf(event, occasion)) alerts.set(JSON.stringify(alert.labels), alert);
  }
  return [...alerts.values()];
}

function render(events: readonly AlertEvent[], channel: ChannelOf<"alertmanager">, occasion: Occasion) {
  const { origin, pathname } = new URL(occasion.secretOf(channel.url));
  const path = pathname.replace(/\/+(?:api\/v2\/alerts\/*)?$/, "");
  const headers = bearerHeader(channel.token, occasion);
  return jsonLetter(`${origin}${path}/api/v2/alerts`, renderAlerts(events, occasion), headers);
}

function alertsOf(event: AlertEvent, occasion: Occasion): readonly Alert[] {
  const { nowMs } = occasion;
  // The clock may have been set back since.
  const firesToMs = Math.max(nowMs, event.atMs) + FIRES_FOR_MS;
  return stagesOf(event, nowMs).map((stage) => alertOf(event, occasion, stage, firesToMs));
}

interface Stage {
  readonly labels: Readonly<Record<string, string>>;
  readonly startMs: number;
  readonly endMs: number | null;
}

function stagesOf(event: AlertEvent, nowMs: number): readonly Stage[] {
  const { type, atMs, incident, gateway, monitor, shard } = event;
  const endMs = isOver(event) ? atMs : null;
  switch (type) {
    case "incident.opened":
    case "incident.updated":
    case "incident.resolved":
      return incident === null ? [] : stagesOfIncident(incident, event);
    case "models.changed": {
      const where = {
        ...(gateway !== null && { gateway: gateway.id }),
        ...(monitor !== null && { monitor }),
      };
      const labels = {
        alertname: "GatepulseModelsMissing",
        severity: "warning",
        owner: "operator",
        turn: turnOf("operator", operatorOf(event)),
        ...where,
      };
      return [{ labels, startMs: atMs, endMs }];
    }
    case "monitoring.stalled":
    case "monitoring.resumed": {
      // Shard 0 has no label, as if there were no other shard.
      const which = shard === null || shard === 0 ? {} : { shard: `${shard}` };
      const labels = { alertname: "GatepulseMonitoringStalled", severity: "critical", ...which };
      return [{ labels, startMs: Math.min(event.lastTickAtMs ?? atMs, atMs), endMs }];
    }
    case "pauses.reminder":
    case "test": {
      const alertname = type === "test" ? "GatepulseTest" : "GatepulsePauses";
      const labels = { alertname, severity: "info", event: event.id };
      return [{ labels, startMs: atMs, endMs: nowMs + TEST_FIRES_FOR_MS }];
    }
  }
}

const SEVERITIES: Readonly<Record<Health, string>> = {
  down: "critical",
  blocked: "warning",
  unknown: "warning",
  degraded: "warning",
  up: "info",
};

/** Stretches in which health, owner and turn stayed the same. One that comes back is the same alert again: the latest counts. */
function stagesOfIncident(incident: IncidentDocument, event: AlertEvent): readonly Stage[] {
  const { health: lastHealth, owner: lastOwner, timeline } = incident;
  const lastTurn = turnIn(incident);
  // A long timeline lost changes from its middle, perhaps also the latest.
  const last = { ...incident, sent: null, at: timeline.at(-1)?.at ?? "" };
  const stretches = [...failuresOf(incident), last].map((of) => ({
    labels: {
      ...labelsOf(incident, of.health ?? lastHealth, of.owner ?? lastOwner, turnIn(of) ?? lastTurn),
      ...(callsFail(event, { ...of, health: of.health ?? lastHealth }) === "production" && {
        severity: "critical",
      }),
    },
    startMs: Date.parse(of.at),
  }));
  const changes = stretches.filter(
    ({ labels }, index) => JSON.stringify(labels) !== JSON.stringify(stretches[index - 1]?.labels),
  );
  const beganMs = openedAtMs(incident) ?? event.atMs;
  const endMs = isOver(event) ? Date.parse(incident.resolvedAt ?? "") || event.atMs : null;
  return changes.map(({ labels, startMs }, index) => ({
    labels,
    startMs: index === 0 ? beganMs : startMs,
    endMs: changes[index + 1]?.startMs ?? endMs,
  }));
}

function labelsOf({ id, gateway }: IncidentDocument, health: Health, owner: Owner | null, turn: Turn | null) {
  return {
    alertname: "GatepulseIncident",
    severity: SEVERITIES[health],
    health,
    ...(owner !== null && { owner }),
    ...(turn !== null && { turn }),
    ...(gateway !== null && { gateway: gatewayAtOpening(id) ?? gateway }),
    incident: id,
  };
}

const LONGEST_SUMMARY = 500;

/** Strangers' texts stay out: templates of other people put annotations into markup that nobody escaped. */
function alertOf(event: AlertEvent, speaker: Speaker, stage: Stage, firesToMs: number): Alert {
  const { labels, startMs, endMs } = stage;
  const { headline, facts, links, more } = storyOf(event, speaker);
  const own = [...facts, ...more].filter(({ quote }) => !quote).map(({ lead, text }) => lead + text);
  const page = links[0]?.url;
  const cause = event.incident?.cause ?? null;
  return {
    labels: { ...labels, monitoring: oneLine(speaker.title) },
    annotations: {
      summary: cut(headline, LONGEST_SUMMARY),
      description: own.join("\n"),
      ...(cause !== null && { cause }),
    },
    startsAt: instant(startMs),
    // Never before its start, which would be refused.
    endsAt: instant(Math.max(startMs, endMs ?? firesToMs)),
    ...(page !== undefined && { generatorURL: page }),
  };
}
