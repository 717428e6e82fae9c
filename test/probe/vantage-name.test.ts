import { describe, expect, test } from "vitest";
import type { Env } from "../../src/compose/env.ts";
import { vantagePort } from "../../src/compose/vantage-port.ts";
import { REGIONS } from "../../src/config/config.ts";
import { regionNamed, vantageName } from "../../src/probe/vantage-point.ts";
import { outcome } from "../fixtures/outcome.ts";

test("one shard has an object a region, each of several has its own: none waits for another's connections", () => {
  expect(vantageName("weur", { shard: 0, shards: 1 })).toBe("weur");
  expect(vantageName("weur", { shard: 0, shards: 3 })).toBe("weur-0");
  expect(vantageName("apac-ne", { shard: 12, shards: 16 })).toBe("apac-ne-12");
});

test.each(REGIONS)("an object of %s knows its region by its name", (region) => {
  for (const of of [
    { shard: 0, shards: 1 },
    { shard: 0, shards: 2 },
    { shard: 15, shards: 16 },
  ]) {
    expect(regionNamed(vantageName(region, of))).toBe(region);
  }
});

test("a tick calls its own shard's object, and wishes it to be in the region", async () => {
  const called: unknown[] = [];
  const VANTAGE = {
    getByName: (name: string, options: unknown) => {
      called.push([name, options]);
      return { probe: async () => ({ type: "not_sent_by_platform" }) };
    },
  } as unknown as Env["VANTAGE"];
  const errand = { monitorId: "a/models", hangs: false, startWithinMs: 40_000 };
  await vantagePort({ VANTAGE }, () => [], { shard: 0, shards: 1 }).probe("weur", errand);
  await vantagePort({ VANTAGE }, () => [], { shard: 2, shards: 3 }).probe("weur", errand);
  const expected = [
    ["weur", { locationHint: "weur" }],
    ["weur-2", { locationHint: "weur" }],
  ];
  expect(called).toEqual(expected);
});

describe("what a vantage point answers", () => {
  const answered = (answer: unknown): Promise<unknown> => {
    const VANTAGE = { getByName: () => ({ probe: async () => answer }) } as unknown as Env["VANTAGE"];
    const errand = { monitorId: "a/models", hangs: false, startWithinMs: 40_000 };
    return vantagePort({ VANTAGE }, () => [], { shard: 0, shards: 1 }).probe("weur", errand);
  };
  const findings = { type: "list", listed: ["m"], unlisted: [] };

  test.each([
    ["a result", { type: "probed", outcome: outcome() }],
    ["a result with what the list holds", { type: "probed", outcome: outcome(), findings }],
    ["that it sent nothing", { type: "not_sent_by_platform" }],
  ])("is taken as it is: %s", async (_, answer) => {
    expect(await answered(answer)).toEqual(answer);
  });

  test.each([
    ["nothing", undefined],
    ["a result without an outcome", { type: "probed" }],
    ["a result without a diagnosis", { type: "probed", outcome: { ...outcome(), diagnosis: null } }],
    ["a result without attempts", { type: "probed", outcome: { ...outcome(), attempts: undefined } }],
    ["a cause that this version does not know", { type: "probed", outcome: withCause("moon_eclipsed") }],
    ["a number as no clock tells it", { type: "probed", outcome: outcome({ startedAtMs: Number.NaN }) }],
  ])("is no answer where it is %s", async (_, answer) => {
    await expect(answered(answer)).rejects.toThrow();
  });
});

function withCause(cause: string) {
  return { ...outcome(), diagnosis: { ...outcome().diagnosis, cause } };
}
