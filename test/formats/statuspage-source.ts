/** What the Statuspage documents are made of, in tests; every one that is read has exactly the members that are described. */
import type * as z from "zod/mini";
import { expect } from "vitest";
import type { summarySchema } from "../../src/formats/answers.ts";
import {
  statuspageDocument,
  type StatuspageDocument,
  type StatuspageSource,
} from "../../src/formats/statuspage.ts";
import type { IncidentDocument, MonitorDocument } from "../../src/history/documents.ts";
import {
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
} from "../http/documents.ts";
import { bodyFaultsOf } from "../openapi/description.ts";

export type Summary = z.infer<typeof summarySchema>;

const SCHEMAS = {
  summary: "StatuspageSummary",
  status: "StatuspageStatusOnly",
  components: "StatuspageComponents",
  incidents: "StatuspageIncidents",
  "incidents/unresolved": "StatuspageIncidents",
  "scheduled-maintenances": "StatuspageMaintenances",
  "scheduled-maintenances/active": "StatuspageMaintenances",
  "scheduled-maintenances/upcoming": "StatuspageMaintenances",
} as const satisfies Record<StatuspageDocument, string>;

/** A document as its reader gets it: each has some members of a summary. */
export function sent(name: StatuspageDocument, from: StatuspageSource): Summary {
  const document = JSON.parse(JSON.stringify(statuspageDocument(name, from))) as Summary;
  expect(bodyFaultsOf({ $ref: `#/components/schemas/${SCHEMAS[name]}` }, document)).toEqual([]);
  return document;
}

export function sourceOf(more: Partial<StatuspageSource> = {}): StatuspageSource {
  const status = statusDocument();
  const baseUrl = "https://status.example";
  const { maintenance } = more.status ?? status;
  const announced = { announcements: [], formerly: {} };
  return { status, incidents: [], maintenance, ...announced, baseUrl, nowMs: NOW_MS, ...more };
}

export function summaryOf(more: Partial<StatuspageSource> = {}): Summary {
  return sent("summary", sourceOf(more));
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
  return sent("incidents", source).incidents[0]!;
}

export const PLANNED = {
  gateways: ["acme"],
  from: "2026-11-20T11:30:00.000Z",
  to: "2026-11-20T13:00:00.000Z",
  title: "New disks",
};
