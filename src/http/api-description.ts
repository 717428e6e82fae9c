/**
 * The API's own description: `/openapi.json`, and the JSON Schemas that are parts of it. It is a static file, not a part of the
 * script: it would be a tenth of it, and a tick needs none of it.
 */
import { readStaticFile, type AppContext, type AppDeps } from "./deps.ts";
import { JSON_TYPE, respond, siteOf } from "./respond.ts";
import type { ApiDocument } from "./pages/docs.tsx";
import { readPublished } from "./published.ts";

const SCHEMAS = "#/components/schemas/";

let known: ApiDocument | null = null;

export async function apiDocument(deps: AppDeps): Promise<ApiDocument> {
  return (known ??= JSON.parse(await readStaticFile(deps, "openapi.json")) as ApiDocument);
}

export async function descriptionRoute({ req, env }: AppContext): Promise<Response> {
  return respond(req.raw, { type: JSON_TYPE, caching: "shared" }, JSON.stringify(await apiDocument(env)));
}

/** With its address; where nothing is published yet, that at which it was asked for. */
export async function schemaRoute(context: AppContext, name: "Status" | "Alert"): Promise<Response> {
  const request = context.req.raw;
  const published = await readPublished(context.env);
  const { url, caching } = siteOf(request, published.ok ? published.value.tail : null);
  const body = schemaOf(await apiDocument(context.env), name, `${url}${new URL(request.url).pathname}`);
  return respond(request, { type: "application/schema+json", caching }, body);
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
