import { expect, test } from "vitest";
import { readSecretAddress, secretProblems } from "../../src/config/secrets.ts";
import { ACME, configOf } from "./parsed.ts";

test.each([
  "https://user@hooks.example/a",
  "https://:word@hooks.example/a",
  "https://user:word@hooks.example/a",
])("%s has user info, which no request can carry", (value) => {
  expect(readSecretAddress("HOOK_URL", value)).toMatchObject({ ok: false });
});

test("white space around an address does not count", () => {
  expect(readSecretAddress("HOOK_URL", " https://hooks.example/a\n")).toMatchObject({ ok: true });
});

test("each of several signing secrets must have the form of one", () => {
  const hook = { kind: "webhook", url: "HOOK_URL", secret: ["NEW_SECRET", "OLD_SECRET"] };
  const values: Readonly<Record<string, string>> = {
    HOOK_URL: "https://hooks.example/a",
    NEW_SECRET: `whsec_${"A".repeat(32)}`,
    OLD_SECRET: "whsec_short",
  };
  const config = configOf({ title: "t", gateways: [ACME], alerts: [hook] });
  const problems = secretProblems(config, (name) => values[name] ?? null);
  expect(problems).toEqual([expect.stringContaining("OLD_SECRET")]);
});
