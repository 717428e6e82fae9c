import { expect, test } from "vitest";
import { faultsOf, withGateway } from "./parsed.ts";

function withMonitor(monitor: Record<string, unknown>): unknown {
  return withGateway({ monitors: [{ kind: "models", ...monitor }] });
}

const mendOf = (input: unknown) => faultsOf(input)[0]?.replace(/^.*?; /, "");

test("a mistyped key is told with the key that was meant", () => {
  expect(mendOf({ title: "t", gateways: [], timezone: "UTC" })).toBe("did you mean timeZone?");
  expect(mendOf({ title: "t", gateways: [], titel: "t" })).toBe("did you mean title?");
  expect(mendOf(withGateway({ baseURL: "x" }))).toBe("did you mean baseUrl?");
  expect(mendOf(withMonitor({ slower_than: "5s" }))).toBe("did you mean slowerThan?");
  expect(mendOf(withMonitor({ kind: "model" }))).toBe("did you mean models?");
  expect(mendOf(withMonitor({ banana: 1 }))).toBe(
    "remove it; known here: kind, id, every, expect, slowerThan, open, close, remindEvery, flapping, formerly",
  );
});
