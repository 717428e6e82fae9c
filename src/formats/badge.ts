/** Badges: the words and colours of shields.io, and an SVG. Pure. */
import {
  nameInGateway,
  windowNow,
  type GatewayDocument,
  type MonitorDocument,
  type StatusDocument,
} from "../history/documents.ts";
import { gatewayStanding, monitorStanding, type Standing } from "../history/standing.ts";
import { clip, oneLine } from "../protocol/error-facts.ts";
import { escapeXml } from "./markup.ts";

export interface Badge {
  readonly label: string;
  readonly message: string;
  /** `#rrggbb`; white is readable on it. */
  readonly color: string;
}

type BadgeState = Standing | "missing" | "unavailable";

const GREEN = "#1a7f37";
const GREY = "#59636e";

const FACES: Readonly<Record<BadgeState, readonly [message: string, color: string]>> = {
  up: ["up", GREEN],
  degraded: ["degraded", "#9a6700"],
  down: ["down", "#cf222e"],
  blocked: ["no access", GREY],
  unknown: ["unknown", GREY],
  maintenance: ["maintenance", "#0969da"],
  paused: ["paused", GREY],
  stale: ["checks stopped", GREY],
  missing: ["not found", GREY],
  unavailable: ["no data", GREY],
};

export interface BadgeSubject {
  readonly gateway: GatewayDocument;
  /** Null: all of the gateway. */
  readonly monitor: MonitorDocument | null;
}

/** @param label null: the name of what it is about. */
export function badgeOf(subject: BadgeSubject, status: StatusDocument, nowMs: number, label: string | null) {
  return face(stateOf(subject, status, nowMs), label ?? nameOf(subject));
}

export function noBadge(state: "missing" | "unavailable"): Badge {
  return face(state, "");
}

/** For shields.io's endpoint badge, which refuses every other member. An error's colour cannot be overridden there. */
export function shieldsEndpoint(badge: Badge): string {
  const isError = badge.color !== GREEN;
  return JSON.stringify({ schemaVersion: 1, ...badge, ...(isError && { isError }) });
}

/** @param message null: nothing is published of it. */
export function figureBadge(label: string, message: string | null): Badge {
  return { ...face("unavailable", label), ...(message !== null && { message }) };
}

const LONGEST_LABEL = 40;

function face(state: BadgeState, label: string): Badge {
  const [message, color] = FACES[state];
  const line = oneLine(label) || "gatepulse";
  const cut = line.length > LONGEST_LABEL ? `${clip(line, LONGEST_LABEL - 1).trimEnd()}…` : line;
  return { label: cut, message, color };
}

export function nameOf({ gateway, monitor }: BadgeSubject): string {
  return monitor === null ? gateway.name : `${gateway.name} · ${nameInGateway(monitor, gateway)}`;
}

export function stateOf({ gateway, monitor }: BadgeSubject, status: StatusDocument, nowMs: number): Standing {
  const isPlanned = windowNow(status.maintenance, gateway.id, nowMs) !== null;
  const moment = { stale: gateway.stale ?? status.stale, isPlanned };
  return monitor === null ? gatewayStanding(gateway, moment) : monitorStanding(monitor, moment);
}

export const SVG_TYPE = "image/svg+xml; charset=utf-8";

const LABEL_COLOR = "#32383f";
const MARGIN = 6;

export function badgeSvg({ label, message, color }: Badge): string {
  const labelWidth = textWidth(label);
  const messageWidth = textWidth(message);
  const left = labelWidth + 2 * MARGIN;
  const right = messageWidth + 2 * MARGIN;
  const words = escapeXml(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${words}">`,
    `<title>${words}</title>`,
    // The corners are drawn: what clips would need an id, and ids clash where badges stand side by side.
    `<path fill="${LABEL_COLOR}" d="M3 0h${left - 3}v20h-${left - 3}a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`,
    `<path fill="${color}" d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z"/>`,
    '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    text(label, MARGIN, labelWidth),
    text(message, left + MARGIN, messageWidth),
    "</g></svg>",
  ].join("");
}

/** The length is given, so that the text fits in any font. */
function text(words: string, x: number, width: number): string {
  return `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeXml(words)}</text>`;
}

/** In pixels, about: browsers fit the text into it. Letters that the font lacks are as wide as high, and marks have no width. */
function textWidth(words: string): number {
  const letters = Array.from(words.replaceAll(/[\p{M}\p{Cf}]/gu, ""));
  return letters.reduce((width, letter) => width + (letter < "\u2e80" ? 7 : 11), 0);
}
