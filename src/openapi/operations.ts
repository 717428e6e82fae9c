/** Operations in short, and as OpenAPI writes them. Pure. */
import { type Json, type JsonObject, schemaRef } from "./json.ts";
import { EVERYWHERE, headerRef, type PARAMETERS, parameterRef, responseRef } from "./parts.ts";
import type { SchemaName } from "./schemas.ts";

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
