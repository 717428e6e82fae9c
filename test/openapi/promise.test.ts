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
import { incidentDocument, statusDocument } from "../http/documents.ts";
import { depsOf, useWorld } from "../http/published-status.ts";
import { bodyFaultsOf } from "./description.ts";
import { promiseOf, type Promised } from "./promise.ts";

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
