/**
 * The API's own description: `/openapi.json`, and the JSON Schemas that are parts of it. It is read only when it is asked for:
 * it weighs a tenth of the Worker, and a tick needs none of it.
 */
import type { AppContext } from "./deps.ts";
import { JSON_TYPE, respond, siteOf, type Site } from "./respond.ts";
import type { ApiDocument } from "./pages/docs/docs.tsx";
import { readPublished } from "./published.ts";

const SCHEMA_TYPE = "application/schema+json";
const SCHEMAS = "#/components/schemas/";

export async function apiDocument(): Promise<ApiDocument> {
  const read: { readonly default: unknown } = await import("./openapi.json", { with: { type: "json" } });
  return read.default as ApiDocument;
}

let written: string | null = null;

export async function descriptionRoute(context: AppContext): Promise<Response> {
  const body = (written ??= JSON.stringify(await apiDocument()));
  return answer(context, { type: JSON_TYPE, caching: "shared", body });
}

export function statusSchemaRoute(context: AppContext): Promise<Response> {
  return answerSchema(context, "Status");
}

export function alertSchemaRoute(context: AppContext): Promise<Response> {
  return answerSchema(context, "Alert");
}

/** It bears its address; where nothing is published yet, that at which it was asked for. */
async function answerSchema(context: AppContext, name: string): Promise<Response> {
  const request = context.req.raw;
  const published = await readPublished(context.env);
  const { url, caching } = siteOf(request, published.ok ? published.value.tail : null);
  const body = schemaOf(await apiDocument(), name, `${url}${new URL(request.url).pathname}`);
  return answer(context, { type: SCHEMA_TYPE, caching, body });
}

interface Described extends Pick<Site, "caching"> {
  readonly type: string;
  readonly body: string;
}

function answer({ req }: AppContext, { type, caching, body }: Described): Promise<Response> {
  return respond(req.raw, { type, caching }, body);
}

/** One schema with all that it refers to. */
function schemaOf({ components: { schemas } }: ApiDocument, name: string, id: string): string {
  const needed = new Set([name]);
  for (const one of needed) {
    for (const [, other = ""] of JSON.stringify(schemas[one]).matchAll(/#\/components\/schemas\/(\w+)/gu)) {
      needed.add(other);
    }
  }
  needed.delete(name);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    title: name,
    ...schemas[name],
    $defs: Object.fromEntries([...needed].map((one) => [one, schemas[one]])),
  };
  return JSON.stringify(schema).replaceAll(SCHEMAS, "#/$defs/");
}
