/** Parts of the API's description as JSON. Pure data. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Applied from the leaves upwards. */
export function mapObjects(json: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(json)) return json.map((item) => mapObjects(item as Json, change));
  if (!isObject(json)) return json;
  const entries = Object.entries(json).map(([name, value]) => [name, mapObjects(value, change)] as const);
  return change(Object.fromEntries(entries));
}
