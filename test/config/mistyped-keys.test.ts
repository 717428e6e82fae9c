import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";

const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };

function withGateway(gateway: Record<string, unknown>): unknown {
  return { title: "t", gateways: [{ ...ACME, ...gateway }] };
}

function withMonitor(monitor: Record<string, unknown>): unknown {
  return withGateway({ monitors: [{ kind: "models", ...monitor }] });
}

function mendOf(input: unknown): string | undefined {
  const parsed = parseConfig(input);
  return parsed.ok ? undefined : parsed.faults[0]?.mend;
}

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
