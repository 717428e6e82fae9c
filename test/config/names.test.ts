/** What the names of a configuration stand for: its secrets, the keys of a host, the gateways of a filter. */
import { expect, test } from "vitest";
import { keyNames, secretNames } from "../../src/config/secrets.ts";
import { LEAST } from "./channels.ts";
import { readConfig } from "../../src/config/load.ts";
import { ACME, words } from "./parsed.ts";

const secretsOf = (input: unknown) => secretNames(readConfig(input));

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
  expect(secretsOf({ title: "t", gateways, heartbeat: "HEARTBEAT_URL", alerts })).toEqual(
    words(`
      ACME_API_KEY ALERT_URL W_NEW W_OLD SLACK_URL DISCORD_URL TEAMS_URL PAGERDUTY_KEY ALERTMANAGER_URL AM_TOKEN
      TELEGRAM_TOKEN NTFY_URL NTFY_TOKEN HEARTBEAT_URL
    `),
  );
});

test("a canary's own secret is named beside its gateway's", () => {
  const chat = { kind: "chat", model: "gpt-4o-mini" };
  const monitors = [{ kind: "models" }, chat, { kind: "console", apiKey: "ACME_LOGIN_TOKEN" }];
  const beta = { ...ACME, id: "beta", apiKey: "BETA_API_KEY", monitors: [{ kind: "models" }] };
  const names = ["ACME_API_KEY", "ACME_LOGIN_TOKEN", "BETA_API_KEY"];
  expect(secretsOf({ title: "t", gateways: [{ ...ACME, monitors }, beta] })).toEqual(names);
});

const CHAT = { kind: "chat", model: "m", apiKey: "CHAT_KEY" };

function keysOf(gateways: readonly object[]): (gatewayId: string) => readonly string[] {
  const config = readConfig({ title: "t", gateways });
  const known = new Map(config.gateways.map((of) => [of.id, of]));
  const namesFor = keyNames(config, (id) => new URL(known.get(id)?.baseUrl ?? "").host);
  return (id) => namesFor(known.get(id) ?? raise(id));
}

function raise(id: string): never {
  throw new Error(`no gateway ${id}`);
}

function gateway(id: string, host: string, more: object = {}): object {
  return { id, baseUrl: `https://${host}`, apiKey: `${id.toUpperCase()}_KEY`, ...more };
}

test("a gateway may repeat its own key, its canaries' and those of other gateways on its host, and no other's", () => {
  const monitors = [{ kind: "models" }, CHAT];
  const of = keysOf([
    gateway("a", "one.example", { monitors }),
    gateway("b", "one.example"),
    gateway("c", "two.example"),
  ]);
  expect(of("a")).toEqual(["A_KEY", "CHAT_KEY", "B_KEY"]);
  expect(of("b")).toEqual(["A_KEY", "CHAT_KEY", "B_KEY"]);
  expect(of("c")).toEqual(["C_KEY"]);
});

test("where a host has more than 20 keys, a gateway is looked at for its own alone", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => gateway(`g${index}`, "one.example"));
  expect(keysOf(many(20))("g0")).toHaveLength(20);
  expect(keysOf(many(21))("g0")).toEqual(["G0_KEY"]);
});

function filterOf(named: readonly string[], ...gateways: readonly object[]) {
  const alerts = [{ kind: "slack", url: "SLACK_URL", only: { gateway: named } }];
  return readConfig({ title: "t", gateways, alerts }).alerts[0]?.only.gateways;
}

const plain = (id: string) => ({ id, baseUrl: "https://api.acme.example", apiKey: "KEY" });
const carriesOn = (id: string, ...formerly: string[]) => ({
  ...plain(id),
  monitors: [{ kind: "models", formerly }],
});

test("a filter divides the gateways of the configuration", () => {
  expect(filterOf(["b", "a", "b"], plain("a"), plain("b"), plain("c"))).toEqual({
    named: ["a", "b"],
    others: ["c"],
  });
});

test("a gateway that was renamed is meant by its former ids too", () => {
  const renamed = [carriesOn("volt", "bolt/models", "old/list"), carriesOn("acme", "ace/models")];
  expect(filterOf(["volt"], ...renamed)).toEqual({ named: ["volt", "bolt", "old"], others: ["acme", "ace"] });
});

test("a gateway that is still there is itself, though one of its monitors went elsewhere", () => {
  expect(filterOf(["volt"], carriesOn("volt", "acme/chat"), plain("acme"))).toEqual({
    named: ["volt"],
    others: ["acme"],
  });
});
