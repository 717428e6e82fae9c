import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { USER_AGENT, VERSION } from "../../src/probe/version.ts";

test("the version that gateways see is the package's", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({ version: VERSION });
  expect(USER_AGENT.startsWith(`gatepulse/${VERSION} `)).toBe(true);
});
