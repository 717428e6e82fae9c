/** What operations share: parameters, headers, and how they fail. Pure data. */
import { LANGUAGES } from "../config/config.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function ref(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

const text = { type: "string" };
const only = (value: string): JsonObject => ({ ...text, const: value });
const header = (name: keyof typeof HEADERS): JsonObject => ref("headers", name);

export const HEADERS = {
  ETag: { description: "For If-None-Match. Left out if VIEW_TOKEN is set.", schema: text },
  Origin: { description: "Left out if VIEW_TOKEN is set.", schema: only("*") },
  RetryAfter: {
    description: "Seconds. Left out if VIEW_TOKEN is not valid.",
    schema: { ...text, pattern: "^\\d+$" },
  },
  Allow: { description: "The methods that this address allows.", required: true, schema: text },
  AcceptPost: { description: "The content types that this address takes.", schema: text },
  Authenticate: { description: "How to send the token.", required: true, schema: text },
  Next: { description: 'The next page: `rel="next"`.', schema: text },
  Location: { description: "The same address with HTTPS.", required: true, schema: text },
  VaryAccept: { required: true, schema: only("accept") },
  VaryReport: { required: true, schema: only("accept, authorization") },
  VaryToken: { description: "Only for reports.", schema: only("authorization") },
  VaryLanguage: { description: "Only for pages without `lang`.", schema: only("accept-language") },
} as const satisfies JsonObject;

const segment = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: "path",
  required: true,
  description,
  schema: text,
  example,
});

export function query(name: string, schema: JsonObject, description?: string): JsonObject {
  return { name, in: "query", ...(description !== undefined && { description }), schema };
}

/** Those in a path by their names there. */
export const PARAMETERS: JsonObject = {
  Gateway: segment("gateway", "A gateway’s id.", "acme"),
  Monitor: segment("monitor", "A monitor’s id without its gateway’s. A former id works too.", "models"),
  Incident: segment("incident", "An incident’s id.", "acme.models-20261120t080000z"),
  Report: segment(
    "report",
    "A report’s id: the incident’s id and a number.",
    "acme.models-20261120t080000z-2",
  ),
  Note: segment("note", "The `at` of a note.", "2026-11-20T12:00:00.000Z"),
  Window: segment("window", "A window’s id.", "mb3k2x9q1"),
  Label: { ...query("label", text, "A label to show instead of the name."), example: "our gateway" },
  Language: query(
    "lang",
    { type: "string", enum: LANGUAGES },
    "Default: the language that Accept-Language asks for; for the feed, the configured one.",
  ),
};

const problem = { "application/problem+json": { schema: ref("schemas", "Problem") } };
const either = { ...problem, "text/html": { schema: text } };
const ofLanguage = { Vary: header("VaryLanguage") };

export const RESPONSES = {
  OverTls: {
    description: "The request was plain HTTP: use HTTPS.",
    headers: { Location: header("Location") },
  },
  NotModified: {
    description: "It has not changed. The other headers are those of a 200.",
    headers: { ETag: header("ETag"), "Access-Control-Allow-Origin": header("Origin") },
  },
  BadRequest: { description: "Some parameters are wrong: see `errors`.", content: problem },
  Private: {
    description: "VIEW_TOKEN is set, and the request does not have it.",
    headers: { "WWW-Authenticate": header("Authenticate") },
    content: either,
  },
  NotExplained: {
    description: "The body or `kind` is wrong. For JSON, see `errors`.",
    headers: ofLanguage,
    content: either,
  },
  LargeText: { description: "The text has more than 262,144 bytes.", headers: ofLanguage, content: either },
  OtherType: {
    description: "The body has an unsupported content type, or is not UTF-8.",
    headers: { "Accept-Post": header("AcceptPost"), ...ofLanguage },
    content: either,
  },
  NotFound: { description: "Not found.", headers: ofLanguage, content: either },
  OtherMethod: {
    description: "The method is not in Allow.",
    headers: { Allow: header("Allow"), ...ofLanguage },
    content: either,
  },
  Broken: { description: "A bug in Gatepulse.", headers: ofLanguage, content: either },
  Unavailable: {
    description: "No data yet, the data cannot be read now, or VIEW_TOKEN is not valid.",
    headers: { "Retry-After": header("RetryAfter"), ...ofLanguage },
    content: either,
  },
  NotAdmin: {
    description: "The token is wrong or missing.",
    headers: { "WWW-Authenticate": header("Authenticate"), Vary: header("VaryToken") },
    content: problem,
  },
  NothingToDo: { description: "Not found, or ADMIN_TOKEN is not set.", content: problem },
  OtherAdminMethod: {
    description: "The method is not in Allow.",
    headers: { Allow: header("Allow") },
    content: problem,
  },
  Conflict: { description: "Not possible now: `detail` says why.", content: problem },
  MalformedBody: { description: "The body is not JSON in UTF-8.", content: problem },
  LargeBody: { description: "The body has more than 16,384 bytes.", content: problem },
  WrongBody: { description: "The body is wrong: see `errors`.", content: problem },
  NoLedger: {
    description:
      "The request may have been carried out: check before you repeat it. Or VIEW_TOKEN is not valid.",
    headers: { "Retry-After": header("RetryAfter") },
    content: problem,
  },
} as const satisfies JsonObject;

export const SECURITY_SCHEMES: JsonObject = {
  admin: { type: "http", scheme: "bearer", description: "The secret ADMIN_TOKEN." },
  viewBearer: { type: "http", scheme: "bearer", description: "The secret VIEW_TOKEN." },
  viewBasic: {
    type: "http",
    scheme: "basic",
    description: "Any user name, and VIEW_TOKEN as the password.",
  },
};

/** Nobody has to prove anything, unless the view is private. */
export const PUBLIC_SECURITY = [{}, { viewBearer: [] }, { viewBasic: [] }] as const;
