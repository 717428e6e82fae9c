/** Holds an answer against the API's description: status, type, headers and body, read strictly: no member may be missing there. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import description from "../../src/http/assets/openapi.json" with { type: "json" };

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of many shapes
type Json = any;

export const DESCRIPTION: Json = description;

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @throws with every fault. */
export function mustBeDescribed(asked: Asked, answered: Answered): void {
  const faults = faultsOf(asked, answered);
  if (faults.length === 0) return;
  const what = `${asked.method} ${asked.path} → ${answered.status}`;
  throw new Error(`${what} is not as the API's description says:\n${faults.join("\n")}`);
}

/** What `gatepulse backup` and `restore`, or a page's script, say to the Worker is no part of the API. */
const OWN = ["/api/v1/admin/backup", "/push"];

export function faultsOf(asked: Asked, answered: Answered): readonly string[] {
  const { status, headers } = answered;
  if (OWN.some((path) => asked.path.startsWith(path))) return [];
  // Each path has it, and its headers are described in words alone.
  if (asked.method === "OPTIONS" && status === 204) return answered.text === "" ? [] : ["OPTIONS has a body"];
  const { operationId, responses, isMade } = operationOf(pathItemOf(asked.path), asked.method);
  const response = resolved(responses[String(status)]);
  if (response === undefined) return [`no such status is described for ${operationId}`];
  if (status < 400 && status !== 308 && !isMade) return [`${operationId} takes no ${asked.method}`];
  const isPageOfApi = asked.path.startsWith("/api/") && typeOf(headers) === "text/html";
  return [
    ...(isPageOfApi ? ["a page under /api/"] : []),
    ...headerFaults(withWhole(response, status, responses), answered),
    ...bodyFaults(asked, response, answered),
  ];
}

/** "Other headers are as of 200." */
function withWhole(response: Json, status: number, responses: Json): Json {
  if (status !== 304) return response;
  return { ...response, headers: { ...responses["200"].headers, ...response.headers } };
}

const OUR_INSTANTS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/u;
export const ANY_INSTANTS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u;

/** Of a component, or of a part of an operation. @param instants those that are written here have milliseconds. */
export function bodyFaultsOf(schema: Json, value: unknown, instants = OUR_INSTANTS): readonly string[] {
  const validate = validatorOf(schema, instants);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
}

const TEMPLATES = Object.keys(DESCRIPTION.paths)
  .map((path) => ({
    path,
    form: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u"),
    parameters: path.split("{").length,
  }))
  .sort((a, b) => a.parameters - b.parameters);

/** Undefined: there is nothing at this address. */
function pathItemOf(path: string): Json {
  const [pathname = ""] = path.split("?");
  // A slash at the end makes no other address.
  const plain = pathname.replace(/(?<=[^/])\/$/u, "");
  const template = TEMPLATES.find(({ form }) => form.test(plain));
  return template && DESCRIPTION.paths[template.path];
}

interface Operation {
  readonly operationId: string;
  readonly responses: Json;
  /** Described for this method; else its failures are those of another one. */
  readonly isMade: boolean;
}

/** HEAD is answered as GET; a method that there is not, by what any operation of the path says. */
function operationOf(item: Json, method: string): Operation {
  if (item === undefined) return NOTHING;
  const name = method.toLowerCase();
  const made = name === "head" ? item.get : item[name];
  return { ...(made ?? Object.values(item)[0]), isMade: made !== undefined };
}

/** Where there is nothing, an address answers as any other may: as one that fails in no way of its own. */
const NOTHING: Operation = {
  operationId: "what is not there",
  responses: {
    ...DESCRIPTION.paths["/openapi.json"].get.responses,
    "404": { $ref: "#/components/responses/NotFound" },
  },
  isMade: false,
};

function resolved(part: Json): Json {
  const ref: unknown = part?.$ref;
  if (typeof ref !== "string") return part;
  const [, ...names] = ref.split("/");
  return names.reduce((node, name) => node[name], DESCRIPTION);
}

/** What every answer may have, and no client of the API needs to know. */
const OF_EVERY_ANSWER = new Set(
  `access-control-allow-origin access-control-expose-headers cache-control cloudflare-cdn-cache-control
  connection content-length content-security-policy content-type cross-origin-opener-policy
  cross-origin-resource-policy date keep-alive permissions-policy referrer-policy strict-transport-security
  transfer-encoding content-encoding x-content-type-options x-frame-options`
    .split(/\s+/u)
    // Miniflare's own.
    .concat("mf-content-encoding"),
);

/** Without them an answer is as it should be, where it is nobody else's. */
const OF_PUBLIC_ANSWERS = new Set(["etag", "access-control-allow-origin", "retry-after"]);

function isPrivate(headers: Headers): boolean {
  return headers.get("cache-control")?.startsWith("private") === true;
}

function headerFaults({ headers: described = {} }: Json, { headers }: Answered): readonly string[] {
  const faults: string[] = [];
  const entries = Object.entries<Json>(described);
  const known = new Map(entries.map(([name, of]) => [name.toLowerCase(), resolved(of)]));
  for (const [name, { required = false, schema }] of known) {
    const value = headers.get(name);
    const isOwed = required || (OF_PUBLIC_ANSWERS.has(name) && !isPrivate(headers));
    if (value === null && isOwed) faults.push(`the header ${name} is missing`);
    if (value !== null) faults.push(...bodyFaultsOf(schema, value).map((fault) => `${name}: ${fault}`));
  }
  for (const name of headers.keys()) {
    if (!known.has(name) && !OF_EVERY_ANSWER.has(name)) faults.push(`the header ${name} is not described`);
  }
  return faults;
}

function typeOf(headers: Headers): string | null {
  return headers.get("content-type")?.split(";")[0] ?? null;
}

function bodyFaults({ method }: Asked, { content }: Json, answered: Answered): readonly string[] {
  const { status, headers, text } = answered;
  if (content === undefined) return text === "" ? [] : [`${status} has a body`];
  const type = typeOf(headers);
  const media = content[type ?? ""];
  if (media === undefined) return [`no such type is described: ${type}`];
  if (method === "HEAD") return text === "" ? [] : ["HEAD has a body"];
  if (type === "application/x-ndjson") return lineFaults(text);
  if (type === "text/csv") return csvFaults(text);
  return type?.endsWith("json") ? bodyFaultsOf(media.schema, JSON.parse(text)) : [];
}

const POINT = {
  anyOf: [{ $ref: "#/components/schemas/ProbePoint" }, { $ref: "#/components/schemas/RollupPoint" }],
};

/** "A line of NDJSON is a point." */
function lineFaults(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => bodyFaultsOf(POINT, JSON.parse(line)));
}

function csvFaults(text: string): readonly string[] {
  return text.startsWith("at,health,cause,latencyMs,attempts,") ? [] : ["the CSV has another header"];
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: Json, instants: RegExp): ValidateFunction {
  const key = `${instants.source} ${JSON.stringify(schema)}`;
  const known = validators.get(key);
  if (known) return known;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addFormat("date-time", instants);
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/u);
  const validate = ajv.compile({ ...closed(rebased(schema)), $defs: DEFINITIONS });
  validators.set(key, validate);
  return validate;
}

function rebased(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/"));
}

/** Each schema as it is, closed, and with its own members left open, for those that add to it. */
const DEFINITIONS: Json = Object.fromEntries(
  Object.entries<Json>(rebased(DESCRIPTION.components.schemas))
    .flatMap(([name, schema]) => [
      [name, closed(schema)],
      [`${name}-and-more`, { ...closed(schema), additionalProperties: undefined }],
    ])
    .map(([name, schema]) => [name, JSON.parse(JSON.stringify(schema))]),
);

/** No members but those that are described. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const { allOf, ...rest } = schema;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [name, closedPart(name, part)]),
  );
  if (allOf) return { ...inner, type: "object", allOf: allOf.map(openPart), unevaluatedProperties: false };
  return "properties" in inner && !("additionalProperties" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Members are schemas, whatever their names are. */
function closedPart(name: string, part: Json): Json {
  if (name !== "properties")
    return ["enum", "const", "required", "default"].includes(name) ? part : closed(part);
  return Object.fromEntries(Object.entries(part).map(([member, schema]) => [member, closed(schema)]));
}

function openPart(part: Json): Json {
  if (typeof part.$ref === "string") return { ...part, $ref: `${part.$ref}-and-more` };
  const { additionalProperties: _, ...open } = closed(part);
  return open;
}
