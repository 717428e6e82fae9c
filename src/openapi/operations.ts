/** How the operations of the API are described: what kinds there are, and what each may answer. Pure data. */
import {
  isObject,
  PARAMETERS,
  ref,
  RESPONSES,
  type HEADERS,
  type Json,
  type JsonObject,
} from "./components.ts";
import type { SchemaName } from "./schemas.ts";

export const header = (name: keyof typeof HEADERS): JsonObject => ref("headers", name);
export const response = (name: keyof typeof RESPONSES): JsonObject => ref("responses", name);

/** By media type; of JSON the name of a schema. */
export type Answers = Readonly<Record<string, SchemaName | "text" | "object">>;

export interface Route {
  readonly path: string;
  readonly method: "get" | "post" | "delete";
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Beside those in the path; a text is the name of a shared one. */
  readonly parameters?: readonly (string | JsonObject)[];
  readonly security?: readonly Json[];
  readonly requestBody?: JsonObject;
  readonly responses: JsonObject;
}

type More = Pick<Route, "description" | "parameters" | "security"> & {
  /** Of a good answer. */
  readonly headers?: JsonObject;
  /** Beside those that every address has, or instead of them. */
  readonly failures?: JsonObject;
};

/** What an operation does, and what a good answer holds. */
type Words = readonly [summary: string, result: string];

/** What any address may answer. */
const EVERYWHERE: JsonObject = {
  "308": response("OverTls"),
  "401": response("Private"),
  "405": response("OtherMethod"),
  "500": response("Broken"),
  "503": response("Unavailable"),
};

export function contentOf(answers: Answers): JsonObject {
  const schemaOf = (name: Answers[string]) =>
    name === "text" || name === "object" ? { type: name === "text" ? "string" : name } : ref("schemas", name);
  return Object.fromEntries(
    Object.entries(answers).map(([media, name]) => [media, { schema: schemaOf(name) }]),
  );
}

/** What can be read. Where the path names something, that may be missing. */
export function read(
  path: string,
  id: string,
  [summary, result]: Words,
  answers: Answers,
  more: More = {},
): Route {
  const { headers, failures, ...rest } = more;
  const { "401": locked, ...open } = EVERYWHERE;
  const good = {
    description: result,
    headers: { ETag: header("ETag"), "Access-Control-Allow-Origin": header("Origin"), ...headers },
    content: contentOf(answers),
  };
  const responses = {
    "200": good,
    "304": response("NotModified"),
    ...open,
    ...(more.security?.length !== 0 && { "401": locked }),
    ...(path.includes("{") && { "404": response("NotFound") }),
    ...failures,
  };
  return { path, method: "get", id, summary, ...rest, responses };
}

export const json = (schema: SchemaName | "object"): Answers => ({ "application/json": schema });

export function textAs(...types: readonly string[]): Answers {
  return Object.fromEntries(types.map((type) => [type, "text"]));
}

export function schemaDocument(path: string, id: string, of: string): Route {
  return read(path, id, [`Get the schema of ${of}`, "A JSON Schema."], {
    "application/schema+json": "object",
  });
}

export function badge(path: string, id: string, of: string): Route {
  const failures = {
    "404": { description: "A badge that says “not found”.", content: IMAGE },
    "503": {
      description: "A badge that says “no data”, or a problem if VIEW_TOKEN is not valid.",
      headers: RESPONSES.Unavailable.headers,
      content: { ...IMAGE, ...RESPONSES.Unavailable.content },
    },
  };
  return read(path, id, [`Get a badge for ${of}`, "An SVG image."], SVG, { parameters: ["Label"], failures });
}

const SVG = textAs("image/svg+xml");
const IMAGE = contentOf(SVG);

export function shield(path: string, id: string, of: string): Route {
  const words = [`Get a badge for ${of} as data for shields.io`, "The data of the badge."] as const;
  return read(path, id, words, json("ShieldsBadge"), { parameters: ["Label"] });
}

export function page(
  path: string,
  id: string,
  summary: string,
  { parameters = [], ...more }: More = {},
): Route {
  const headers = { Vary: header("VaryLanguage") };
  return read(path, id, [summary, "The page."], textAs("text/html"), {
    parameters: [...parameters, "Language"],
    headers,
    ...more,
  });
}

export function explained(
  route: Pick<Route, "path" | "id" | "summary" | "description" | "parameters">,
  requestBody: JsonObject,
  good: { readonly headers?: JsonObject; readonly content: JsonObject },
): Route {
  const headers = { "Access-Control-Allow-Origin": header("Origin"), ...good.headers };
  const responses = {
    "200": { description: "What the answer means.", headers, content: good.content },
    ...EVERYWHERE,
    "400": response("NotExplained"),
    "413": response("LargeText"),
    "415": response("OtherType"),
  };
  return { ...route, method: "post", requestBody: { required: true, ...requestBody }, responses };
}

interface Act extends Pick<Route, "description"> {
  readonly body?: { readonly schema: SchemaName; readonly required: boolean };
  readonly canConflict?: true;
}

export function act(
  method: Route["method"],
  below: string,
  id: string,
  [summary, result]: Words,
  answer: SchemaName,
  { description, body, canConflict }: Act = {},
): Route {
  const responses = {
    ...EVERYWHERE,
    "200": { description: result, content: contentOf(json(answer)) },
    ...(method === "post" && {
      "400": response("MalformedBody"),
      "413": response("LargeBody"),
      "422": response("WrongBody"),
    }),
    "401": response("NotAdmin"),
    "404": response("NothingToDo"),
    "405": response("OtherAdminMethod"),
    ...(canConflict && { "409": response("Conflict") }),
    "503": response("NoLedger"),
  };
  return {
    path: `/api/v1/admin/${below}`,
    method,
    id,
    summary,
    ...(description !== undefined && { description }),
    security: [{ admin: [] }],
    ...(body && { requestBody: { required: body.required, content: contentOf(json(body.schema)) } }),
    responses,
  };
}

export interface Example {
  readonly request?: Json;
  readonly response?: Json;
}

export function operationOf(route: Route, tag: string, example: Example): JsonObject {
  const { path, id, summary, description, security, requestBody, responses } = route;
  const named = [...path.matchAll(/\{(\w)(\w+)\}/gu)].map(
    ([, first = "", rest = ""]) => first.toUpperCase() + rest,
  );
  const parameters = [...named.filter((name) => name in PARAMETERS), ...(route.parameters ?? [])];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((one) => (typeof one === "string" ? ref("parameters", one) : one)),
    }),
    ...(security && { security }),
    ...(requestBody && { requestBody: withExample(requestBody, example.request) }),
    responses: { ...responses, "200": withExample(responses["200"], example.response) },
  };
}

/** With it at the first of the media types. */
export function withExample(holder: Json | undefined, example: Json | undefined): JsonObject {
  if (!isObject(holder) || !isObject(holder["content"])) throw new Error("an operation has no content");
  if (example === undefined) return holder;
  const [[media, first] = ["", {}], ...others] = Object.entries(holder["content"]);
  return { ...holder, content: { [media]: { ...Object(first), example }, ...Object.fromEntries(others) } };
}
