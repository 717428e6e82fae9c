import { expect, test } from "vitest";
import { ACME, faultsOf as faults } from "./parsed.ts";

/** Each fault as `path: problem; mend`. */
function faultsOf(alerts: readonly unknown[], more: object = {}): readonly string[] {
  return faults({ title: "t", gateways: [ACME], alerts, ...more });
}

const WEBHOOK = { kind: "webhook", url: "HOOK_URL", secret: "HOOK_SECRET" };
const SLACK = { kind: "slack", url: "SLACK_URL" };
const NTFY = { kind: "ntfy", url: "NTFY_URL", token: "NTFY_TOKEN" };
const PAGERDUTY = { kind: "pagerduty", routingKey: "PAGERDUTY_KEY" };
const TELEGRAM = { kind: "telegram", token: "BOT_TOKEN", chat: "@channel" };
const EMAIL = { kind: "email", from: "gatepulse@acme.example", to: ["oncall@acme.example"] };

test.each([
  ["its address for its signature", [{ ...WEBHOOK, secret: "HOOK_URL" }], "[0].secret", "alerts[0].url"],
  [
    "its address while it is rotated",
    [{ ...WEBHOOK, secret: ["NEW", "HOOK_URL"] }],
    "[0].secret",
    "alerts[0].url",
  ],
  ["its address for its token", [{ ...NTFY, token: "NTFY_URL" }], "[0].token", "alerts[0].url"],
  [
    "another's signature for an address",
    [WEBHOOK, { ...SLACK, url: "HOOK_SECRET" }],
    "[1].url",
    "alerts[0].secret",
  ],
  [
    "another's key for a token",
    [PAGERDUTY, { ...NTFY, token: "PAGERDUTY_KEY" }],
    "[1].token",
    "alerts[0].routingKey",
  ],
  [
    "a bot's token for another service",
    [TELEGRAM, { ...NTFY, token: "BOT_TOKEN" }],
    "[1].token",
    "alerts[0].token",
  ],
  ["a secret for a binding", [SLACK, { ...EMAIL, binding: "SLACK_URL" }], "[1].binding", "alerts[0].url"],
])("no secret is for two things: %s", (_, alerts, path, other) => {
  expect(faultsOf(alerts)).toEqual([
    `alerts${path}: names the secret of ${other}, which is for something else; name a secret of its own`,
  ]);
});

test("the heartbeat's address is no channel's", () => {
  expect(faultsOf([SLACK], { heartbeat: "SLACK_URL" })).toEqual([
    "alerts[0].url: names the secret of heartbeat, which is for something else; name a secret of its own",
  ]);
});

test("channels may share what is for the same thing", () => {
  expect(
    faultsOf([
      WEBHOOK,
      { ...WEBHOOK, id: "second" },
      SLACK,
      { ...SLACK, id: "third", only: { owner: ["caller"] } },
      NTFY,
      { kind: "alertmanager", url: "ALERTMANAGER_URL", token: "NTFY_TOKEN" },
      TELEGRAM,
      { ...TELEGRAM, id: "fourth", chat: "@other" },
      EMAIL,
      { ...EMAIL, id: "fifth" },
    ]),
  ).toEqual([]);
});

test("a gateway's key is no binding either", () => {
  expect(faultsOf([{ ...EMAIL, binding: "ACME_API_KEY" }])).toEqual([
    "alerts[0].binding: names the secret that holds a gateway's key; name a secret of its own",
  ]);
});

test("there are at most as many channels as one invocation can tell", () => {
  const channels = (count: number) => Array.from({ length: count }, (_, n) => ({ ...SLACK, id: `c${n}` }));
  expect(faultsOf(channels(40))).toEqual([]);
  expect(faultsOf(channels(41))).toEqual([
    "alerts: is too long; name at most 40: one may tell of several gateways",
  ]);
});

test.each(["\u200b", "\u2060\ufeff ", "\u3164", "\u202e"])("a title of %j says nothing", (title) => {
  const mend = "write 1 to 120 characters in quotes, none of them a control character";
  expect(faultsOf([], { title })).toEqual([`title: has nothing that can be seen; ${mend}`]);
  const window = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z", title };
  expect(faultsOf([], { maintenance: [window] })).toEqual([
    `maintenance[0].title: has nothing that can be seen; ${mend}`,
  ]);
});
