/**
 * How a gateway or a monitor stands, in a word and a colour. Green needs fresh evidence; red is an outage of the gateway
 * and nothing else. Pure.
 */
import type { GatewayDocument, MonitorDocument, StatusDocument } from "../history/documents.ts";
import { nameInGateway } from "../history/monitor-names.ts";
import {
  gatewayStanding,
  isPaused,
  monitorHealth,
  monitorStanding,
  type Standing,
} from "../history/standing.ts";
import { windowNow } from "../history/windows.ts";
import type { Cause } from "../protocol/diagnosis.ts";
import { clip } from "../protocol/message.ts";
import { oneLine } from "./xml.ts";

export interface Badge {
  /** One line, bounded. */
  readonly label: string;
  readonly message: string;
  /** `#rrggbb`; white is readable on it. */
  readonly color: string;
}

/** `keyless`: the view is blocked, and it is known that the key is why. */
type BadgeState = Standing | "keyless" | "missing" | "unavailable";

const GREEN = "#1a7f37";
const GREY = "#59636e";

const FACES: Readonly<Record<BadgeState, readonly [message: string, color: string]>> = {
  up: ["up", GREEN],
  degraded: ["degraded", "#9a6700"],
  down: ["down", "#cf222e"],
  blocked: ["no access", GREY],
  keyless: ["key blocked", GREY],
  unknown: ["unknown", GREY],
  maintenance: ["maintenance", "#0969da"],
  paused: ["paused", GREY],
  stale: ["checks stopped", GREY],
  missing: ["not found", GREY],
  unavailable: ["no data", GREY],
};

/** For one monitor, or for all of a gateway. */
export interface BadgeSubject {
  readonly gateway: GatewayDocument;
  /** Null: all of the gateway. */
  readonly monitor: MonitorDocument | null;
}

/** @param label null: the name of what it is about. */
export function badgeOf(
  subject: BadgeSubject,
  status: StatusDocument,
  nowMs: number,
  label: string | null,
): Badge {
  return face(stateOf(subject, status, nowMs), label ?? nameOf(subject));
}

/** Instead of a badge that is not to be had. */
export function noBadge(state: "missing" | "unavailable"): Badge {
  return face(state, "");
}

/** For shields.io's endpoint badge, which refuses every other member. An error's colour cannot be overridden there. */
export function shieldsEndpoint(badge: Badge): string {
  const isError = badge.color !== GREEN;
  return JSON.stringify({ schemaVersion: 1, ...badge, ...(isError && { isError }) });
}

const LONGEST_LABEL = 40;

function face(state: BadgeState, label: string): Badge {
  const [message, color] = FACES[state];
  const line = oneLine(label) || "gatepulse";
  const cut = line.length > LONGEST_LABEL ? `${clip(line, LONGEST_LABEL - 1).trimEnd()}…` : line;
  return { label: cut, message, color };
}

function nameOf({ gateway, monitor }: BadgeSubject): string {
  return monitor === null ? gateway.name : `${gateway.name} · ${nameInGateway(monitor, gateway)}`;
}

function stateOf({ gateway, monitor }: BadgeSubject, status: StatusDocument, nowMs: number): BadgeState {
  const isPlanned = windowNow(status.maintenance, gateway.id, nowMs) !== null;
  const moment = { stale: gateway.stale ?? status.stale, isPlanned };
  const standing = monitor === null ? gatewayStanding(gateway, moment) : monitorStanding(monitor, moment);
  const monitors = monitor === null ? gateway.monitors : [monitor];
  const isKeys = standing === "blocked" && monitors.every((one) => isPaused(one) || isKeyless(one));
  return isKeys ? "keyless" : standing;
}

/** Of the key itself: a wrong address or an edge page blocks the view too. */
const KEY_CAUSES: ReadonlySet<Cause> = new Set([
  "authentication",
  "insufficient_balance",
  "quota_exceeded",
  "permission_denied",
]);

function isKeyless(monitor: MonitorDocument): boolean {
  const { diagnosis, canary } = monitor;
  // What is not asked for the list's sake is kept off by what keeps off the list.
  const cause = diagnosis?.cause ?? canary?.skipped?.cause ?? null;
  return monitorHealth(monitor) !== "blocked" || (cause !== null && KEY_CAUSES.has(cause));
}
