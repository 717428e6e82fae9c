import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSecrets } from "../../src/cli/secret-values.ts";
import { parseConfig } from "../../src/config/load.ts";
import { localProblems } from "../../src/local/secrets.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatepulse-vars-"));
});
afterEach(() => rm(directory, { recursive: true }));

function read(env: Record<string, string>): ReturnType<typeof readSecrets> {
  const parsed = parseConfig({
    title: "t",
    gateways: [{ id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" }],
    heartbeat: "HEARTBEAT_URL",
    alerts: [
      { kind: "webhook", url: "ALERT_URL", secret: ["NEW_SECRET", "OLD_SECRET"] },
      { kind: "ntfy", url: "NTFY_URL", token: "NTFY_TOKEN" },
    ],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return readSecrets(parsed.config, directory, env);
}

test("the secrets of gateways, alerts and the heartbeat are read, from the environment before the file", async () => {
  await writeFile(
    join(directory, ".dev.vars"),
    "ACME_API_KEY=k1\nALERT_URL=https://a.example/file\nNEW_SECRET=whsec_1\nHEARTBEAT_URL=https://h.example\nOTHER=x\n",
  );
  const env = { ALERT_URL: "https://a.example/env", OLD_SECRET: "whsec_0", NTFY_TOKEN: "t", PATH: "/bin" };
  expect(await read(env)).toEqual({
    secrets: {
      ACME_API_KEY: "k1",
      ALERT_URL: "https://a.example/env",
      NEW_SECRET: "whsec_1",
      OLD_SECRET: "whsec_0",
      HEARTBEAT_URL: "https://h.example",
      NTFY_TOKEN: "t",
    },
    missing: ["NTFY_URL"],
  });
});

test("what is not set, or empty, is missing; a token of the service's own is none of the configuration's", async () => {
  expect(await read({ ALERT_URL: "", ADMIN_TOKEN: "0123456789abcdef" })).toEqual({
    secrets: { ADMIN_TOKEN: "0123456789abcdef" },
    missing: [
      "ACME_API_KEY",
      "ALERT_URL",
      "NEW_SECRET",
      "OLD_SECRET",
      "NTFY_URL",
      "NTFY_TOKEN",
      "HEARTBEAT_URL",
    ],
  });
});

test("what is set and will not work is told by its name: a short token, a bad secret, mail", () => {
  const parsed = parseConfig({
    title: "t",
    gateways: [],
    alerts: [
      { kind: "slack", url: "SLACK_URL" },
      { id: "oncall", kind: "email", from: "gatepulse@acme.example", to: ["oncall@acme.example"] },
    ],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(
    localProblems(parsed.config, { ADMIN_TOKEN: "0123456789abcde", SLACK_URL: "hooks.example/x" }),
  ).toEqual([
    "ADMIN_TOKEN is shorter than 16 characters: administration is off.",
    "The secret SLACK_URL is not an address that begins with https://.",
    "The channel oncall is told nothing: mail can be sent by a deployed Worker alone.",
  ]);
  const well = { ADMIN_TOKEN: "0123456789abcdef", SLACK_URL: "https://hooks.example/x" };
  expect(localProblems({ ...parsed.config, alerts: parsed.config.alerts.slice(0, 1) }, well)).toEqual([]);
  expect(localProblems({ ...parsed.config, alerts: [] }, {})).toEqual([]);
});
