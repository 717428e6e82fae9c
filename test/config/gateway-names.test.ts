/** What the gateways that a filter names are, and were called. */
import { expect, test } from "vitest";
import { configOf } from "./parsed.ts";

function filterOf(gateway: readonly string[], ...gateways: readonly object[]) {
  const alerts = [{ kind: "slack", url: "SLACK_URL", only: { gateway } }];
  return configOf({ title: "t", gateways, alerts }).alerts[0]?.only.gateways;
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
  expect(filterOf(["volt"], carriesOn("volt", "acme/chat"), plain("acme"))).toEqual({
    named: ["volt"],
    others: ["acme"],
  });
});
