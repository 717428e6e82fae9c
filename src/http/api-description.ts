/**
 * The API's own description: `/openapi.json`, and the JSON Schemas that are parts of it.
 */
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { OPENAPI_DOCUMENT } from "./openapi-document.ts";
import type { ApiDocument } from "./pages/docs.tsx";
import { JSON_TYPE, respond } from "./respond.ts";

const SCHEMA_TYPE = "application/schema+json";
const SCHEMAS = "#/components/schemas/";

export function descriptionRoute(context: AppContext): Promise<Response> {
  return answer(context, JSON_TYPE, OPENAPI_DOCUMENT);
}

export function statusSchemaRoute(context: AppContext): Promise<Response> {
  return answer(context, SCHEMA_TYPE, schemaOf("Status", context.req.url));
}

export function alertSchemaRoute(context: AppContext): Promise<Response> {
  return answer(context, SCHEMA_TYPE, schemaOf("Alert", context.req.url));
}

async function answer({ req }: AppContext, type: string, body: string): Promise<Response> {
  return respond(req.raw, { type, caching: "shared", etag: await tagOf(body) }, () => body);
}

let parsed: ApiDocument | null = null;

export function apiDocument(): ApiDocument {
  parsed ??= JSON.parse(OPENAPI_DOCUMENT) as ApiDocument;
  return parsed;
}

/** One schema with all that it refers to, under the address at which it was asked for. */
function schemaOf(name: string, url: string): string {
  const { schemas } = apiDocument().components;
  const needed = new Set([name]);
  for (const one of needed) {
    for (const [, other = ""] of JSON.stringify(schemas[one]).matchAll(/#\/components\/schemas\/(\w+)/gu)) {
      needed.add(other);
    }
  }
  needed.delete(name);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: new URL(url).origin + new URL(url).pathname,
    title: name,
    ...schemas[name],
    $defs: Object.fromEntries([...needed].map((one) => [one, schemas[one]])),
  };
  return JSON.stringify(schema).replaceAll(SCHEMAS, "#/$defs/");
}
