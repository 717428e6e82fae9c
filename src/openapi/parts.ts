/** Parts that operations share: parameters, answers, errors. */
import { LANGUAGES } from "../config/config.ts";
import { schemaRef, type Json, type JsonObject } from "./json.ts";
import type { SchemaName } from "./schemas.ts";

const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` });
export const headerRef = (name: keyof typeof HEADERS): JsonObject => ref("headers", name);
const parameterRef = (name: keyof typeof PARAMETERS): JsonObject => ref("parameters", name);
export const responseRef = (name: keyof typeof RESPONSES): JsonObject => ref("responses", name);

const text = { type: "string" };

export const HEADERS = {
  ETag: {
    description: "For If-None-Match. None in the private view.",
    schema: text,
  },
  Origin: {
    description: "Not in the private view.",
    schema: { type: "string", const: "*" },
  },
  RetryAfter: {
    description: "Seconds. Not where VIEW_TOKEN is of no use.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  Allow: { description: "The methods that there are.", required: true, schema: text },
  AcceptPost: { description: "The types that there are.", schema: text },
  Authenticate: { description: "How to prove who asks.", required: true, schema: text },
  Next: { description: 'The next page: `rel="next"`.', schema: text },
  Location: { description: "The same address by HTTPS.", required: true, schema: text },
  VaryAccept: { required: true, schema: { type: "string", const: "accept" } },
  VaryReport: { required: true, schema: { type: "string", const: "accept, authorization" } },
  VaryToken: { description: "Of a report.", schema: { type: "string", const: "authorization" } },
  VaryLanguage: {
    description: "Of a page, unless `lang` chose.",
    schema: { type: "string", const: "accept-language" },
  },
} as const satisfies JsonObject;

const segment = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: "path",
  required: true,
  description,
  schema: text,
  example,
});

export const PARAMETERS = {
  Gateway: segment("gateway", "A gateway’s id.", "acme"),
  Monitor: segment("monitor", "A monitor’s id without its gateway’s, or one that it had before.", "models"),
  Incident: segment("incident", "An incident’s id.", "acme.models-20261120t080000z"),
  Report: segment("report", "A report’s id: its incident’s, and a number.", "acme.models-20261120t080000z-2"),
  Window: segment("window", "A window’s id.", "mb3k2x9q1"),
  Label: {
    name: "label",
    in: "query",
    description: "Instead of the name.",
    schema: text,
    example: "our gateway",
  },
  Language: {
    name: "lang",
    in: "query",
    description: "Left out: what Accept-Language asks for; the feed’s is the configured one.",
    schema: { type: "string", enum: LANGUAGES },
  },
} as const satisfies JsonObject;

const problem = { "application/problem+json": { schema: schemaRef("Problem") } };
const either = { ...problem, "text/html": { schema: text } };
const ofLanguage = { Vary: headerRef("VaryLanguage") };

export const RESPONSES = {
  OverTls: {
    description: "Cloudflare was asked in the clear: ask again by HTTPS.",
    headers: { Location: headerRef("Location") },
  },
  NotModified: {
    description: "You have it already. Other headers are as of 200.",
    headers: { ETag: headerRef("ETag"), "Access-Control-Allow-Origin": headerRef("Origin") },
  },
  BadRequest: { description: "Parameters have faults: see `errors`.", content: problem },
  Private: {
    description: "VIEW_TOKEN is set, and not borne here.",
    headers: { "WWW-Authenticate": headerRef("Authenticate") },
    content: either,
  },
  NotExplained: {
    description: "The body, or `kind`, has faults; in JSON see `errors`.",
    headers: ofLanguage,
    content: either,
  },
  LargeText: { description: "The text has more than 262,144 bytes.", headers: ofLanguage, content: either },
  OtherType: {
    description: "The body is of another type, or in another encoding than UTF-8.",
    headers: { "Accept-Post": headerRef("AcceptPost"), ...ofLanguage },
    content: either,
  },
  NotFound: { description: "There is no such thing here.", headers: ofLanguage, content: either },
  OtherMethod: {
    description: "Any method but those of Allow.",
    headers: { Allow: headerRef("Allow"), ...ofLanguage },
    content: either,
  },
  Broken: { description: "A fault of Gatepulse.", headers: ofLanguage, content: either },
  Unavailable: {
    description: "Nothing is published, or readable now; or VIEW_TOKEN is of no use.",
    headers: { "Retry-After": headerRef("RetryAfter"), ...ofLanguage },
    content: either,
  },
  NotAdmin: {
    description: "Not the token.",
    headers: { "WWW-Authenticate": headerRef("Authenticate"), Vary: headerRef("VaryToken") },
    content: problem,
  },
  NothingToDo: {
    description: "There is no such thing; or ADMIN_TOKEN is not set.",
    content: problem,
  },
  OtherAdminMethod: {
    description: "The address takes another method.",
    headers: { Allow: headerRef("Allow") },
    content: problem,
  },
  Conflict: { description: "It cannot be now: `detail` says why.", content: problem },
  MalformedBody: { description: "The body is no JSON in UTF-8.", content: problem },
  LargeBody: { description: "The body has more than 16,384 bytes.", content: problem },
  WrongBody: {
    description: "The body has faults: see `errors`.",
    content: problem,
  },
  NoLedger: {
    description: "It may be done: look before you ask again. Or VIEW_TOKEN is of no use.",
    headers: { "Retry-After": headerRef("RetryAfter") },
    content: problem,
  },
} as const satisfies JsonObject;

/** What any address may answer, whatever there is at it. */
export const EVERYWHERE: JsonObject = {
  "308": responseRef("OverTls"),
  "401": responseRef("Private"),
  "405": responseRef("OtherMethod"),
  "500": responseRef("Broken"),
  "503": responseRef("Unavailable"),
};

export const SECURITY_SCHEMES = {
  admin: { type: "http", scheme: "bearer", description: "The secret ADMIN_TOKEN." },
  viewBearer: { type: "http", scheme: "bearer", description: "The secret VIEW_TOKEN." },
  viewBasic: {
    type: "http",
    scheme: "basic",
    description: "Any user name, and VIEW_TOKEN as the password.",
  },
} as const satisfies JsonObject;

/** Nobody has to prove anything, unless the view is private. */
export const PUBLIC_SECURITY = [{}, { viewBearer: [] }, { viewBasic: [] }] as const;

export type Tag =
  | "Status"
  | "History"
  | "Documents"
  | "Formats"
  | "Statuspage"
  | "Explain"
  | "Administration"
  | "Pages";

interface Operation {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
}

export interface Read extends Operation {
  /** The media types of a good answer; of JSON the schema. */
  readonly answers: Readonly<Record<string, SchemaName | "text" | "object">>;
  readonly parameters?: readonly (keyof typeof PARAMETERS | JsonObject)[];
  readonly headers?: JsonObject;
  /** Beside those that every address may give, or instead of them. */
  readonly failures?: Readonly<Record<string, JsonObject>>;
  /** None: the private view leaves it open. */
  readonly security?: readonly Json[];
}

export interface Act extends Operation {
  readonly method: "get" | "post" | "delete";
  readonly parameters?: readonly (keyof typeof PARAMETERS)[];
  readonly body?: { readonly schema: SchemaName; readonly required: boolean };
  readonly answer: SchemaName;
  readonly failures?: Readonly<Record<string, JsonObject>>;
}

/** A path that can be read. */
export function readPath(read: Read): JsonObject {
  const { "401": _, ...open } = EVERYWHERE;
  return {
    get: {
      ...frameOf(read),
      ...(read.security && { security: read.security }),
      responses: {
        "200": {
          description: "As asked.",
          headers: {
            ETag: headerRef("ETag"),
            "Access-Control-Allow-Origin": headerRef("Origin"),
            ...read.headers,
          },
          content: contentOf(read.answers),
        },
        "304": responseRef("NotModified"),
        ...(read.security?.length === 0 ? open : EVERYWHERE),
        ...read.failures,
      },
    },
  };
}

/** A path of administration, with all that may be done there. */
export function adminPath(...acts: readonly Act[]): JsonObject {
  return Object.fromEntries(acts.map((act) => [act.method, adminOperation(act)]));
}

function adminOperation(act: Act): JsonObject {
  const { body, method } = act;
  return {
    ...frameOf(act),
    security: [{ admin: [] }],
    ...(body && {
      requestBody: {
        required: body.required,
        content: { "application/json": { schema: schemaRef(body.schema) } },
      },
    }),
    responses: {
      ...EVERYWHERE,
      "200": { description: "As asked.", content: contentOf({ "application/json": act.answer }) },
      ...(method === "post" && {
        "400": responseRef("MalformedBody"),
        "413": responseRef("LargeBody"),
        "422": responseRef("WrongBody"),
      }),
      "401": responseRef("NotAdmin"),
      "404": responseRef("NothingToDo"),
      "405": responseRef("OtherAdminMethod"),
      ...act.failures,
      "503": responseRef("NoLedger"),
    },
  };
}

interface Frame extends Operation {
  readonly parameters?: readonly (keyof typeof PARAMETERS | JsonObject)[];
}

function frameOf({ id, tag, summary, description, parameters = [] }: Frame): JsonObject {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((one) => (typeof one === "string" ? parameterRef(one) : one)),
    }),
  };
}

function contentOf(answers: Readonly<Record<string, SchemaName | "text" | "object">>): JsonObject {
  return Object.fromEntries(
    Object.entries(answers).map(([media, schema]) => [media, { schema: schemaFor(schema) }]),
  );
}

function schemaFor(schema: SchemaName | "text" | "object"): JsonObject {
  if (schema === "text") return { type: "string" };
  return schema === "object" ? { type: "object" } : schemaRef(schema);
}
