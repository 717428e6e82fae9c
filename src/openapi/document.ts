/** `npm run generate`: the API description, from `outline.json`, the schemas and `examples.json`. `--check` writes nothing. */
import examplesByOperation from "./examples.json" with { type: "json" };
import outline from "./outline.json" with { type: "json" };
import * as z from "zod/mini";
import * as formats from "../formats/answers.ts";
import * as documents from "../history/documents.ts";
import * as answers from "../http/answers.ts";
import * as admin from "../ledger/admin/admin-answers.ts";
// Of schemas and their members by their path: with these words in schemas that the Worker needs, it would be larger.
import descriptions from "./descriptions.json" with { type: "json" };
import { readFile, writeFile } from "node:fs/promises";
import { LANGUAGES, PROTOCOLS, REGIONS } from "../config/config.ts";
import {
  type Cause,
  CAUSE_NAMES,
  CAUSE_TABLE,
  CAUSES,
  HEALTHS,
  LAYERS,
  OPERATORS,
  OWNERS,
  TURNS,
} from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";
import { webhookBodySchema } from "../alert/channels/programs/webhook.ts";
import { announcementSchema } from "../domain/announcement.ts";
import { pastedTextSchema, savedAnswerSchema } from "../explain/saved-exchange.ts";
import { reportSchema, upstreamSchema } from "../domain/stored.ts";
import {
  actFields,
  announcementFields,
  noteFields,
  replayFields,
  testFields,
  untilFields,
  updateFields,
  windowFields,
} from "../http/admin.ts";

interface Kind {
  readonly headers?: JsonObject;
  readonly responses: JsonObject;
  readonly parameters?: readonly Json[];
  readonly security?: Json;
}

/** It has what its kind has, and its own. */
interface Operation extends Partial<Kind> {
  readonly kind: string;
  /** `get /api/v1/status`. */
  readonly address: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: JsonObject;
  readonly result: string;
  readonly content: JsonObject;
}

interface Outline {
  readonly openapi: string;
  readonly components: JsonObject;
  readonly webhooks: { readonly alert: { readonly post: JsonObject & { readonly requestBody: JsonObject } } };
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly operations: Readonly<Record<string, readonly Operation[]>>;
}

interface Example {
  readonly request?: Json;
  readonly response?: Json;
}

const EXAMPLES: Readonly<Record<string, Example>> = examplesByOperation;

export function apiDocument(): object {
  const whole = JSON.parse(JSON.stringify(outline), inWhole) as Outline;
  const { openapi, components, kinds, operations, webhooks, ...rest } = whole;
  const { post } = webhooks.alert;
  const requestBody = withExample(post.requestBody, EXAMPLES["receiveAlert"]?.request);
  const paths: Record<string, object> = {};
  for (const [tag, all] of Object.entries(operations)) {
    for (const operation of all) {
      const [method = "", path = ""] = operation.address.split(" ");
      const kind = kinds[operation.kind] ?? { responses: {} };
      paths[path] = { ...paths[path], [method]: described(operation, kind, { tag, path, components }) };
    }
  }
  return {
    openapi,
    // The schemas first: the nearer what repeats is, the better it is compressed.
    components: { schemas: namedSchemas(), ...components },
    ...rest,
    webhooks: { alert: { post: { ...post, requestBody } } },
    paths,
  };
}

const LISTS: Readonly<Record<string, readonly Json[]>> = {
  KINDS,
  LANGUAGES,
  OPERATORS,
  PROTOCOLS,
  REGIONS,
};

/** In the outline, a name stands for the component, or for a list of the code; a text may be a list of lines. */
function inWhole(name: string, value: Json): Json {
  if (Array.isArray(value)) return listInWhole(name, value as readonly Json[]);
  if (!isObject(value) || !["content", "headers", "responses"].includes(name)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, component(name, one)]));
}

function listInWhole(name: string, list: readonly Json[]): Json {
  switch (name) {
    case "enum":
      return list.flatMap((word) => (typeof word === "string" && LISTS[word]) || [word]);
    case "description":
      return (list as readonly string[]).join("\n");
    case "parameters":
      return list.map((one) => component(name, one));
    default:
      return list;
  }
}

function component(kind: string, named: Json): Json {
  if (typeof named !== "string") return named;
  if (kind !== "content") return ref(kind, named);
  const type = { text: "string", object: "object" }[named];
  return { schema: type === undefined ? ref("schemas", named) : { type } };
}

interface Place {
  readonly tag: string;
  readonly path: string;
  readonly components: JsonObject;
}

/** Absent members are undefined. */
function described(operation: Operation, kind: Kind, { tag, path, components }: Place): object {
  const { operationId, summary, description, requestBody, result, content } = operation;
  const example = EXAMPLES[operationId];
  const inPath = [...path.matchAll(/\{(\w)(\w+)\}/gu)]
    .map(([, first = "", rest = ""]) => first.toUpperCase() + rest)
    .filter((name) => name in Object(components["parameters"]))
    .map((name) => ref("parameters", name));
  const parameters = [...inPath, ...(operation.parameters ?? []), ...(kind.parameters ?? [])];
  const headers = kind.headers && { ...kind.headers, ...operation.headers };
  const good = { description: result, ...(headers && { headers }), content };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    parameters: parameters.length === 0 ? undefined : parameters,
    security: operation.security ?? kind.security,
    requestBody: requestBody && withExample(requestBody, example?.request),
    responses: { "200": withExample(good, example?.response), ...kind.responses, ...operation.responses },
  };
}

/** With it at the first of the media types. */
function withExample(holder: JsonObject, example: Json | undefined): JsonObject {
  if (example === undefined) return holder;
  const [[media, first] = ["", {}], ...others] = Object.entries(Object(holder["content"]) as JsonObject);
  return { ...holder, content: { [media]: { ...Object(first), example }, ...Object.fromEntries(others) } };
}

const PATH = "src/http/assets/openapi.json";

async function generate(): Promise<void> {
  const file = new URL(`../../${PATH}`, import.meta.url);
  const made = `${JSON.stringify(apiDocument(), null, 2)}\n`;
  if (!process.argv.includes("--check")) await writeFile(file, made);
  else if (made !== (await readFile(file, "utf8"))) {
    process.stderr.write(`${PATH} is not what the code says: run \`npm run generate\`.\n`);
    process.exitCode = 1;
  }
}

type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ref(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

const ANSWERED = {
  Status: documents.statusSchema(),
  Gateway: documents.gatewayDocumentSchema(),
  Monitor: documents.monitorDocumentSchema(),
  Canary: documents.canaryDocumentSchema(),
  Region: documents.regionSchema(),
  Diagnosis: documents.diagnosisSchema(),
  Incident: documents.incidentDocumentSchema(),
  TimelineEntry: documents.timelineEntrySchema(),
  MaintenanceWindow: documents.windowSchema(),
  Upstream: upstreamSchema(),
  Report: reportSchema(),
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
  Alert: webhookBodySchema(),
  Route: formats.routeAnswerSchema,
  RoutedGateway: formats.routeEntrySchema,
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
  DueMonitors: admin.dueMonitorsAnswerSchema,
  PausedMonitor: admin.pausedAnswerSchema,
  PausedMonitors: admin.pausedMonitorsAnswerSchema,
  NotedIncident: admin.notedAnswerSchema,
  PlannedWindow: admin.plannedWindowSchema,
  PlannedMaintenance: admin.plannedAnswerSchema,
  CancelledWindow: admin.cancelledAnswerSchema,
  Announcement: announcementSchema(),
  Announcements: admin.announcementsAnswerSchema,
  AlertChannel: admin.channelAnswerSchema,
  UndeliveredAlert: admin.undeliveredSchema,
  Alerts: admin.alertsAnswerSchema,
  ReplayedAlerts: admin.replayedAnswerSchema,
  TestedChannels: admin.testedAnswerSchema,
  Quarantine: admin.quarantineAnswerSchema,
  ClearedQuarantine: admin.clearedAnswerSchema,
} as const;

const ASKED = {
  SavedAnswer: savedAnswerSchema(),
  PastedText: pastedTextSchema(),
  Act: actFields(),
  Period: untilFields(),
  NewNote: noteFields(),
  NewWindow: windowFields(),
  NewAnnouncement: announcementFields(),
  NewUpdate: updateFields(),
  Replay: replayFields(),
  ChannelTest: testFields(),
} as const;

const CAUSE_WORDS = `Why a check failed. More causes may be added. In brackets: the usual owner and health. They can differ if Gatepulse knows more than this one answer.

${CAUSES.map(causeLine).join("\n")}`;

function causeLine(cause: Cause): string {
  const { owner, health } = CAUSE_TABLE[cause];
  return `- \`${cause}\`: ${CAUSE_NAMES[cause]} (${owner}, ${health}).`;
}

/** Lists of words that many schemas share. */
const NAMED_LISTS = {
  Health: { enum: HEALTHS },
  Cause: { enum: CAUSES, description: CAUSE_WORDS },
  Owner: { enum: OWNERS },
  Turn: { enum: TURNS },
  Layer: { enum: LAYERS },
};

function namedSchemas(): JsonObject {
  const lists = Object.entries(NAMED_LISTS).map(
    ([name, list]) => [name, { type: "string", ...list }] as const,
  );
  const schemas: Record<string, JsonObject> = {
    ...Object.fromEntries(lists),
    ...schemasOf(ANSWERED, "output"),
    ...schemasOf(ASKED, "input"),
  };
  for (const [place, words] of Object.entries(descriptions)) {
    const [name = "", ...members] = place.split(".");
    const keywords = typeof words === "string" ? { description: words } : words;
    Object.assign(members.reduce(memberOf, schemas[name] ?? {}), keywords);
  }
  return schemas;
}

/** @throws where there is none. */
function memberOf(schema: JsonObject, name: string): JsonObject {
  const { items = schema, allOf = [items] } = schema;
  for (const { properties } of allOf as readonly JsonObject[]) {
    const member = Object(properties)[name];
    if (isObject(member)) return member;
  }
  throw new Error(`descriptions.json: there is no ${name}`);
}

type Named = Readonly<Record<string, z.core.$ZodType>>;

function schemasOf(named: Named, io: "input" | "output"): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      tidy(jsonSchema);
      // Members may be added to answers, and in them nothing is left out.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      if (io === "output" || jsonSchema.default === null) delete jsonSchema.default;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, ...own } = JSON.parse(JSON.stringify(schema), finished) as JsonObject;
      return [id, own];
    }),
  );
}

/** Members of these names are instants of RFC 3339, in UTC with milliseconds unless their schema says otherwise. */
const INSTANT = /^(?:at|since|from|to|next|time|timestamp|until|deadline|notBefore)$|[a-z](?:At|Until)$/u;

/** A part of a schema as it is published, from the leaves upwards. */
function finished(name: string, value: Json): Json {
  if (!isObject(value)) return value;
  const schema = orNull(value);
  const isText = [schema["type"]].flat().includes("string");
  return isText && INSTANT.test(name) ? { format: "date-time", ...schema } : schema;
}

/** `{"anyOf": [X, {"type": "null"}]}` in short, where X is no list of words and no other schema. */
function orNull(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, other] = anyOf as readonly JsonObject[];
  const type = one?.["type"];
  const isNamed = one !== undefined && ("enum" in one || "const" in one);
  if (typeof type !== "string" || isNamed || other?.["type"] !== "null") return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...rest, ...one, type: [type, "null"] };
}

/** The shorter of two ways to say the same. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  const values = JSON.stringify(schema.enum);
  const list = Object.entries(NAMED_LISTS).find(([, words]) => JSON.stringify(words.enum) === values);
  if (list) {
    delete schema.type;
    delete schema.enum;
    Object.assign(schema, ref("schemas", list[0]));
  }
  if (schema.propertyNames !== undefined) {
    const { additionalProperties = {}, required } = schema;
    delete schema.propertyNames;
    if (required) {
      schema.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
      delete schema.additionalProperties;
    }
  }
}

if (import.meta.main) await generate();
