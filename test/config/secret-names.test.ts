import { expect, test } from "vitest";
import { secretNames } from "../../src/config/secret-names.ts";
import { configOf } from "./parsed.ts";

const namesOf = (input: unknown) => secretNames(configOf(input));

test("the secrets of gateways, of every kind of alert and of the heartbeat are named, each once", () => {
  const gateway = { baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
  expect(
    namesOf({
      title: "t",
      gateways: [
        { ...gateway, id: "acme" },
        { ...gateway, id: "beta" },
      ],
      heartbeat: "HEARTBEAT_URL",
      alerts: [
        { kind: "webhook", url: "W_URL", secret: ["W_NEW", "W_OLD"] },
        { kind: "webhook", id: "second", url: "W_URL", secret: "W_NEW" },
        { kind: "slack", url: "SLACK_URL" },
        { kind: "discord", url: "DISCORD_URL" },
        { kind: "teams", url: "TEAMS_URL" },
        { kind: "pagerduty", routingKey: "PAGERDUTY_KEY" },
        { kind: "alertmanager", url: "AM_URL", token: "AM_TOKEN" },
        { kind: "telegram", token: "TELEGRAM_TOKEN", chat: "1" },
        { kind: "ntfy", url: "NTFY_URL", token: "NTFY_TOKEN" },
        { kind: "email", from: "a@acme.example", to: ["b@acme.example"] },
      ],
    }),
  ).toEqual([
    "ACME_API_KEY",
    "W_URL",
    "W_NEW",
    "W_OLD",
    "SLACK_URL",
    "DISCORD_URL",
    "TEAMS_URL",
    "PAGERDUTY_KEY",
    "AM_URL",
    "AM_TOKEN",
    "TELEGRAM_TOKEN",
    "NTFY_URL",
    "NTFY_TOKEN",
    "HEARTBEAT_URL",
  ]);
});

test("a token that is not used is not asked for", () => {
  const alerts = [
    { kind: "alertmanager", url: "AM_URL" },
    { kind: "ntfy", url: "NTFY_URL" },
  ];
  expect(namesOf({ title: "t", gateways: [], alerts })).toEqual(["AM_URL", "NTFY_URL"]);
});

test("a canary's own secret is named beside its gateway's", () => {
  const monitors = [
    { kind: "models" },
    { kind: "chat", model: "gpt-4o-mini" },
    { kind: "console", apiKey: "ACME_LOGIN_TOKEN" },
  ];
  const gateway = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY", monitors };
  const beta = { ...gateway, id: "beta", apiKey: "BETA_API_KEY", monitors: [{ kind: "models" }] };
  expect(namesOf({ title: "t", gateways: [gateway, beta] })).toEqual([
    "ACME_API_KEY",
    "ACME_LOGIN_TOKEN",
    "BETA_API_KEY",
  ]);
});
