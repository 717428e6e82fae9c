/** The API's own description. */
import { type AppContext, type AppDeps, readStaticFile } from "./deps.ts";
import type { ApiDocument } from "./pages/reference.tsx";
import { JSON_TYPE, respond, siteOf } from "./respond.ts";

/** Read from a static file: in the script it would be a tenth, and ticks do not need it. */
let known: ApiDocument | null = null;

export async function apiDocument(deps: AppDeps): Promise<ApiDocument> {
  return (known ??= JSON.parse(await readStaticFile(deps, "openapi.json")) as ApiDocument);
}

export async function descriptionRoute({ req, env }: AppContext): Promise<Response> {
  return respond(req.raw, { type: JSON_TYPE, caching: "shared" }, JSON.stringify(await apiDocument(env)));
}

/** The schema's `$id` is its address: the requested one, if nothing is published yet. */
export async function schemaRoute({ req, env }: AppContext, name: "Status" | "Alert"): Promise<Response> {
  const { url, caching } = siteOf(req.raw, env.config);
  const body = schemaOf(await apiDocument(env), name, `${url}${new URL(req.url).pathname}`);
  return respond(req.raw, { type: "application/schema+json", caching }, body);
}

/** One schema with all schemas that it refers to. */
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
  return JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/");
}
