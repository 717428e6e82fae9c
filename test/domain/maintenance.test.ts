import { expect, test } from "vitest";
import { concerns, inMaintenance } from "../../src/domain/schedule.ts";

const WINDOW = { gateways: ["acme"], fromMs: 1000, toMs: 2000, title: "New disks" };

test("a window concerns the gateways that it names, and every gateway if it names none", () => {
  expect(concerns(["acme"], "acme")).toBe(true);
  expect(concerns(["acme"], "other")).toBe(false);
  expect(concerns([], "other")).toBe(true);
});

test.each([
  [999, false],
  [1000, true],
  [1999, true],
  [2000, false],
])("at %d ms maintenance is %s: the end of a window is not part of it", (atMs, isIn) => {
  expect(inMaintenance([WINDOW], "acme", atMs)).toBe(isIn);
});
