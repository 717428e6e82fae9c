/** What the Statuspage documents are made of, in tests; every one that is read has its exact shape. */
import { statuspageDocument } from "../../src/formats/statuspage.ts";
import type { StatuspageSource } from "../../src/formats/statuspage-components.ts";
import type { IncidentDocument, MonitorDocument } from "../../src/history/documents.ts";
import {
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
} from "../http/documents.ts";
import { INCIDENTS, SUMMARY, type Summary } from "./statuspage-schemas.ts";

export function sourceOf(more: Partial<StatuspageSource> = {}): StatuspageSource {
  const status = statusDocument();
  const baseUrl = "https://status.example";
  const { maintenance } = more.status ?? status;
  return { status, incidents: [], maintenance, formerly: {}, baseUrl, nowMs: NOW_MS, ...more };
}

export function summaryOf(more: Partial<StatuspageSource> = {}): Summary {
  return SUMMARY.parse(statuspageDocument("summary", sourceOf(more)));
}

export function watching(...monitors: readonly Partial<MonitorDocument>[]): StatuspageSource["status"] {
  const documents = monitors.map((more, index) => monitorDocument({ id: `acme/m${index}`, ...more }));
  return statusDocument({ gateways: [gatewayDocument({ monitors: documents })] });
}

export function toldOf(
  more: Partial<IncidentDocument>,
  from: Partial<StatuspageSource> = {},
): Summary["incidents"][number] {
  const source = sourceOf({ incidents: [incidentDocument(more)], ...from });
  const { incidents } = INCIDENTS.parse(statuspageDocument("incidents", source));
  return incidents[0]!;
}

export const PLANNED = {
  gateways: ["acme"],
  from: "2026-11-20T11:30:00.000Z",
  to: "2026-11-20T13:00:00.000Z",
  title: "New disks",
};
