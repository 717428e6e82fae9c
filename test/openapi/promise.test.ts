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
import { depsOf, incidentDocument, statusDocument, useWorld } from "../http/published-status.ts";
import { bodyFaultsOf } from "./description.ts";
import { broken, promiseOf, type Promised } from "./promise.ts";

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
  const present = promiseOf(await served(name));
  expect(broken(promised(name), present)).toEqual([]);
  expect(promised(name)).toEqual(present);
});

test.each(NAMES)("%s is a JSON Schema under its own address", async (name) => {
  const schema = await served(name);
  expect(schema.$id).toBe(`https://status.example/schemas/${name}.json`);
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(() => validatorOf(schema)).not.toThrow();
});

test.each(NAMES)(
  "%s bears the configured address, else that of who asks, which no edge keeps",
  async (name) => {
    const ask = async () => {
      const request = new Request(`https://gatepulse.someone.workers.example/schemas/${name}.json?a=b`);
      const response = await handleRequest(request, depsOf(world.kv));
      const { "cache-control": caching, "cloudflare-cdn-cache-control": edge } = Object.fromEntries(
        response.headers,
      );
      return [((await response.json()) as Schema).$id, caching, edge];
    };
    const own = `https://gatepulse.someone.workers.example/schemas/${name}.json`;
    expect(await ask()).toEqual([own, "public, max-age=15", "no-store"]);
    await world.publish(statusDocument(), { url: null });
    expect(await ask()).toEqual([own, "public, max-age=15", "no-store"]);
    await world.publish(statusDocument(), { url: "https://status.acme.example" });
    const configured = `https://status.acme.example/schemas/${name}.json`;
    const kept = expect.stringMatching(/^max-age=15,/u) as string;
    expect(await ask()).toEqual([configured, "public, max-age=15", kept]);
  },
);

test("a status is valid by the schema that is served, and what lacks a member is not", async () => {
  const isValid = validatorOf(await served("status.v1"));
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

const MEMBERS = {
  at: { type: "string", format: "date-time" },
  cause: { anyOf: [{ enum: ["ok", "slow"] }, { type: "null" }] },
  probes: { type: "array", items: { $ref: "#/$defs/Probe" } },
  note: { type: "string" },
};
const BEFORE = {
  type: "object",
  properties: MEMBERS,
  required: ["at", "cause", "probes"],
  $defs: { Probe: { type: "object", properties: { ms: { type: "integer" } }, required: ["ms"] } },
};

function changed(change: Change): readonly string[] {
  const after: Schema = structuredClone(BEFORE);
  change(after);
  return broken(promiseOf(BEFORE), promiseOf(after));
}

type Change = (schema: Schema) => void;
const RENAMED = { latencyMs: { type: "integer" } };
const [NOTE, AT, CAUSE] = [
  "note was optional string",
  "at was required string date-time",
  "cause was required",
];

test.each<[string, Change, string[]]>([
  ["gone", (now) => delete now.properties.at, ["at is gone"]],
  ["renamed, in a list", (now) => (now.$defs.Probe.properties = RENAMED), ["probes[].ms is gone"]],
  ["optional now", (now) => now.required.shift(), [`${AT}, and is optional string date-time`]],
  ["another type", (now) => (now.properties.note.type = "integer"), [`${NOTE}, and is optional integer`]],
  [
    "null at times",
    (now) => (now.properties.note.type = ["string", "null"]),
    [`${NOTE}, and is optional string or null`],
  ],
  [
    "without a word of its list",
    (now) => now.properties.cause.anyOf[0].enum.pop(),
    [`${CAUSE} one of ok slow or null, and is required one of ok or null`],
  ],
  [
    "null no more",
    (now) => (now.properties.cause = { enum: ["ok", "slow"] }),
    [`${CAUSE} one of ok slow or null, and is required one of ok slow`],
  ],
])("a member that is %s breaks the promise", (_, change, breaks) => {
  expect(changed(change)).toEqual(breaks);
});

test.each<[string, Change]>([
  ["a member more", (now) => (now.properties.region = { type: "string" })],
  ["a member that is always there now", (now) => now.required.push("note")],
  ["a word more in a list", (now) => now.properties.cause.anyOf[0].enum.push("timeout")],
])("%s does not", (_, change) => {
  expect(changed(change)).toEqual([]);
});
