import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readSecrets } from "../../src/cli/config-file.ts";
import type { Config } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/load.ts";
import { localProblems } from "../../src/local/start.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

function parsed(input: object): Config {
  return readConfig({ title: "t", gateways: [], ...input });
}

function read(env: Record<string, string>): ReturnType<typeof readSecrets> {
  const config = parsed({
    gateways: [{ id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" }],
    heartbeat: "HEARTBEAT_URL",
    alerts: [
      { kind: "webhook", url: "ALERT_URL", secret: ["NEW_SECRET", "OLD_SECRET"] },
      { kind: "ntfy", url: "NTFY_URL", token: "NTFY_TOKEN" },
    ],
  });
  return readSecrets(config, directory, env);
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
    missing: "ACME_API_KEY ALERT_URL NEW_SECRET OLD_SECRET NTFY_URL NTFY_TOKEN HEARTBEAT_URL".split(" "),
  });
});

test("an empty VIEW_TOKEN is there: it closes the page, which one that is not there does not", async () => {
  const acme = { ACME_API_KEY: "k1" };
  expect((await read({ ...acme, VIEW_TOKEN: "" })).secrets).toEqual({ ...acme, VIEW_TOKEN: "" });
  await writeFile(join(directory, ".dev.vars"), "VIEW_TOKEN=from-the-file-0123456789\nADMIN_TOKEN=\n");
  expect((await read(acme)).secrets).toEqual({ ...acme, VIEW_TOKEN: "from-the-file-0123456789" });
  // The environment wins, as ever.
  expect((await read({ ...acme, VIEW_TOKEN: "" })).secrets).toEqual({ ...acme, VIEW_TOKEN: "" });
});

test.each([
  [
    "let me see the page",
    "The secret VIEW_TOKEN is not a token of visible ASCII: no page is shown to anyone.",
  ],
  [
    "0123456789abcdef",
    "VIEW_TOKEN is the same as ADMIN_TOKEN: everyone who can see the page can administer it.",
  ],
  ["fedcba9876543210", null],
])("of VIEW_TOKEN %j is told: %s", (token, problem) => {
  const secrets = { ADMIN_TOKEN: "0123456789abcdef", VIEW_TOKEN: token };
  expect(localProblems(parsed({}), secrets)).toEqual(problem === null ? [] : [problem]);
});

test("what is set and will not work is told by its name: a short token, a bad secret, mail", () => {
  const oncall = { id: "oncall", kind: "email", from: "gatepulse@acme.example", to: ["oncall@acme.example"] };
  const config = parsed({ alerts: [{ kind: "slack", url: "SLACK_URL" }, oncall] });
  const bad = { ADMIN_TOKEN: "0123456789abcde", SLACK_URL: "hooks.example/x" };
  expect(localProblems(config, bad)).toEqual([
    "The secret SLACK_URL is not an address that begins with https://.",
    "ADMIN_TOKEN is shorter than 16 characters: administration is off.",
    "The channel oncall sends nothing: only a deployed Worker can send mail.",
  ]);
  const well = { ADMIN_TOKEN: "0123456789abcdef", SLACK_URL: "https://hooks.example/x" };
  expect(localProblems({ ...config, alerts: config.alerts.slice(0, 1) }, well)).toEqual([]);
  expect(localProblems({ ...config, alerts: [] }, {})).toEqual([]);
});
