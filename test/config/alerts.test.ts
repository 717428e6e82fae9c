import { expect, test } from "vitest";
import { channelsOf, faultsOf, LEAST, problemsOf } from "./channels.ts";
import { faultsOf as faults } from "./parsed.ts";

const EVERYTHING = { owners: null, causes: null, gateways: null, events: null };
const common = (kind: string) => ({ kind, id: kind, only: EVERYTHING });
const NONE = "is none of the known values";
const { webhook: WEBHOOK, pagerduty: PAGERDUTY, telegram: TELEGRAM, email: EMAIL } = LEAST;

test("one channel of each kind, with the least that it needs, has its kind for its id and no filter", () => {
  expect(channelsOf(...Object.values(LEAST))).toEqual([
    { ...common("webhook"), urlSecret: "ALERT_URL", signingSecrets: ["ALERT_SECRET"] },
    { ...common("slack"), urlSecret: "SLACK_URL" },
    { ...common("discord"), urlSecret: "DISCORD_URL" },
    { ...common("teams"), urlSecret: "TEAMS_URL" },
    { ...common("pagerduty"), routingKeySecret: "PAGERDUTY_KEY", endpoint: "https://events.pagerduty.com" },
    { ...common("alertmanager"), urlSecret: "ALERTMANAGER_URL", tokenSecret: null },
    {
      ...common("telegram"),
      tokenSecret: "TELEGRAM_TOKEN",
      chat: "@channel",
      endpoint: "https://api.telegram.org",
    },
    { ...common("ntfy"), urlSecret: "NTFY_URL", tokenSecret: null },
    { ...EMAIL, ...common("email"), binding: "EMAIL" },
  ]);
});

test("everything that a channel may say comes out normalised", () => {
  expect(
    channelsOf(
      {
        ...WEBHOOK,
        id: "key-owners",
        secret: ["NEW_SECRET", "OLD_SECRET", "NEW_SECRET"],
        only: {
          owner: ["caller", "nobody", "caller"],
          cause: ["insufficient_balance", "quota_exceeded"],
          gateway: ["acme", "acme"],
          event: ["incident.opened", "incident.resolved"],
        },
      },
      { ...PAGERDUTY, endpoint: "https://events.eu.pagerduty.com/" },
      { kind: "alertmanager", url: "ALERTMANAGER_URL", token: "ALERTMANAGER_TOKEN" },
      { ...TELEGRAM, chat: "-1001234567890", endpoint: "http://127.0.0.1:8081/telegram/" },
      { kind: "ntfy", url: "NTFY_URL", token: "NTFY_TOKEN", only: { event: ["monitoring.stalled"] } },
      { ...EMAIL, to: ["a@acme.example", "b@acme.example", "a@acme.example"], binding: "MAIL" },
    ),
  ).toEqual([
    {
      kind: "webhook",
      id: "key-owners",
      urlSecret: "ALERT_URL",
      signingSecrets: ["NEW_SECRET", "OLD_SECRET"],
      only: {
        owners: ["caller", "nobody"],
        causes: ["insufficient_balance", "quota_exceeded"],
        gateways: { named: ["acme"], others: [] },
        events: ["incident.opened", "incident.resolved"],
      },
    },
    {
      ...common("pagerduty"),
      routingKeySecret: "PAGERDUTY_KEY",
      endpoint: "https://events.eu.pagerduty.com",
    },
    { ...common("alertmanager"), urlSecret: "ALERTMANAGER_URL", tokenSecret: "ALERTMANAGER_TOKEN" },
    {
      ...common("telegram"),
      tokenSecret: "TELEGRAM_TOKEN",
      chat: "-1001234567890",
      endpoint: "http://127.0.0.1:8081/telegram",
    },
    {
      ...common("ntfy"),
      urlSecret: "NTFY_URL",
      tokenSecret: "NTFY_TOKEN",
      only: { ...EVERYTHING, events: ["monitoring.stalled"] },
    },
    { ...common("email"), from: EMAIL.from, to: ["a@acme.example", "b@acme.example"], binding: "MAIL" },
  ]);
});

test("a kind that is missing or unknown is told with those that there are, and its filter is judged all the same", () => {
  const kinds =
    "write one of: webhook, slack, discord, teams, pagerduty, alertmanager, telegram, ntfy, email";
  const object = 'is not an object; write an object like { kind: "slack", url: "SLACK_URL" }';
  expect(faultsOf({ url: "A" }, { kind: "webhok" }, { kind: "http" }, { kind: 5 }, "slack", null)).toEqual([
    `alerts[0].kind: is missing; ${kinds}`,
    `alerts[1].kind: ${NONE}; did you mean webhook?`,
    `alerts[2].kind: ${NONE}; ${kinds}`,
    `alerts[3].kind: ${NONE}; ${kinds}`,
    `alerts[4]: ${object}`,
    `alerts[5]: ${object}`,
  ]);
  expect(problemsOf({ kind: "http", id: "A", only: { owner: ["callers"] } })).toEqual([
    "alerts[0].id: has the wrong form",
    `alerts[0].kind: ${NONE}`,
    `alerts[0].only.owner[0]: ${NONE}`,
  ]);
  const fault = "alerts: is not a list; write a list of channels";
  expect(faults({ title: "t", gateways: [], alerts: {} })).toEqual([fault]);
});

test.each([
  [{ kind: "webhook" }, ["secret", "url"]],
  [{ kind: "teams" }, ["url"]],
  [{ kind: "pagerduty" }, ["routingKey"]],
  [{ kind: "alertmanager" }, ["url"]],
  [{ kind: "telegram" }, ["chat", "token"]],
  [{ kind: "ntfy" }, ["url"]],
  [{ kind: "email" }, ["from", "to"]],
])("%j lacks %j", (channel, fields) => {
  expect(problemsOf(channel)).toEqual(fields.map((field) => `alerts[0].${field}: is missing`));
});

test.each([
  [{ ...WEBHOOK, urll: 1 }, "urll", "did you mean url?"],
  [{ ...WEBHOOK, Secret: 1 }, "Secret", "did you mean secret?"],
  [{ kind: "slack", url: "A", x: "B" }, "x", "remove it; known here: kind, id, only, url"],
  [{ ...PAGERDUTY, routing_key: "A" }, "routing_key", "did you mean routingKey?"],
  [{ ...TELEGRAM, chats: "1" }, "chats", "did you mean chat?"],
  [{ ...WEBHOOK, only: { owners: ["caller"] } }, "only.owners", "did you mean owner?"],
  [{ ...WEBHOOK, only: { level: 1 } }, "only.level", "remove it; known here: owner, cause, gateway, event"],
])("a misspelled setting of a channel is told with what was meant (%#)", (channel, key, fix) => {
  expect(faultsOf(channel)).toEqual([`alerts[0].${key}: is no known setting; ${fix}`]);
});

test("a setting of another kind is told with those that have it", () => {
  expect(faultsOf({ kind: "slack", url: "A", token: "B" })).toEqual([
    "alerts[0].token: is no setting of this kind; remove it: it is for alertmanager, telegram, ntfy",
  ]);
});

test("two channels of one kind need ids, and no two ids are the same", () => {
  const fix = "give each an id of its own";
  const same = "is the same as that of alerts[0]";
  const usual = `${same} (its default, unless you give one); ${fix}`;
  expect(faultsOf(WEBHOOK, TELEGRAM, WEBHOOK)).toEqual([`alerts[2].id: ${usual}`]);
  expect(faultsOf({ ...WEBHOOK, id: "telegram" }, TELEGRAM)).toEqual([`alerts[1].id: ${usual}`]);
  const written = faultsOf({ ...WEBHOOK, id: "ops" }, { ...TELEGRAM, id: "ops" });
  expect(written).toEqual([`alerts[1].id: ${same}; ${fix}`]);
  const ids = channelsOf(WEBHOOK, { ...WEBHOOK, id: "second" }).map(({ id }) => id);
  expect(ids).toEqual(["webhook", "second"]);
  expect(problemsOf({ ...WEBHOOK, id: "Second!" })).toEqual(["alerts[0].id: has the wrong form"]);
});

const OWNERS_FIX = "write one of: caller, operator, upstream, network, nobody";
const EVENTS_FIX =
  "write one of: incident.opened, incident.updated, incident.resolved, models.changed, monitoring.stalled, monitoring.resumed";
const CAUSE_FIX = "write the cause of an incident as pages and API name it, like insufficient_balance";

test.each([
  [{ owner: [] }, "owner", "is empty", 'write a list like ["caller"]'],
  [{ owner: "caller" }, "owner", "is not a list", 'write a list like ["caller"]'],
  [{ owner: ["calller"] }, "owner[0]", NONE, "did you mean caller?"],
  [{ owner: ["caller", 5] }, "owner[1]", NONE, OWNERS_FIX],
  [{ cause: [] }, "cause", "is empty", 'write a list like ["insufficient_balance"]'],
  [{ cause: ["insufficient_ballance"] }, "cause[0]", NONE, "did you mean insufficient_balance?"],
  [{ cause: ["ok"] }, "cause[0]", NONE, CAUSE_FIX],
  [{ cause: ["timeout", "task_pending"] }, "cause[1]", NONE, CAUSE_FIX],
  [{ gateway: [] }, "gateway", "is empty", 'write a list of gateway ids, like ["acme"]'],
  [{ gateway: [5] }, "gateway[0]", "is not text", "write a gateway's id"],
  [
    { gateway: ["acme", "b"] },
    "gateway[1]",
    "names no gateway of this configuration",
    "write a gateway's id",
  ],
  [{ event: [] }, "event", "is empty", 'write a list like ["incident.opened"]'],
  [{ event: ["incident.open"] }, "event[0]", NONE, "did you mean incident.opened?"],
  [{ event: ["test"] }, "event[0]", NONE, EVENTS_FIX],
])("only: %j is refused", (only, path, problem, fix) => {
  expect(faultsOf({ ...WEBHOOK, only })).toEqual([`alerts[0].only.${path}: ${problem}; ${fix}`]);
});

test("a filter that filters nothing is refused, and one that is no object", () => {
  expect(faultsOf({ ...WEBHOOK, only: {} }, { kind: "slack", url: "A", only: [] })).toEqual([
    "alerts[0].only: is empty; name owner, cause, gateway or event, or leave only out",
    'alerts[1].only: is not an object; write an object like { owner: ["caller"] }',
  ]);
  expect(problemsOf({ ...WEBHOOK, only: { owner: undefined } })).toEqual(["alerts[0].only: is empty"]);
});

test("all faults of all channels are told at once", () => {
  expect(
    problemsOf(
      { kind: "slack", url: "no name", id: "A", only: { owner: ["callr"], gateway: ["beta"] } },
      { ...PAGERDUTY, routingKey: 5, endpoint: "ftp://x.example" },
      { ...EMAIL, from: "", binding: "kv", subject: "x" },
    ),
  ).toEqual([
    "alerts[0].id: has the wrong form",
    "alerts[0].only.gateway[0]: names no gateway of this configuration",
    "alerts[0].only.owner[0]: is none of the known values",
    "alerts[0].url: is not the name of a secret",
    "alerts[1].endpoint: is neither https nor http",
    "alerts[1].routingKey: is not text",
    "alerts[2].binding: has the wrong form",
    "alerts[2].from: has the wrong form",
    "alerts[2].subject: is no known setting",
  ]);
});
