/**
 * What schema version 1 promises, as it was when it was published (promised-*.json). It is never taken out or changed: who
 * must do so publishes another version at an address of its own. What is new may be added to the copies.
 */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { CAUSES } from "../../src/protocol/diagnosis.ts";
import { EXAMPLES, rendered } from "../alert/documented.ts";
import { letterOf } from "../alert/telling.ts";
import { statusDocument } from "../http/documents.ts";
import { useWorld } from "../http/published-status.ts";
import { bodyFaultsOf } from "./description.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON Schema
type Schema = any;

const world = useWorld();

async function served(name: string): Promise<Schema> {
  return (await world.ask(`/schemas/${name}.json`)).json();
}

function promised(name: string): Promised {
  const file = new URL(`promised-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Promised;
}

function validatorOf(schema: Schema) {
  const formats = { "date-time": true, date: true } as const;
  return new Ajv2020({ strict: true, allowUnionTypes: true, formats }).compile(schema);
}

const NAMES = ["status.v1", "alert.v1"] as const;

test.each(NAMES)("%s keeps what it promised, and the copy has all that is promised now", async (name) => {
  expect(promiseOf(await served(name))).toEqual(promised(name));
});

test.each(NAMES)(
  "%s is a JSON Schema under the configured address, else under that of who asks",
  async (name) => {
    const own = await served(name);
    expect(own.$id).toBe(`https://status.example/schemas/${name}.json`);
    expect(own.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(() => validatorOf(own)).not.toThrow();
    await world.publish(statusDocument(), { url: "https://status.acme.example" });
    expect((await served(name)).$id).toBe(`https://status.acme.example/schemas/${name}.json`);
  },
);

test.each(Object.keys(EXAMPLES))("the webhook's body of %s is as its schema says", async (example) => {
  const { body } = letterOf(await rendered("webhook", example));
  expect(bodyFaultsOf({ $ref: "#/components/schemas/Alert" }, JSON.parse(body))).toEqual([]);
});

/** By the path of a member: whether it is always there, and of what it is. */
type Promised = Readonly<Record<string, string>>;

/** `gateways[].monitors[].since`: `required string date-time`. */
function promiseOf(schema: Schema): Promised {
  const promise: Record<string, string> = {};
  tell(schema, "", new Set(), { promise, definitions: schema.$defs ?? {} });
  return promise;
}

interface Telling {
  readonly promise: Record<string, string>;
  readonly definitions: Schema;
}

function tell(schema: Schema, path: string, within: ReadonlySet<string>, telling: Telling): void {
  const { properties = {}, required = [], items, anyOf = [], $ref } = schema;
  if (typeof $ref === "string") {
    const name = $ref.replace("#/$defs/", "");
    if (!within.has(name)) tell(telling.definitions[name], path, new Set([...within, name]), telling);
    return;
  }
  for (const [name, member] of Object.entries<Schema>(properties)) {
    const place = path === "" ? name : `${path}.${name}`;
    const presence = required.includes(name) ? "required" : "optional";
    telling.promise[place] = `${presence} ${kindOf(member, telling)}`;
    tell(member, place, within, telling);
  }
  if (items) tell(items, `${path}[]`, within, telling);
  for (const part of anyOf) tell(part, path, within, telling);
}

function kindOf(schema: Schema, telling: Telling): string {
  const { $ref, type, format, anyOf, items, const: one, enum: some, minimum, maximum } = schema;
  if (typeof $ref === "string") return kindOf(telling.definitions[$ref.replace("#/$defs/", "")], telling);
  if (anyOf) return anyOf.map((part: Schema) => kindOf(part, telling)).join(" or ");
  if (one !== undefined) return JSON.stringify(one);
  if (some?.join() === CAUSES.join()) return "one of the causes";
  // Words may be added to a list.
  if (some) return `one of ${some.join(" ")}`;
  const range = [minimum, maximum].some((bound) => bound !== undefined) ? ` ${minimum}..${maximum}` : "";
  const of = items ? ` of ${kindOf(items, telling)}` : "";
  return `${[type].flat().join(" or ")}${of}${range}${format === undefined ? "" : ` ${format}`}`;
}
