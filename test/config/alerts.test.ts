import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import type { AlertInput } from "../../src/config/define-config.ts";
import { readConfig } from "../../src/config/load.ts";
import { CHANNELS, entryOf, KINDS, LEAST } from "../alert/channel-configs.ts";
import { ACME, faultsOf as faults } from "./parsed.ts";

const withAlerts = (alerts: unknown, more: object = {}) => ({
  title: "t",
  gateways: [ACME],
  alerts,
  ...more,
});

/** The type of the argument is what editors show: all that is accepted here can be written there. */
function channelsOf(...alerts: readonly AlertInput[]): readonly ChannelConfig[] {
  return readConfig(withAlerts(alerts)).alerts;
}

const faultsOf = (...alerts: readonly unknown[]) => faults(withAlerts(alerts));
const faultsWith = (alerts: readonly unknown[], more: object) => faults(withAlerts(alerts, more));

const EVERYTHING = { turns: null, owners: null, causes: null, gateways: null, events: null };
const { webhook: WEBHOOK, pagerduty: PAGERDUTY, telegram: TELEGRAM, email: EMAIL, slack: SLACK } = LEAST;

test.each(KINDS)(
  "%s has its kind for its id and no filter, with the least that it needs and with all",
  (kind) => {
    const { least, full = least, usual, examples, secrets } = entryOf(kind);
    expect(channelsOf(least)).toEqual([{ ...CHANNELS[kind], ...usual }]);
    expect(channelsOf(full)).toEqual([CHANNELS[kind]]);
    const named = new Map(Object.entries(full));
    expect(Object.keys(examples).map((setting) => named.get(setting))).toEqual(Object.keys(secrets));
  },
);

test("everything that a channel may say comes out normalised", () => {
  const only = {
    turn: ["us", "operator", "us"],
    owner: ["caller", "nobody", "caller"],
    cause: ["insufficient_balance", "quota_exceeded"],
    gateway: ["acme", "acme"],
    event: ["incident.opened", "incident.resolved"],
  } as const;
  const endpoint = "http://127.0.0.1:8081/telegram/";
  const to = ["a@acme.example", "b@acme.example", "a@acme.example"];
  expect(
    channelsOf(
      { ...WEBHOOK, id: "key-owners", secret: ["NEW_SECRET", "OLD_SECRET", "NEW_SECRET"], only },
      { ...PAGERDUTY, endpoint: "https://events.eu.pagerduty.com/" },
      { ...TELEGRAM, chat: "-1001234567890", endpoint },
      { ...SLACK, only: { event: ["monitoring.stalled"] } },
      { ...EMAIL, to, binding: "MAIL" },
    ),
  ).toMatchObject([
    {
      id: "key-owners",
      secret: ["NEW_SECRET", "OLD_SECRET"],
      only: {
        turns: ["us", "operator"],
        owners: ["caller", "nobody"],
        causes: ["insufficient_balance", "quota_exceeded"],
        gateways: { named: ["acme"], others: [] },
        events: ["incident.opened", "incident.resolved"],
      },
    },
    { endpoint: "https://events.eu.pagerduty.com" },
    { chat: "-1001234567890", endpoint: "http://127.0.0.1:8081/telegram" },
    { only: { ...EVERYTHING, events: ["monitoring.stalled"] } },
    { to: to.slice(0, 2), binding: "MAIL" },
  ]);
});

const OTHERS =
  "slack, discord, teams, pagerduty, alertmanager, telegram, ntfy, feishu, dingtalk, wecom, googlechat, mattermost, bark, serverchan, oncall, gotify, pushover, matrix, opsgenie, github, custom or email";

test("a missing or unknown kind is a fault that lists the known ones", () => {
  const [missing = "", ...others] = faultsOf({ url: "A" }, { kind: "webhok" });
  const kinds = missing.replace("alerts[0].kind: is missing; use ", "").split(/, | or /);
  // In the order of docs/channels.md, which its own test compares.
  expect(kinds.toSorted()).toEqual(KINDS.toSorted());
  expect(others).toEqual([
    `alerts[1].kind: is not a kind of channel; did you mean webhook? Otherwise use ${OTHERS}`,
  ]);
});

const SAME = "is the same as that of alerts[0]";
const OTHER_ID = "give each its own id";
const FIFTY_ONE = Array.from({ length: 51 }, (_, index) => `p${index}@acme.example`);

/** Of the last channel, which alone has one. */
test.each<[channels: readonly object[], path: string, fault: string]>([
  [[WEBHOOK, TELEGRAM, WEBHOOK], "id", `${SAME} (its default, unless you give one); ${OTHER_ID}`],
  [
    [
      { ...WEBHOOK, id: "ops" },
      { ...TELEGRAM, id: "ops" },
    ],
    "id",
    `${SAME}; ${OTHER_ID}`,
  ],
  [
    [{ ...WEBHOOK, secret: ["NEW_SECRET", "ACME_API_KEY"] }],
    "secret",
    "is the secret of a gateway's key; use a separate secret",
  ],
  [
    [{ ...TELEGRAM, endpoint: "http://api.telegram.org" }],
    "endpoint",
    "would send the key unencrypted: http to a host that is neither this machine nor private; use https",
  ],
  [[{ ...EMAIL, to: FIFTY_ONE }], "to", "is too long; use at most 50"],
  [
    [{ ...EMAIL, binding: "KV" }],
    "binding",
    "is a name that Gatepulse uses; choose another name, like EMAIL",
  ],
  [
    [{ ...SLACK, url: "https://alerts.acme.example/in" }],
    "url",
    "is an address, but must be the name of a secret; remove it. If anyone else has seen this file, create a new address, because anyone who knows it can send there. Set it with `wrangler secret put NAME` (for npm start in .dev.vars); write only NAME here",
  ],
])("%j: %s %s", (channels, path, fault) => {
  expect(faultsOf(...channels)).toEqual([`alerts[${channels.length - 1}].${path}: ${fault}`]);
});

const NO_CAUSE =
  "is not a cause of incidents, see https://github.com/gatepulse/gatepulse/blob/main/docs/causes.md";
const CAUSES = "use slow, model_missing, dns_failure, …";
const EVENTS =
  "use incident.opened, incident.updated, incident.resolved, models.changed, monitoring.stalled, monitoring.resumed or pauses.reminder";

test.each([
  [
    { cause: ["insufficient_ballance"] },
    ".cause[0]",
    NO_CAUSE,
    `did you mean insufficient_balance? Otherwise ${CAUSES}`,
  ],
  [{ cause: ["timeout", "task_pending"] }, ".cause[1]", NO_CAUSE, CAUSES],
  [{ gateway: ["acme", "b"] }, ".gateway[1]", "is not a gateway of this configuration", "use acme"],
  [{ event: ["test"] }, ".event[0]", "is not an event", EVENTS],
  [{}, "", "is empty", "add turn, owner, cause, gateway or event, or leave only out"],
])("only: %j is refused", (only, path, problem, fix) => {
  expect(faultsOf({ ...WEBHOOK, only })).toEqual([`alerts[0].only${path}: ${problem}; ${fix}`]);
});

const SECRET_SETTINGS = KINDS.flatMap((kind) => {
  const { least, examples } = entryOf(kind);
  return Object.entries(examples).map(([setting, example]) => [setting, least, example] as const);
});

test.each(SECRET_SETTINGS)(
  "%s of %j is the name of a secret that is no gateway's key",
  (field, channel, example) => {
    const fix = `write the name of a secret like ${example} (A-Z, 0-9 and _) and set its value with \`wrangler secret put\`, for npm start in .dev.vars`;
    for (const [written, fault] of [
      ["alerts.acme.example/in", `is not the name of a secret; ${fix}`],
      ["LEDGER", `is a name that Gatepulse uses; choose another name, like ${example}`],
      ["ACME_API_KEY", "is the secret of a gateway's key; use a separate secret"],
    ])
      expect(faultsOf({ ...channel, [field]: written })).toEqual([`alerts[0].${field}: ${fault}`]);
  },
);

test.each([
  "oncall",
  "oncall@acme",
  "a b@acme.example",
  "On call <oncall@acme.example>",
  "oncall@acme.example\nBcc: x@y.example",
  `${"x".repeat(250)}@acme.example`,
])("%j is no mail address", (address) => {
  const fault = "has the wrong form; write one address like oncall@acme.example";
  expect(faultsOf({ ...EMAIL, from: address, to: ["a@acme.example", address] })).toEqual([
    `alerts[0].from: ${fault}`,
    `alerts[0].to[1]: ${fault}`,
  ]);
});

test("there are at most as many channels as one invocation can tell", () => {
  const channels = Array.from({ length: 41 }, (_, n) => Object.assign({ id: `c${n}` }, SLACK));
  expect(faultsOf(...channels.slice(1))).toEqual([]);
  const fault = "alerts: is too long; use at most 40: one can serve several gateways";
  expect(faultsOf(...channels)).toEqual([fault]);
});

test.each(["\u200b", "\u2060\ufeff ", "\u3164", "\u202e"])("a title of %j says nothing", (title) => {
  const fault =
    "title: has no visible characters; write 1 to 120 characters in quotes, none of them a control character";
  expect(faultsWith([], { title })).toEqual([fault]);
  const window = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z", title };
  expect(faultsWith([], { maintenance: [window] })).toEqual([`maintenance[0].${fault}`]);
});

test("half an emoji, as a tool that cuts text leaves it, is no text", () => {
  const fault = "has the wrong form; write 1 to 120 characters in quotes, none of them a control character";
  expect(faultsWith([], { title: "status \ud83d" })).toEqual([`title: ${fault}`]);
  expect(faultsWith([], { title: "status 😀" })).toEqual([]);
});
