import { expect, test } from "vitest";
import { type Placement, placed, shardParts, shardsInUse } from "../../src/config/placement.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";

const of = (ids: readonly string[], shards: number, known: Placement = {}): Placement =>
  placed({ gateways: ids.map((id) => gateway(id)), shards }, known);

test("new gateways go to the shard with the fewest monitors, the first of them where several have", () => {
  expect(of(["a", "b", "c", "d"], 3)).toEqual({ a: 0, b: 1, c: 2, d: 0 });
  const large = gateway("large", {
    monitors: ["x", "y", "z"].map((id) => monitor("large", { id: `large/${id}` })),
  });
  const gateways = [large, gateway("b"), gateway("c"), gateway("d")];
  expect(placed({ gateways, shards: 2 }, {})).toEqual({ large: 0, b: 1, c: 1, d: 1 });
});

test("what is placed stays, whether there are more shards or fewer", () => {
  const known = of(["a", "b"], 2);
  expect(of(["a", "b"], 2, known)).toBe(known);
  expect(of(["a", "b", "c"], 4, known)).toEqual({ a: 0, b: 1, c: 2 });
  expect(of(["a", "b", "c"], 1, known)).toEqual({ a: 0, b: 1, c: 0 });
});

test("a gateway that is gone keeps its place for its return, and fills none", () => {
  expect(of(["b"], 2, { a: 0 })).toEqual({ a: 0, b: 0 });
});

test("a renamed gateway is where it was under its former id", () => {
  const renamed = gateway("new", { monitors: [monitor("new", { formerly: ["old/models"] })] });
  expect(placed({ gateways: [gateway("a"), renamed], shards: 2 }, { a: 0, old: 1 })).toMatchObject({
    new: 1,
  });
});

test("an id that every object has is an id like any other", () => {
  expect(of(["constructor", "b"], 2)).toEqual({ constructor: 0, b: 1 });
});

test("there are as many shards as are configured, and those that have gateways besides", () => {
  expect([shardsInUse({ shards: 2 }, {}), shardsInUse({ shards: 1 }, { a: 2 })]).toEqual([2, 3]);
});

test("the parts of a new installation are even, and with one shard the very configuration", () => {
  const settings = config(["a", "b", "c"].map((id) => gateway(id)));
  expect(shardParts(settings)).toEqual([settings]);
  const parts = shardParts({ ...settings, shards: 2 });
  expect(parts.map(({ gateways }) => gateways.map(({ id }) => id))).toEqual([["a", "c"], ["b"]]);
});
