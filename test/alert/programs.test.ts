/** The channels for programs. Whole bodies are in test/vectors/alerts/. */
import { expect, test, describe } from "vitest";
import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { renderAlerts } from "../../src/alert/channels/programs/alertmanager.ts";
import { CHANNELS, render, SECRETS, PORTS, ENTRIES } from "./channel-configs.ts";
import {
  blocked,
  bodyOf,
  failure,
  incident,
  letterOf,
  modelsChanged,
  occasion,
  opened,
  ownNetworkFails,
  resolved,
  resumed,
  stalled,
  tested,
  updated,
} from "./telling.ts";
import { github } from "../../src/alert/channels/programs/github.ts";
import { send } from "../../src/ledger/deliver/channel-client.ts";
import { playOutbox } from "../ledger/outbox-sqlite.ts";
import { drafts } from "../fixtures/outbox.ts";
import { serveInTurn } from "../probe/small-server.ts";
import { signatureHeaders, signingKeyOf, webhook } from "../../src/alert/channels/programs/webhook.ts";

const ALERTMANAGER = CHANNELS.alertmanager;
const DOWN = {
  alertname: "GatepulseIncident",
  severity: "critical",
  health: "down",
  owner: "upstream",
  turn: "upstream",
  gateway: "acme",
  incident: "acme.models-20261120t120000z",
  monitoring: "Acme gateways",
};
const BLOCKED = { ...DOWN, severity: "warning", health: "blocked", owner: "caller", turn: "us" };
/** 10 minutes after now. */
const FIRING = "2026-11-20T12:11:00.000Z";

/** Labels, start and end. */
async function spans(event: AlertEvent): Promise<readonly unknown[]> {
  type Alert = Readonly<Record<"labels" | "startsAt" | "endsAt", unknown>>;
  const alerts = bodyOf(await render(ALERTMANAGER, [event])) as readonly Alert[];
  return alerts.map(({ labels, startsAt, endsAt }) => [labels, startsAt, endsAt]);
}

// A whole body is in test/vectors/alerts/.
test("it is asked as an API that takes JSON, with the token of the proxy before it", async () => {
  const { headers } = letterOf(await render(ALERTMANAGER, [opened()]));
  expect(headers).toEqual({
    "content-type": "application/json",
    authorization: "Bearer token-of-the-proxy",
  });
});

test.each([
  "https://alerts.acme.example/am",
  "https://alerts.acme.example/am/",
  "https://alerts.acme.example/am/api/v2/alerts",
])("the path is added once to %s", async (ALERTMANAGER_URL) => {
  const letter = letterOf(await render(ALERTMANAGER, [opened()], { ...SECRETS, ALERTMANAGER_URL }));
  expect(letter.url).toBe("https://alerts.acme.example/am/api/v2/alerts");
});

const START = "2026-11-20T11:59:00.000Z";
const OPENED = "2026-11-20T12:00:00.000Z";
const UPDATED = "2026-11-20T12:10:00.000Z";
const ENDED = "2026-11-20T12:30:00.000Z";
const whileOpen = [[DOWN, START, FIRING]];
const ended = [[DOWN, START, ENDED]];

/** Another cause, another text and another monitor. */
function changedInside(): AlertEvent {
  const timeline = [failure("opened", OPENED), failure("updated", "2026-11-20T12:05:00.000Z", "http_error")];
  const monitors = ["acme/models", "acme/chat"];
  return opened({ incident: incident({ cause: "http_error", monitors, timeline }) });
}

/** Down, blocked, and down again. */
function cameBack(): AlertEvent {
  const back = failure("updated", "2026-11-20T12:20:00.000Z");
  const timeline = [...updated().incident!.timeline, back];
  return updated({ atMs: Date.parse(back.at), incident: incident({ timeline }) });
}

/** As older records have it. */
function withoutHealths(): AlertEvent {
  const unknown = { health: null, owner: null, turn: null };
  const updatedAt = "2026-11-20T12:05:00.000Z";
  const timeline = [
    { ...failure("opened", OPENED), ...unknown },
    { ...failure("updated", updatedAt), ...unknown },
  ];
  return opened({ incident: incident({ timeline, firstFailureAt: null }) });
}

/** Too long a timeline lost its latest change; another monitor joined since. */
function withoutLatestChange(): AlertEvent {
  const joined = { ...failure("updated", UPDATED, "dns_failure", "network"), type: "joined" };
  const timeline = [failure("opened", OPENED), joined];
  return opened({ incident: incident({ owner: "network", timeline }) });
}

/** Its gateway keeps the name that it had at the opening. */
function renamed(): AlertEvent {
  const moved = incident({ gateway: "volt", monitors: ["volt/models"] });
  return opened({ gateway: { id: "volt", name: "Volt", monitors: 1 }, incident: moved });
}

const { gateway: _gateway, ...OF_NO_GATEWAY } = {
  ...DOWN,
  severity: "warning",
  health: "unknown",
  owner: "network",
  turn: "network",
};
const MISSING = {
  alertname: "GatepulseModelsMissing",
  severity: "warning",
  owner: "operator",
  turn: "operator",
  gateway: "acme",
  monitor: "acme/models",
  monitoring: "Acme gateways",
};
const SILENCE = {
  alertname: "GatepulseMonitoringStalled",
  severity: "critical",
  monitoring: "Acme gateways",
};
const TEST = {
  alertname: "GatepulseTest",
  severity: "info",
  event: "2026-11-20-test-11",
  monitoring: "Acme gateways",
};
const STALLED = "2026-11-20T11:57:00.000Z";

test.each<[title: string, event: AlertEvent, ...spans: unknown[][]]>([
  ["its end ends the alert of its beginning", resolved(), ...ended],
  ["another cause, another text or another monitor is the same alert", changedInside(), ...whileOpen],
  [
    "another owner or health is another alert, and the one before has ended",
    updated(),
    [DOWN, START, UPDATED],
    [BLOCKED, UPDATED, "2026-11-20T12:20:00.000Z"],
  ],
  [
    "what comes back is the same alert again, and is told once",
    cameBack(),
    [DOWN, "2026-11-20T12:20:00.000Z", ENDED],
    [BLOCKED, UPDATED, "2026-11-20T12:20:00.000Z"],
  ],
  [
    "the alert of a refused key that production uses is critical",
    blocked({ gateway: { id: "acme", name: "Acme", monitors: 1, usedBy: "production" } }),
    [{ ...BLOCKED, severity: "critical" }, START, FIRING],
  ],
  ["a timeline without healths is one alert", withoutHealths(), [DOWN, OPENED, FIRING]],
  [
    "health and owner of now fire, also where the timeline has no change to them",
    withoutLatestChange(),
    [DOWN, START, UPDATED],
    [{ ...DOWN, owner: "network", turn: "network" }, UPDATED, FIRING],
  ],
  ["what fired fires on under the name that it had", renamed(), ...whileOpen],
  [
    "what has no gateway has no label of one",
    ownNetworkFails(),
    [{ ...OF_NO_GATEWAY, incident: "monitoring-20261120t120000z" }, OPENED, FIRING],
  ],
  ["missing models fire", modelsChanged(["a"]), [MISSING, OPENED, FIRING]],
  ["models that are all back end their alert", modelsChanged([], ["a"]), [MISSING, OPENED, OPENED]],
  ["silence that is over ends its alert", resumed(), [SILENCE, STALLED, "2026-11-20T13:00:00.000Z"]],
  [
    "silence of another shard than 0 has a label of it",
    { ...stalled(), shard: 2 },
    [{ ...SILENCE, shard: "2" }, STALLED, FIRING],
  ],
  ["a test ends by itself", tested(), [TEST, OPENED, "2026-11-20T12:03:00.000Z"]],
])("%s", async (_title, event, ...expected) => {
  expect(await spans(event)).toEqual(expected);
});

test("sent again, the last event on an incident counts", () => {
  const nowMs = Date.parse("2026-11-20T12:12:00Z");
  const alerts = renderAlerts([opened(), updated()], occasion(SECRETS, { nowMs }));
  expect(alerts.map(({ labels, endsAt }) => [labels["health"], endsAt])).toEqual([
    ["down", "2026-11-20T12:10:00.000Z"],
    ["blocked", "2026-11-20T12:22:00.000Z"],
  ]);
});

// The channel `github` and a server that keeps issues and refuses what GitHub refuses.

interface Issue {
  readonly number: number;
  title: string;
  body: string | null;
  state: string;
  labels: { name: string }[];
  comments: string[];
  updated_at: string;
}

const PATH = /^\/repos\/acme\/status\/issues(?:\/(\d+)(\/comments)?)?$/;
const AT = "2026-11-20T12:01:00Z";

function listed(issues: readonly Issue[], query: URLSearchParams): readonly Issue[] {
  const labels = (query.get("labels") ?? "").split(",");
  return issues
    .filter(({ state, updated_at: at }) =>
      query.get("state") === "all" ? at >= (query.get("since") ?? "") : state === "open",
    )
    .filter((issue) => labels.every((label) => issue.labels.some(({ name }) => name === label)))
    .toReversed();
}

function answered(issues: Issue[], request: IncomingMessage, text: string): [status: number, body: unknown] {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const { authorization, accept, "user-agent": agent, "x-github-api-version": version } = request.headers;
  if (!agent || accept !== "application/vnd.github+json" || version !== "2022-11-28") return [403, {}];
  if (authorization !== "Bearer github_pat_of-the-bot") return [401, { message: "Bad credentials" }];
  const [path, number, part] = PATH.exec(pathname) ?? [];
  const issue = issues.find((of) => String(of.number) === number);
  if (path === undefined || (number !== undefined && !issue)) return [404, { message: "Not Found" }];
  if (!/^(?:\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}Z)?$/.test(searchParams.get("since") ?? "")) return [422, {}];
  if (request.method === "GET") return [200, listed(issues, searchParams)];
  const { title = "", body = "", state = "open", labels = [], ...others } = JSON.parse(text);
  const isRefused = title.length > 256 || body.length > 65_536 || !/^(?:open|closed)$/.test(state);
  if (isRefused || Object.keys(others).length > 0) return [422, { message: "Validation Failed" }];
  if (part) issue?.comments.push(body);
  else if (issue) issue.state = state;
  else {
    const named = labels.map((name: string) => ({ name }));
    issues.push({
      number: issues.length + 1,
      title,
      body,
      state,
      labels: named,
      comments: [],
      updated_at: AT,
    });
  }
  return [201, {}];
}

/** @param lost the request whose answer never comes. */
async function playGitHub(lost = 0) {
  const issues: Issue[] = [];
  const asked: string[] = [];
  const receiver = await serveInTurn((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/^.*issues|\?.*/g, "")}`);
    const [status, body] = answered(issues, request, receiver.seen.at(-1)?.body ?? "");
    if (asked.length === lost) request.socket.resetAndDestroy();
    else response.writeHead(status).end(JSON.stringify(body));
  });
  const told = async (event: AlertEvent, secrets = SECRETS, over: object = {}) => {
    const channel = { ...CHANNELS.github, endpoint: receiver.url, ...over };
    const ports = { ...PORTS, secretOf: (name: string) => secrets[name] ?? null, ...over };
    return (await send([event], channel, github, ports)).verdict.type;
  };
  return { issues, asked, told };
}

test("an incident is one issue: opened, commented, closed", async () => {
  const { issues, asked, told } = await playGitHub();
  for (const event of [opened(), updated(), resolved()]) expect(await told(event)).toBe("delivered");
  expect(issues).toMatchObject([
    { title: expect.stringMatching(/^🔴 Down: Acme/u), state: "closed", labels: [{ name: "gatepulse" }] },
  ]);
  expect(issues[0]?.comments).toEqual([
    expect.stringMatching(/^\*\*🟠 Blocked: Acme/u),
    expect.stringMatching(/^\*\*🟢 Recovered: Acme/u),
  ]);
  const requests = "GET |POST |GET |POST /1/comments|GET |PATCH /1|POST /1/comments";
  expect(asked).toEqual(requests.split("|"));
});

describe("a lost answer", () => {
  test("to the creation opens no second issue, and is no comment", async () => {
    const { issues, told } = await playGitHub(2);
    expect([await told(opened()), await told(opened())]).toEqual(["later", "delivered"]);
    expect(issues).toMatchObject([{ comments: [] }]);
  });

  test("to the closing closes and comments once", async () => {
    const { issues, told } = await playGitHub(4);
    expect([await told(opened()), await told(resolved()), await told(resolved())]).toEqual([
      "delivered",
      "later",
      "delivered",
    ]);
    expect(issues).toMatchObject([{ state: "closed", comments: [expect.any(String)] }]);
  });
});

test("an issue that a person closed stays closed when the cause changes; what begins again opens it", async () => {
  const { issues, told } = await playGitHub();
  const before = { ...updated(), id: "another" };
  for (const event of [opened(), stalled()]) await told(event);
  for (const issue of issues) issue.state = "closed";
  for (const event of [before, { ...stalled(), id: "again" }]) await told(event);
  expect(issues).toMatchObject([
    { state: "closed", comments: [expect.any(String)] },
    { state: "open", comments: [expect.any(String)] },
  ]);
});

test("a stranger's issue with the mark, but without the label, is not taken for it", async () => {
  const { issues, told } = await playGitHub();
  await told(opened());
  issues[0]!.labels = [];
  await told(updated());
  expect(issues).toMatchObject([{ comments: [] }, { comments: [] }]);
});

test("the end of an incident that has no issue says nothing", async () => {
  const { issues, told } = await playGitHub();
  expect([await told(resolved()), issues]).toEqual(["delivered", []]);
});

test("what GitHub refuses is no delivery, and a list that cannot be read opens nothing", async () => {
  const { issues, told } = await playGitHub();
  expect(await told(opened(), { GITHUB_TOKEN: "of-another" })).toBe("gone");
  expect(await told(opened(), SECRETS, { repo: "acme/gone" })).toBe("gone");
  expect(await told(opened(), SECRETS, { fetch: async () => new Response("<html>") })).toBe("later");
  expect(issues).toEqual([]);
});

test("each message counts as three requests of an invocation", async () => {
  let requests = 0;
  const fetch = async () => new Response((requests += 1) % 2 === 1 ? "[]" : "{}", { status: 200 });
  const { of } = playOutbox([CHANNELS.github], { fetch, kindOf: () => github, secrets: SECRETS });
  of.append(...drafts(60, { type: "monitoring.stalled" }));
  await of.deliver();
  await expect.poll(() => of.rearmed).toBe(1);
  expect(requests).toBe(30);
});

const PAGERDUTY = CHANNELS.pagerduty;
const INCIDENT_ID = "acme.models-20261120t120000z";

// The whole bodies of an outage and of its end are in test/vectors/alerts/.
test.each([PAGERDUTY.endpoint, "https://events.eu.pagerduty.com"])("it is asked at %s", async (endpoint) => {
  const letter = letterOf(await render({ ...PAGERDUTY, endpoint }, [opened()]));
  expect(letter.url).toBe(`${endpoint}/v2/enqueue`);
});

test.each([
  ["its end", resolved(), "resolve", INCIDENT_ID, null],
  ["what was updated", updated(), "trigger", INCIDENT_ID, "error"],
  ["what is ours to fix", blocked(), "trigger", INCIDENT_ID, "error"],
  ["a monitor that was removed", resolved(opened(), { reason: "removed" }), "resolve", INCIDENT_ID, null],
  ["models that vanished", modelsChanged(["a"]), "trigger", "models:acme/models", "warning"],
  ["the last that returned", modelsChanged([], ["a"]), "resolve", "models:acme/models", null],
  ["models that nobody looks for any more", modelsChanged([]), "resolve", "models:acme/models", null],
  ["silence", stalled(), "trigger", "monitoring:Acme gateways", "critical"],
  ["its end", resumed(), "resolve", "monitoring:Acme gateways", null],
  ["silence of another", { ...stalled(), shard: 2 }, "trigger", "monitoring:2:Acme gateways", "critical"],
  ["the end of that", { ...resumed(), shard: 2 }, "resolve", "monitoring:2:Acme gateways", null],
  ["a test", tested(), "trigger", "test:Acme gateways", "info"],
] as const)("%s", async (_, event, action, key, severity) => {
  expect(bodyOf(await render(PAGERDUTY, [event]))).toMatchObject({
    event_action: action,
    dedup_key: key,
    ...(severity !== null && { payload: { severity } }),
  });
});

test("a test says that it must be resolved by hand", async () => {
  const summary = "Test: Acme gateways: nothing is wrong. Resolve it by hand; no other event will";
  const payload = { summary, source: "Acme gateways" };
  expect(bodyOf(await render(PAGERDUTY, [tested()]))).toMatchObject({ payload });
});

// The body of the webhook, and its signature by the Standard Webhooks.

const WEBHOOK = CHANNELS.webhook;

test("what an event does not have is null, not absent", async () => {
  const { data, ...rest } = bodyOf(await render(WEBHOOK, [stalled()])) as { data: object };
  const head = { schemaVersion: 1, type: "monitoring.stalled", timestamp: "2026-11-20T12:00:00.000Z" };
  expect(rest).toEqual(head);
  const none = "reason incident gateway gatewayName monitor diagnosis models shard report".split(" ");
  expect(data).toEqual({
    ...Object.fromEntries(none.map((member) => [member, null])),
    eventId: "2026-11-20-monitoring-stalled-11",
    lastTickAt: "2026-11-20T11:57:00.000Z",
    url: "https://status.acme.example/",
  });
});

const SECRET = ENTRIES.webhook.secrets.HOOK_SECRET;
const OTHER_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

test("the signature is the one that the standard's own library computes", async () => {
  const sent = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    body: '{"test": 2432232314}',
  };
  expect(await signatureHeaders(sent, 1_614_265_330_999, [signingKeyOf(SECRET)])).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("while a secret is rotated, a receiver with either of them can verify", async () => {
  const channel = { ...WEBHOOK, secret: ["OLD_HOOK_SECRET", "HOOK_SECRET"] };
  const event = opened({ gateway: { id: "acme", name: "Ü", monitors: 1 } });
  const { headers, body } = letterOf(
    await webhook.render(
      [event],
      channel,
      occasion({ ...SECRETS, OLD_HOOK_SECRET: OTHER_SECRET }, { nowMs: Date.now() }),
    ),
  );
  expect(headers["webhook-id"]).toBe(event.id);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const secret of [SECRET, OTHER_SECRET]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
});
