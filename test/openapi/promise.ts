/** What a schema promises to readers. Pure. */

// oxlint-disable-next-line typescript/no-explicit-any -- JSON Schemas of many shapes
type Json = any;

/** By the path of a member: whether it is always there, and of what it is. */
export type Promised = Readonly<Record<string, string>>;

/** `gateways[].monitors[].since`: `required string date-time`. */
export function promiseOf(schema: Json): Promised {
  const promise: Record<string, string> = {};
  tell(schema, "", new Set(), { promise, definitions: schema.$defs ?? {} });
  return promise;
}

interface Telling {
  readonly promise: Record<string, string>;
  readonly definitions: Json;
}

function tell(schema: Json, path: string, within: ReadonlySet<string>, telling: Telling): void {
  const { properties = {}, required = [], items, anyOf = [], $ref } = schema;
  if (typeof $ref === "string") {
    const name = $ref.replace("#/$defs/", "");
    if (!within.has(name)) tell(telling.definitions[name], path, new Set([...within, name]), telling);
    return;
  }
  for (const [name, member] of Object.entries<Json>(properties)) {
    const place = path === "" ? name : `${path}.${name}`;
    const presence = required.includes(name) ? "required" : "optional";
    telling.promise[place] = `${presence} ${kindOf(member, telling)}`;
    tell(member, place, within, telling);
  }
  if (items) tell(items, `${path}[]`, within, telling);
  for (const part of anyOf) tell(part, path, within, telling);
}

function kindOf(schema: Json, telling: Telling): string {
  const { $ref, type, format, anyOf, items, const: one, enum: some, minimum, maximum } = schema;
  if (typeof $ref === "string") return kindOf(telling.definitions[$ref.replace("#/$defs/", "")], telling);
  if (anyOf) return anyOf.map((part: Json) => kindOf(part, telling)).join(" or ");
  if (one !== undefined) return JSON.stringify(one);
  // Words may be added to a list.
  if (some) return `one of ${some.join(" ")}`;
  const range = [minimum, maximum].some((bound) => bound !== undefined) ? ` ${minimum}..${maximum}` : "";
  const of = items ? ` of ${kindOf(items, telling)}` : "";
  return `${[type].flat().join(" or ")}${of}${range}${format === undefined ? "" : ` ${format}`}`;
}
