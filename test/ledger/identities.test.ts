import { expect, test } from "vitest";
import { identify } from "../../src/ledger/begin/apply-config.ts";
import { monitor } from "../fixtures/config.ts";
import { canary, withCanaries } from "../fixtures/canary-play.ts";

const own = canary({ hasOwnKey: true, apiKey: "OWN_KEY" }, { id: "a/own" });
const settings = withCanaries([monitor("a"), canary(), own]);
const of = (keys: Readonly<Record<string, string>>, config = settings) =>
  identify(config, "salt", (name) => keys[name] ?? null);

test("a gateway has an identity, and each canary with a key of its own; no key is in any", async () => {
  const before = await of({ KEY: "k-1", OWN_KEY: "o-1" });
  expect(Object.keys(before)).toEqual(["a", "a/own"]);
  expect(JSON.stringify(before)).not.toMatch(/k-1|o-1/);
  const otherOwn = await of({ KEY: "k-1", OWN_KEY: "o-2" });
  expect(otherOwn["a"]).toBe(before["a"]);
  expect(otherOwn["a/own"]).not.toBe(before["a/own"]);
  const otherKey = await of({ KEY: "k-2", OWN_KEY: "o-1" });
  expect(otherKey["a"]).not.toBe(before["a"]);
  expect(otherKey["a/own"]).toBe(before["a/own"]);
});

test("another address changes the part before the colon, and nothing else", async () => {
  const keys = { KEY: "k-1", OWN_KEY: "o-1" };
  const moved = { ...settings, gateways: [{ ...settings.gateways[0]!, baseUrl: "https://moved.example" }] };
  const [before, after] = [await of(keys), await of(keys, moved)];
  const [address, key] = before["a"]!.split(":");
  expect(after["a"]).toMatch(new RegExp(`^(?!${address})[^:]+:${key}$`, "u"));
  expect(after["a/own"]).toBe(before["a/own"]);
});
