import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { renderAlerts } from "../../src/alert/channels/programs/alertmanager.ts";
import { CHANNELS, render, SECRETS } from "./channel-configs.ts";
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

const CHANNEL = CHANNELS.alertmanager;
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
  const alerts = bodyOf(await render(CHANNEL, [event])) as readonly Alert[];
  return alerts.map(({ labels, startsAt, endsAt }) => [labels, startsAt, endsAt]);
}

// A whole body is in test/vectors/alerts/.
test("it is asked as an API that takes JSON, with the token of the proxy before it", async () => {
  const { headers } = letterOf(await render(CHANNEL, [opened()]));
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
  const letter = letterOf(await render(CHANNEL, [opened()], { ...SECRETS, ALERTMANAGER_URL }));
  expect(letter.url).toBe("https://alerts.acme.example/am/api/v2/alerts");
});

const START = "2026-11-20T11:59:00.000Z";
const OPENED = "2026-11-20T12:00:00.000Z";
const UPDATED = "2026-11-20T12:10:00.000Z";
const ENDED = "2026-11-20T12:30:00.000Z";
const whileOpen = [[DOWN, START, FIRING]];
const over = [[DOWN, START, ENDED]];

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

const { gateway: _, ...OF_NO_GATEWAY } = {
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
  ["its end ends the alert of its beginning", resolved(), ...over],
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
