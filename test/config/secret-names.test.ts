import { expect, test } from "vitest";
import { secretNames } from "../../src/config/secret-names.ts";
import { LEAST } from "./channels.ts";
import { ACME, configOf, words } from "./parsed.ts";

const namesOf = (input: unknown) => secretNames(configOf(input));

test("the secrets of gateways, of every kind of alert and of the heartbeat are named, each once", () => {
  const alerts = [
    { ...LEAST.webhook, secret: ["W_NEW", "W_OLD"] },
    { ...LEAST.webhook, id: "second", secret: "W_NEW" },
    LEAST.slack,
    LEAST.discord,
    LEAST.teams,
    LEAST.pagerduty,
    { ...LEAST.alertmanager, token: "AM_TOKEN" },
    LEAST.telegram,
    { ...LEAST.ntfy, token: "NTFY_TOKEN" },
    LEAST.email,
  ];
  const gateways = [ACME, { ...ACME, id: "beta" }];
  expect(namesOf({ title: "t", gateways, heartbeat: "HEARTBEAT_URL", alerts })).toEqual(
    words(`
      ACME_API_KEY ALERT_URL W_NEW W_OLD SLACK_URL DISCORD_URL TEAMS_URL PAGERDUTY_KEY ALERTMANAGER_URL AM_TOKEN
      TELEGRAM_TOKEN NTFY_URL NTFY_TOKEN HEARTBEAT_URL
    `),
  );
});

test("a token that is not used is not asked for", () => {
  const alerts = [LEAST.alertmanager, LEAST.ntfy];
  expect(namesOf({ title: "t", gateways: [], alerts })).toEqual(["ALERTMANAGER_URL", "NTFY_URL"]);
});

test("a canary's own secret is named beside its gateway's", () => {
  const chat = { kind: "chat", model: "gpt-4o-mini" };
  const monitors = [{ kind: "models" }, chat, { kind: "console", apiKey: "ACME_LOGIN_TOKEN" }];
  const beta = { ...ACME, id: "beta", apiKey: "BETA_API_KEY", monitors: [{ kind: "models" }] };
  const names = ["ACME_API_KEY", "ACME_LOGIN_TOKEN", "BETA_API_KEY"];
  expect(namesOf({ title: "t", gateways: [{ ...ACME, monitors }, beta] })).toEqual(names);
});
