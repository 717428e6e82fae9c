import { expect, test } from "vitest";
import { channelsOf, faultsOf, faultsWith, LEAST, problemsOf } from "./channels.ts";

const heartbeatFaults = (heartbeat: string) => faultsWith([], { heartbeat });

const { webhook: WEBHOOK, pagerduty: PAGERDUTY, telegram: TELEGRAM, email: EMAIL, slack: SLACK } = LEAST;

test.each([
  ["alerts[0].url", (url: string) => faultsOf({ kind: "slack", url })],
  ["alerts[0].url", (url: string) => faultsOf({ kind: "ntfy", url })],
  ["heartbeat", heartbeatFaults],
] as const)("an address that is pasted as %s is told to be a secret, and how to fix it", (path, judge) => {
  expect(judge("https://alerts.acme.example/in")).toEqual([
    `${path}: is an address, where the name of a secret belongs; remove it, and renew it if anybody else has seen this file: who knows it can send there. Set it with \`wrangler secret put NAME\` (for npm start in .dev.vars); only NAME may stand here`,
  ]);
  // One that shows that it is a secret has been told of as such before.
  expect(judge("https://hooks.slack.com/services/T00/B00/x1")).toEqual([
    expect.stringContaining(`${path}: looks like a secret itself; `),
  ]);
});

const NAMED = [
  ["url", WEBHOOK, "ALERT_URL"],
  ["secret", WEBHOOK, "ALERT_SECRET"],
  ["url", { kind: "discord", url: "" }, "CHAT_URL"],
  ["routingKey", PAGERDUTY, "PAGERDUTY_KEY"],
  ["url", { kind: "alertmanager", url: "" }, "ALERT_URL"],
  ["token", { kind: "alertmanager", url: "A" }, "ALERT_TOKEN"],
  ["token", TELEGRAM, "TELEGRAM_TOKEN"],
  ["url", { kind: "ntfy", url: "" }, "ALERT_URL"],
  ["token", { kind: "ntfy", url: "A" }, "ALERT_TOKEN"],
] as const;

test.each(NAMED)("%s of %j holds the name of a secret", (field, channel, example) => {
  const fix = `write the name of a secret like ${example} (A-Z, 0-9 and _) and set its value with \`wrangler secret put\`, for npm start in .dev.vars`;
  const path = `alerts[0].${field}`;
  expect(faultsOf({ ...channel, [field]: "alerts.acme.example/in" })).toEqual([
    `${path}: is not the name of a secret; ${fix}`,
  ]);
  expect(faultsOf({ ...channel, [field]: 5 })).toEqual([`${path}: is not text; ${fix}`]);
  expect(faultsOf({ ...channel, [field]: "LEDGER" })).toEqual([
    `${path}: is a name that Gatepulse uses itself; give it a name of its own, like ${example}`,
  ]);
});

test.each(NAMED)("%s of %j is not the key of a gateway, which would be sent there", (field, channel) => {
  expect(faultsOf({ ...channel, [field]: "ACME_API_KEY" })).toEqual([
    `alerts[0].${field}: names the secret that holds a gateway's key; name a secret of its own`,
  ]);
});

test("each name in a list of signing secrets is judged for itself", () => {
  const list =
    'write the name of a secret like "ALERT_SECRET", or a list while it is rotated: ["NEW_SECRET", "OLD_SECRET"]';
  expect(faultsOf({ ...WEBHOOK, secret: [] })).toEqual([`alerts[0].secret: is empty; ${list}`]);
  expect(problemsOf({ ...WEBHOOK, secret: ["NEW_SECRET", "old secret", 5, "KV"] })).toEqual([
    "alerts[0].secret[1]: is not the name of a secret",
    "alerts[0].secret[2]: is not text",
    "alerts[0].secret[3]: is a name that Gatepulse uses itself",
  ]);
  expect(problemsOf({ ...WEBHOOK, secret: ["NEW_SECRET", "ACME_API_KEY"] })).toEqual([
    "alerts[0].secret: names the secret that holds a gateway's key",
  ]);
});

test.each([
  ["https://events.eu.pagerduty.com", "https://events.eu.pagerduty.com"],
  ["https://proxy.acme.example/pagerduty/", "https://proxy.acme.example/pagerduty"],
  ["http://localhost:9", "http://localhost:9"],
  ["http://10.0.0.1", "http://10.0.0.1"],
])("the endpoint %s is taken as %s", (endpoint, taken) => {
  expect(channelsOf({ ...PAGERDUTY, endpoint })).toMatchObject([{ endpoint: taken }]);
});

test.each([
  ["api.telegram.org", ["is not a web address"]],
  ["", ["is not a web address"]],
  ["ftp://api.telegram.org", ["is neither https nor http"]],
  ["https://u:p@api.telegram.org", ["carries user info"]],
  ["https://api.telegram.org?a=1#b", ["carries a fragment", "carries a query"]],
  ["https://api.telegram.org/bot", ["carries the path that Gatepulse adds itself"]],
  ["https://events.pagerduty.com/v2/enqueue/", ["carries the path that Gatepulse adds itself"]],
  [
    "http://api.telegram.org",
    ["would send the key unencrypted: http to a host that is neither this machine nor private"],
  ],
  [5, ["is not text"]],
])("the endpoint %j is refused", (endpoint, expected) => {
  for (const channel of [TELEGRAM, PAGERDUTY]) {
    const told = problemsOf({ ...channel, endpoint }).toSorted();
    expect(told).toEqual(expected.map((problem) => `alerts[0].endpoint: ${problem}`));
  }
});

test("plain http to a public endpoint cannot be allowed", () => {
  expect(faultsOf({ ...TELEGRAM, endpoint: "http://api.telegram.org" })[0]).toMatch(/; use https$/);
});

test.each(["-1001234567890", "42", "@channel", "@a_b1"])("%s is a chat of Telegram", (chat) => {
  expect(channelsOf({ ...TELEGRAM, chat })).toMatchObject([{ chat }]);
});

test.each(["channel", "@", "@a b", "-", "1.5", "", "https://t.me/channel", -1001234567890])(
  "%j is no chat of Telegram",
  (chat) => {
    const problem = typeof chat === "number" ? "is not text" : "has the wrong form";
    const fix = `write the chat's number in quotes, like "-1001234567890", or its name, like "@channel"`;
    expect(faultsOf({ ...TELEGRAM, chat })).toEqual([`alerts[0].chat: ${problem}; ${fix}`]);
  },
);

test.each([
  "oncall",
  "@acme.example",
  "oncall@",
  "oncall@acme",
  "a b@acme.example",
  "On call <oncall@acme.example>",
  "a@acme.example,b@acme.example",
  "oncall@acme.example\nBcc: x@y.example",
  `${"x".repeat(250)}@acme.example`,
  "",
])("%j is no mail address", (address) => {
  const fault = "has the wrong form; write one address like oncall@acme.example";
  expect(faultsOf({ ...EMAIL, from: address, to: ["a@acme.example", address] })).toEqual([
    `alerts[0].from: ${fault}`,
    `alerts[0].to[1]: ${fault}`,
  ]);
});

test("mail goes to 1 to 50 addresses, in a list", () => {
  const fix = 'write a list of addresses, like ["oncall@acme.example"]';
  const to = Array.from({ length: 51 }, (_, index) => `p${index}@acme.example`);
  expect(faultsOf({ ...EMAIL, to: [] })).toEqual([`alerts[0].to: is empty; ${fix}`]);
  expect(faultsOf({ ...EMAIL, to: "a@acme.example" })).toEqual([`alerts[0].to: is not a list; ${fix}`]);
  expect(problemsOf({ ...EMAIL, to })).toEqual(["alerts[0].to: is too long"]);
  expect(problemsOf({ ...EMAIL, to: to.slice(1) })).toEqual([]);
});

test.each([
  ["e-mail", "has the wrong form; write the name of a binding like EMAIL"],
  ["KV", "is a name that Gatepulse uses itself; give it a name of its own, like EMAIL"],
  ["ACME_API_KEY", "names the secret that holds a gateway's key; name a secret of its own"],
])("the binding of mail is a name of its own: %s", (binding, fault) => {
  expect(faultsOf({ ...EMAIL, binding })).toEqual([`alerts[0].binding: ${fault}`]);
});

test("there are at most as many channels as one invocation can tell", () => {
  const channels = Array.from({ length: 41 }, (_, n) => Object.assign({ id: `c${n}` }, SLACK));
  expect(faultsOf(...channels.slice(1))).toEqual([]);
  const fault = "alerts: is too long; name at most 40: one may tell of several gateways";
  expect(faultsOf(...channels)).toEqual([fault]);
});

test.each(["\u200b", "\u2060\ufeff ", "\u3164", "\u202e"])("a title of %j says nothing", (title) => {
  const fault =
    "title: has nothing that can be seen; write 1 to 120 characters in quotes, none of them a control character";
  expect(faultsWith([], { title })).toEqual([fault]);
  const window = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z", title };
  expect(faultsWith([], { maintenance: [window] })).toEqual([`maintenance[0].${fault}`]);
});
