/**
 * What schema version 1 promises, as it was when it was published (promised-*.json). It is never taken out or changed: who
 * must do so publishes another version at an address of its own. What is new may be added to the copies.
 */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { EXAMPLES, rendered } from "../alert/documented.ts";
import { letterOf } from "../alert/telling.ts";
import { depsOf, incidentDocument, statusDocument } from "../http/published-status.ts";
import { bodyFaultsOf } from "./description.ts";
import { broken, promiseOf, type Promised } from "./promise.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON Schema
type Schema = any;

async function served(name: string): Promise<Schema> {
  const nothing = { getWithMetadata: () => Promise.reject(new Error("schemas are not in KV")) };
  const request = new Request(`https://status.example/schemas/${name}.json`);
  const answer = await handleRequest(request, depsOf(nothing));
  expect(answer.headers.get("content-type")).toBe("application/schema+json");
  return answer.json();
}

function promised(name: string): Promised {
  const file = new URL(`promised-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Promised;
}

const NAMES = ["status.v1", "alert.v1"] as const;

test.each(NAMES)("%s keeps what it promised", async (name) => {
  expect(broken(promised(name), promiseOf(await served(name)))).toEqual([]);
});

test.each(NAMES)("the copy of %s has all that is promised now", async (name) => {
  expect(promised(name)).toEqual(promiseOf(await served(name)));
});

test.each(NAMES)("%s is a JSON Schema under its own address", async (name) => {
  const schema = await served(name);
  expect(schema.$id).toBe(`https://status.example/schemas/${name}.json`);
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    formats: { "date-time": true, date: true },
  });
  expect(() => ajv.compile(schema)).not.toThrow();
});

test("a status is valid by the schema that is served, and what lacks a member is not", async () => {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    formats: { "date-time": true, date: true },
  });
  const isValid = ajv.compile(await served("status.v1"));
  const status = statusDocument({ incidents: [incidentDocument()] });
  expect(isValid(status)).toBe(true);
  // Clients of today meet members of tomorrow.
  expect(isValid({ ...status, regions: [] })).toBe(true);
  expect(isValid({ ...status, gateways: undefined })).toBe(false);
});

test.each(Object.keys(EXAMPLES))("the webhook's body of %s is as its schema says", async (example) => {
  const { body } = letterOf(await rendered("webhook", example));
  expect(bodyFaultsOf({ $ref: "#/components/schemas/Alert" }, JSON.parse(body))).toEqual([]);
});

const BEFORE = {
  type: "object",
  properties: {
    at: { type: "string", format: "date-time" },
    cause: { anyOf: [{ enum: ["ok", "slow"] }, { type: "null" }] },
    probes: { type: "array", items: { $ref: "#/$defs/Probe" } },
    note: { type: "string" },
  },
  required: ["at", "cause", "probes"],
  $defs: { Probe: { type: "object", properties: { ms: { type: "integer" } }, required: ["ms"] } },
};

function changed(change: (schema: Schema) => void): readonly string[] {
  const after: Schema = structuredClone(BEFORE);
  change(after);
  return broken(promiseOf(BEFORE), promiseOf(after));
}

test.each<[string, (schema: Schema) => void, string[]]>([
  ["gone", (now) => delete now.properties.at, ["at is gone"]],
  [
    "renamed, within a list",
    (now) => (now.$defs.Probe.properties = { latencyMs: { type: "integer" } }),
    ["probes[].ms is gone"],
  ],
  [
    "optional now",
    (now) => now.required.shift(),
    ["at was required string date-time, and is optional string date-time"],
  ],
  [
    "of another type",
    (now) => (now.properties.note.type = "integer"),
    ["note was optional string, and is optional integer"],
  ],
  [
    "null at times",
    (now) => (now.properties.note.type = ["string", "null"]),
    ["note was optional string, and is optional string or null"],
  ],
  [
    "without a word of its list",
    (now) => now.properties.cause.anyOf[0].enum.pop(),
    ["cause was required one of ok slow or null, and is required one of ok or null"],
  ],
  [
    "null no more",
    (now) => (now.properties.cause = { enum: ["ok", "slow"] }),
    [expect.stringContaining("cause was")],
  ],
])("a member that is %s breaks the promise", (_, change, breaks) => {
  expect(changed(change)).toEqual(breaks);
});

test.each<[string, (schema: Schema) => void]>([
  ["a member more", (now) => (now.properties.region = { type: "string" })],
  ["a member that is always there now", (now) => now.required.push("note")],
  ["a word more in a list", (now) => now.properties.cause.anyOf[0].enum.push("timeout")],
])("%s does not", (_, change) => {
  expect(changed(change)).toEqual([]);
});
