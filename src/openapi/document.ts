/**
 * The whole description of the HTTP API: `outline.json` with the schemas of the code, and `examples.json`. `npm run generate` runs
 * this file, which writes it as it is served; with `--check` it only says whether the written one is up to date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { LANGUAGES, PROTOCOLS, REGIONS } from "../config/config.ts";
import { OPERATORS } from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";
import examplesByOperation from "./examples.json" with { type: "json" };
import outline from "./outline.json" with { type: "json" };
import { isObject, namedSchemas, ref, type Json, type JsonObject } from "./schemas.ts";

interface Kind {
  /** Of a good answer. */
  readonly headers?: JsonObject;
  /** Beside a good one. */
  readonly responses: JsonObject;
  /** Beside those in the path. */
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
  /** What a good answer holds. */
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

if (import.meta.main) await generate();
