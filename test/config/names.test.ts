/** What the names of a configuration stand for: its secrets, the keys of a host, the gateways of a filter and of a shard. */
import { expect, test } from "vitest";
import { type Placement, placed, shardParts, shardsInUse } from "../../src/config/plan-limits.ts";
import { keyNames, secretNames } from "../../src/config/secrets.ts";
import { config as withDefaults, gateway as sharded, monitor } from "../fixtures/config.ts";
import { entryOf, KINDS, LEAST } from "../alert/channel-configs.ts";
import { readConfig } from "../../src/config/load.ts";
import { ACME, words } from "./parsed.ts";

const secretsOf = (input: unknown) => secretNames(readConfig(input));

test("the secrets of gateways, of canaries, of every kind of alert and of the heartbeat are named, each once", () => {
  const others = KINDS.filter((kind) => kind !== "webhook");
  const alerts = [
    { ...LEAST.webhook, secret: ["W_NEW", "W_OLD"] },
    { ...LEAST.webhook, id: "second", secret: "W_NEW" },
    ...others.map((kind) => entryOf(kind).full ?? entryOf(kind).least),
  ];
  const monitors = [{ kind: "console", apiKey: "ACME_LOGIN_TOKEN" }];
  const gateways = [
    { ...ACME, monitors },
    { ...ACME, id: "beta" },
  ];
  expect(secretsOf({ title: "t", gateways, heartbeat: "HEARTBEAT_URL", alerts })).toEqual([
    ...words("ACME_API_KEY ACME_LOGIN_TOKEN HOOK_URL W_NEW W_OLD"),
    ...others.flatMap((kind) => Object.keys(entryOf(kind).secrets)),
    "HEARTBEAT_URL",
  ]);
});

const CHAT = { kind: "chat", model: "m", apiKey: "CHAT_KEY" };

function keysOf(gateways: readonly object[]): (gatewayId: string) => readonly string[] {
  const config = readConfig({ title: "t", gateways });
  const known = new Map(config.gateways.map((of) => [of.id, of]));
  const namesFor = keyNames(config, (id) => new URL(known.get(id)?.baseUrl ?? "").host);
  return (id) => namesFor(known.get(id)!);
}

function gateway(id: string, host: string, more: object = {}): object {
  return { id, baseUrl: `https://${host}`, apiKey: `${id.toUpperCase()}_KEY`, ...more };
}

test("a gateway may repeat its own key, its canaries' and those of other gateways on its host, and no other's", () => {
  const monitors = [{ kind: "models" }, CHAT];
  const of = keysOf([
    gateway("a", "one.example", { monitors }),
    gateway("b", "one.example"),
    gateway("c", "two.example"),
  ]);
  expect(of("a")).toEqual(["A_KEY", "CHAT_KEY", "B_KEY"]);
  expect(of("b")).toEqual(["A_KEY", "CHAT_KEY", "B_KEY"]);
  expect(of("c")).toEqual(["C_KEY"]);
});

test("where a host has more than 20 keys, a gateway is looked at for its own alone", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => gateway(`g${index}`, "one.example"));
  expect(keysOf(many(20))("g0")).toHaveLength(20);
  expect(keysOf(many(21))("g0")).toEqual(["G0_KEY"]);
});

function filterOf(named: readonly string[], ...gateways: readonly object[]) {
  const alerts = [{ kind: "slack", url: "SLACK_URL", only: { gateway: named } }];
  return readConfig({ title: "t", gateways, alerts }).alerts[0]?.only.gateways;
}

const plain = (id: string) => ({ id, baseUrl: "https://api.acme.example", apiKey: "KEY" });
const carriesOn = (id: string, ...formerly: string[]) => ({
  ...plain(id),
  monitors: [{ kind: "models", formerly }],
});

test("a filter divides the gateways of the configuration", () => {
  expect(filterOf(["b", "a", "b"], plain("a"), plain("b"), plain("c"))).toEqual({
    named: ["a", "b"],
    others: ["c"],
  });
});

test("a gateway that was renamed is meant by its former ids too", () => {
  const renamed = [carriesOn("volt", "bolt/models", "old/list"), carriesOn("acme", "ace/models")];
  expect(filterOf(["volt"], ...renamed)).toEqual({ named: ["volt", "bolt", "old"], others: ["acme", "ace"] });
});

test("a gateway that is still there is itself, though one of its monitors went elsewhere", () => {
  const filter = filterOf(["volt"], carriesOn("volt", "acme/chat"), plain("acme"));
  expect(filter).toEqual({ named: ["volt"], others: ["acme"] });
});

const of = (ids: readonly string[], shards: number, known: Placement = {}): Placement =>
  placed({ gateways: ids.map((id) => sharded(id)), shards }, known);

test("new gateways go to the shard with the fewest monitors, the first of them where several have", () => {
  expect(of(["a", "b", "c", "d"], 3)).toEqual({ a: 0, b: 1, c: 2, d: 0 });
  const large = sharded("large", {
    monitors: ["x", "y", "z"].map((id) => monitor("large", { id: `large/${id}` })),
  });
  const gateways = [large, sharded("b"), sharded("c"), sharded("d")];
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
  const renamed = sharded("new", { monitors: [monitor("new", { formerly: ["old/models"] })] });
  expect(placed({ gateways: [sharded("a"), renamed], shards: 2 }, { a: 0, old: 1 })).toMatchObject({
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
  const settings = withDefaults(["a", "b", "c"].map((id) => sharded(id)));
  expect(shardParts(settings)).toEqual([settings]);
  const parts = shardParts({ ...settings, shards: 2 });
  expect(parts.map(({ gateways }) => gateways.map(({ id }) => id))).toEqual([["a", "c"], ["b"]]);
});
