/**
 * The JSON Schemas of the description, by name: zod schemas with the words of `words-*.ts` added. Stored incidents pass
 * theirs when they are read; that of the status and those of answers parse nothing in the Worker: tests hold what is
 * published and answered to them. Pure.
 */
import * as z from "zod/mini";
import { webhookBodySchema } from "../alert/channels/webhook.ts";
import { savedAnswerSchema } from "../explain/saved-answer.ts";
import * as formats from "../formats/answers.ts";
import * as documents from "../history/documents.ts";
import { diagnosisSchema } from "../history/records.ts";
import { noteFields, replayFields, testFields, windowFields } from "../http/admin.ts";
import * as answers from "../http/answers.ts";
import { pastedTextSchema } from "../http/explain.ts";
import * as admin from "../ledger/admin/admin-answers.ts";
import { CAUSES, HEALTHS, LAYERS, OWNERS } from "../protocol/diagnosis.ts";
import { isObject, type Json, type JsonObject, mapObjects, schemaRef } from "./json.ts";
import { withWords } from "./words.ts";

/** What is answered, by its name in the description. */
const ANSWERED = {
  Status: documents.statusSchema,
  Gateway: documents.gatewayDocumentSchema,
  Monitor: documents.monitorDocumentSchema,
  Canary: documents.canaryDocumentSchema,
  Region: documents.regionSchema,
  Diagnosis: diagnosisSchema,
  Incident: documents.incidentDocumentSchema,
  TimelineEntry: documents.timelineEntrySchema,
  MaintenanceWindow: documents.windowSchema,
  Report: documents.reportSchema,
  MonitorWithProbes: answers.monitorAnswerSchema,
  History: answers.historyAnswerSchema,
  ProbePoint: answers.probePointSchema,
  RollupPoint: answers.rollupPointSchema,
  Gap: answers.gapSchema,
  Incidents: answers.incidentsAnswerSchema,
  IncidentWithReports: answers.incidentAnswerSchema,
  Problem: answers.problemSchema,
  Explanation: answers.explanationAnswerSchema,
  HealthReport: answers.healthAnswerSchema,
  Alert: webhookBodySchema,
  ShieldsBadge: formats.shieldsSchema,
  StatuspagePage: formats.pageSchema,
  StatuspageStatus: formats.pageStatusSchema,
  StatuspageComponent: formats.componentSchema,
  StatuspageIncident: formats.incidentSchema,
  StatuspageMaintenance: formats.maintenanceSchema,
  StatuspageSummary: formats.summarySchema,
  StatuspageStatusOnly: formats.pageStatusAnswerSchema,
  StatuspageComponents: formats.componentsAnswerSchema,
  StatuspageIncidents: formats.incidentsAnswerSchema,
  StatuspageMaintenances: formats.maintenancesAnswerSchema,
  DueProbe: admin.dueAnswerSchema,
  PausedMonitor: admin.pausedAnswerSchema,
  NotedIncident: admin.notedAnswerSchema,
  PlannedWindow: admin.plannedWindowSchema,
  PlannedMaintenance: admin.plannedAnswerSchema,
  CancelledWindow: admin.cancelledAnswerSchema,
  AlertChannel: admin.channelAnswerSchema,
  UndeliveredAlert: admin.undeliveredSchema,
  Alerts: admin.alertsAnswerSchema,
  ReplayedAlerts: admin.replayedAnswerSchema,
  TestedChannels: admin.testedAnswerSchema,
  Quarantine: admin.quarantineAnswerSchema,
  ClearedQuarantine: admin.clearedAnswerSchema,
} as const;

/** What may be sent. */
const ASKED = {
  SavedAnswer: savedAnswerSchema,
  PastedText: pastedTextSchema,
  NewNote: noteFields,
  NewWindow: windowFields,
  Replay: replayFields,
  ChannelTest: testFields,
} as const;

export type SchemaName = keyof typeof ANSWERED | keyof typeof ASKED;

/** Lists of words that many schemas share. */
const LISTS = { Health: HEALTHS, Cause: CAUSES, Owner: OWNERS, Layer: LAYERS } as const;

export function namedSchemas(): Readonly<Record<string, JsonObject>> {
  const lists = Object.entries(LISTS).map(
    ([name, values]) => [name, { type: "string", enum: [...values] }] as const,
  );
  const bare = {
    ...Object.fromEntries(lists),
    ...schemasOf(ANSWERED, "output"),
    ...schemasOf(ASKED, "input"),
  };
  return withWords(bare);
}

type Named = Readonly<Record<string, z.core.$ZodType>>;

function schemasOf(named: Named, io: "input" | "output"): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, ...own } = JSON.parse(JSON.stringify(schema)) as JsonObject;
      return [id, mapObjects(own, (object) => tidy(object, io)) as JsonObject];
    }),
  );
}

/** What zod writes beside what is meant. Answers are open: members may be added to them. */
function tidy(schema: JsonObject, io: "input" | "output"): JsonObject {
  const tidied: Record<string, Json> = { ...schema };
  if (io === "output") {
    if (schema["additionalProperties"] === false) delete tidied["additionalProperties"];
    if (typeof schema["type"] === "string" && "default" in schema) delete tidied["default"];
  }
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete tidied["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete tidied["maximum"];
  return orNull(sharedList(exactKeys(nullableWithoutDefault(tidied))));
}

function nullableWithoutDefault(schema: JsonObject): JsonObject {
  const { default: standIn, ...rest } = schema;
  return standIn === null ? rest : schema;
}

/** A record of a list's words has just these members. */
function exactKeys(schema: JsonObject): JsonObject {
  const { propertyNames, additionalProperties, ...rest } = schema;
  if (!isObject(propertyNames) || !isObject(additionalProperties)) return schema;
  const names = propertyNames["$ref"] === schemaRef("Health")["$ref"] ? HEALTHS : null;
  if (names === null) return { ...rest, additionalProperties };
  return { ...rest, properties: Object.fromEntries(names.map((name) => [name, additionalProperties])) };
}

/** `{"anyOf": [X, {"type": "null"}]}` in short, where X is no list of words and no other schema. */
function orNull(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, other] = anyOf as readonly JsonObject[];
  const isShort = typeof one?.["type"] === "string" && !("enum" in one) && !("const" in one);
  return isShort && other?.["type"] === "null" ? { ...one, type: [one["type"] as string, "null"] } : schema;
}

function sharedList(schema: JsonObject): JsonObject {
  const values = JSON.stringify(schema["enum"]);
  const shared = Object.entries(LISTS).find(([, list]) => JSON.stringify(list) === values);
  return shared ? schemaRef(shared[0]) : schema;
}
