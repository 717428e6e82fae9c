import { expect, test } from "vitest";
import { keyNames } from "../../src/config/key-names.ts";
import { configOf } from "./parsed.ts";

const CHAT = { kind: "chat", model: "m", apiKey: "CHAT_KEY" };

function namesOf(gateways: readonly object[]): (gatewayId: string) => readonly string[] {
  const config = configOf({ title: "t", gateways });
  const known = new Map(config.gateways.map((of) => [of.id, of]));
  const namesFor = keyNames(config, (id) => new URL(known.get(id)?.baseUrl ?? "").host);
  return (id) => namesFor(known.get(id) ?? raise(id));
}

function raise(id: string): never {
  throw new Error(`no gateway ${id}`);
}

function gateway(id: string, host: string, more: object = {}): object {
  return { id, baseUrl: `https://${host}`, apiKey: `${id.toUpperCase()}_KEY`, ...more };
}

test("a gateway may repeat its own key, its canaries' and those of other gateways on its host, and no other's", () => {
  const monitors = [{ kind: "models" }, CHAT];
  const of = namesOf([
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
  expect(namesOf(many(20))("g0")).toHaveLength(20);
  expect(namesOf(many(21))("g0")).toEqual(["G0_KEY"]);
});

test("the gateways of a host are looked up once, not once for each gateway that is asked for", () => {
  const gateways = Array.from({ length: 100 }, (_, at) => gateway(`g${at}`, "one.example"));
  const config = configOf({ title: "t", gateways });
  let read = 0;
  const namesFor = keyNames(config, () => {
    read += 1;
    return "one.example";
  });
  for (const of of config.gateways) namesFor(of);
  expect(read).toBe(200);
});
