import { expect, test } from "vitest";
import { endIncident } from "../../src/domain/incident.ts";
import {
  formerIds,
  gatewaysWithCauses,
  identify,
  presentName,
  publishOf,
} from "../../src/ledger/begin/apply-config.ts";
import { publishedIncident } from "../../src/ledger/publish/incident-document.ts";
import { canary, withCanaries } from "../fixtures/canary-play.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, opened } from "../fixtures/outcome.ts";

const carriesOn = (id: string, formerly: readonly string[], publish: "causes" | "health" = "causes") =>
  gateway(id, { publish, monitors: [monitor(id, { formerly })] });

test("a monitor is known by all its former ids, and one that had none by its own alone", () => {
  const two = config([carriesOn("new", ["old/models", "older/list"]), gateway("other")]);
  expect(formerIds(two)).toEqual({ "new/models": ["old/models", "older/list"] });
  const names = ["old/models", "older/list", "new/models", "other/models", "gone/models"];
  const now = ["new/models", "new/models", "new/models", "other/models", "gone/models"];
  expect(names.map(presentName(two))).toEqual(now);
});

test("a gateway that is gone shows what all that carry it on show, and its health alone where none does", () => {
  const shown = config([
    carriesOn("a", ["one/models", "both/models"]),
    carriesOn("b", ["both/list", "hidden/models"], "health"),
  ]);
  const of = ["a", "b", "one", "both", "hidden", "gone"].map((id) => publishOf(shown, id));
  expect(of).toEqual(["causes", "health", "causes", "health", "health", "health"]);
  expect(gatewaysWithCauses(shown)).toEqual(["a", "one"]);
});

test("what a gateway publishes is its own to say, though one of its monitors went elsewhere", () => {
  const moved = config([gateway("a"), carriesOn("b", ["a/chat"], "health")]);
  expect(publishOf(moved, "a")).toBe("causes");
  expect(gatewaysWithCauses(moved)).toEqual(["a"]);
});

test("an incident of a gateway that was renamed keeps its causes; its reports, whose address is not known, go", () => {
  const down = diagnosis("timeout", "down");
  const incident = endIncident(opened(down, 60_000, ["old/models"]), "resolved", 180_000);
  const documentOf = (gateways: Parameters<typeof config>[0]) =>
    publishedIncident(incident, { config: config(gateways), client: "gatepulse/0" });
  const renamed = documentOf([carriesOn("new", ["old/models"])]);
  expect(renamed).toMatchObject({
    incident: { gateway: "old", monitors: ["old/models"], cause: "timeout", report: null },
    reports: [],
    fullReports: [],
  });
  expect(documentOf([carriesOn("new", ["old/models"], "health")]).incident.cause).toBeNull();
  expect(documentOf([gateway("new")]).incident.cause).toBeNull();
});

test("the series of a region goes with the monitor that was renamed", () => {
  const one = config([carriesOn("new", ["old/models"])]);
  const series = ["old/models@weur", "new/models@weur", "gone/models@apac-se"];
  expect(series.map(presentName(one))).toEqual(["new/models@weur", "new/models@weur", "gone/models@apac-se"]);
});

const own = canary({ hasOwnKey: true, apiKey: "OWN_KEY" }, { id: "a/own" });
const settings = withCanaries([monitor("a"), canary(), own]);
const identitiesOf = (keys: Readonly<Record<string, string>>, of = settings) =>
  identify(of, "salt", (name) => keys[name] ?? null);

test("a gateway has an identity, and each canary with a key of its own; no key is in any", async () => {
  const before = await identitiesOf({ KEY: "k-1", OWN_KEY: "o-1" });
  expect(Object.keys(before)).toEqual(["a", "a/own"]);
  expect(JSON.stringify(before)).not.toMatch(/k-1|o-1/);
  const otherOwn = await identitiesOf({ KEY: "k-1", OWN_KEY: "o-2" });
  expect(otherOwn["a"]).toBe(before["a"]);
  expect(otherOwn["a/own"]).not.toBe(before["a/own"]);
  const otherKey = await identitiesOf({ KEY: "k-2", OWN_KEY: "o-1" });
  expect(otherKey["a"]).not.toBe(before["a"]);
  expect(otherKey["a/own"]).toBe(before["a/own"]);
});

test("another address changes the part before the colon, and nothing else", async () => {
  const keys = { KEY: "k-1", OWN_KEY: "o-1" };
  const moved = { ...settings, gateways: [{ ...settings.gateways[0]!, baseUrl: "https://moved.example" }] };
  const [before, after] = [await identitiesOf(keys), await identitiesOf(keys, moved)];
  const [address, key] = before["a"]!.split(":");
  expect(after["a"]).toMatch(new RegExp(`^(?!${address})[^:]+:${key}$`, "u"));
  expect(after["a/own"]).toBe(before["a/own"]);
});
