import { expect, test } from "vitest";
import { endIncident } from "../../src/domain/incident.ts";
import {
  formerIds,
  gatewaysWithCauses,
  presentName,
  publishOf,
} from "../../src/ledger/begin/apply-config.ts";
import { publishedIncident } from "../../src/ledger/publish/incident-document.ts";
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
