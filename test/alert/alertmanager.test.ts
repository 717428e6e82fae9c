import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { alertmanager, renderAlerts } from "../../src/alert/alertmanager.ts";
import { CHANNELS, render, SECRETS } from "./channel-configs.ts";
import {
  bodyOf,
  end,
  failure,
  incident,
  letterOf,
  modelsChanged,
  NOW_MS,
  occasion,
  opened,
  ownNetworkFails,
  resolved,
  resumed,
  stalled,
  steady,
  tested,
  updated,
} from "./telling.ts";

const CHANNEL = CHANNELS.alertmanager;
const URL = "https://status.acme.example/incidents/acme.models-20261120t120000z";
const DOWN = {
  alertname: "GatepulseIncident",
  severity: "critical",
  health: "down",
  owner: "upstream",
  gateway: "acme",
  incident: "acme.models-20261120t120000z",
  monitoring: "Acme gateways",
};
const BLOCKED = { ...DOWN, severity: "warning", health: "blocked", owner: "caller" };
/** 10 minutes after now. */
const FIRING_UNTIL = "2026-11-20T12:11:00.000Z";

/** Labels, start and end. */
async function spans(event: AlertEvent): Promise<readonly unknown[]> {
  const alerts = bodyOf(await render(CHANNEL, [event])) as {
    labels: object;
    startsAt: string;
    endsAt: string;
  }[];
  return alerts.map(({ labels, startsAt, endsAt }) => [labels, startsAt, endsAt]);
}

test("an outage is one alert that fires", async () => {
  const letter = letterOf(await render(CHANNEL, [opened()]));
  expect(letter.url).toBe("https://alerts.acme.example/am/api/v2/alerts");
  expect(letter.headers).toEqual({
    "content-type": "application/json",
    authorization: "Bearer token-of-the-proxy",
  });
  expect(JSON.parse(letter.body)).toEqual([
    {
      labels: DOWN,
      annotations: {
        summary: "Acme is down: its upstream is unavailable",
        description: [
          "Whose turn: the provider behind the gateway",
          "What to do: Send the report to the gateway's support and see its status page.",
          "Since: 2026-11-20 11:59:00 UTC",
          "Incident id: acme.models-20261120t120000z",
          "Monitors: acme/models",
        ].join("\n"),
        cause: "upstream_unavailable",
      },
      startsAt: "2026-11-20T11:59:00.000Z",
      endsAt: FIRING_UNTIL,
      generatorURL: URL,
    },
  ]);
});

test.each([
  "https://alerts.acme.example/am",
  "https://alerts.acme.example/am/",
  "https://alerts.acme.example/am/api/v2/alerts",
])("the path is added once to %s", async (ALERTMANAGER_URL) => {
  const letter = letterOf(await render(CHANNEL, [opened()], { ...SECRETS, ALERTMANAGER_URL }));
  expect(letter.url).toBe("https://alerts.acme.example/am/api/v2/alerts");
});

describe("identity", () => {
  test("its end ends the alert of its beginning", async () => {
    expect(await spans(resolved())).toEqual([[DOWN, "2026-11-20T11:59:00.000Z", "2026-11-20T12:30:00.000Z"]]);
  });

  test("another cause, another text or another monitor is the same alert", async () => {
    const timeline = [
      failure("opened", "2026-11-20T12:00:00.000Z"),
      failure("updated", "2026-11-20T12:05:00.000Z", "http_error"),
    ];
    const monitors = ["acme/models", "acme/chat"];
    const event = opened({ incident: incident({ cause: "http_error", monitors, timeline }) });
    expect(await spans(event)).toEqual([[DOWN, "2026-11-20T11:59:00.000Z", FIRING_UNTIL]]);
  });

  test("another owner or health is another alert, and the one before has ended", async () => {
    expect(await spans(updated())).toEqual([
      [DOWN, "2026-11-20T11:59:00.000Z", "2026-11-20T12:10:00.000Z"],
      [BLOCKED, "2026-11-20T12:10:00.000Z", "2026-11-20T12:20:00.000Z"],
    ]);
    expect(await spans(resolved(updated()))).toEqual([
      [DOWN, "2026-11-20T11:59:00.000Z", "2026-11-20T12:10:00.000Z"],
      [BLOCKED, "2026-11-20T12:10:00.000Z", "2026-11-20T12:30:00.000Z"],
    ]);
  });

  test("what is steady after it flapped is the same alert", async () => {
    const until = "2026-11-20T13:40:00.000Z";
    expect(await spans(steady())).toEqual([[DOWN, "2026-11-20T11:59:00.000Z", until]]);
  });

  test("what comes back is the same alert again, and is told once", async () => {
    const back = failure("updated", "2026-11-20T12:20:00.000Z");
    const timeline = [...updated().incident!.timeline, back];
    const event = updated({ atMs: Date.parse(back.at), incident: incident({ timeline }) });
    expect(await spans(event)).toEqual([
      [DOWN, "2026-11-20T12:20:00.000Z", "2026-11-20T12:30:00.000Z"],
      [BLOCKED, "2026-11-20T12:10:00.000Z", "2026-11-20T12:20:00.000Z"],
    ]);
  });

  test("a timeline without healths, as older records have it, is one alert", async () => {
    const timeline = [
      { ...failure("opened", "2026-11-20T12:00:00.000Z"), health: null, owner: null },
      { ...failure("updated", "2026-11-20T12:05:00.000Z"), health: null, owner: null },
    ];
    expect(await spans(opened({ incident: incident({ timeline, firstFailureAt: null }) }))).toEqual([
      [DOWN, "2026-11-20T12:00:00.000Z", FIRING_UNTIL],
    ]);
  });

  test("renamed, its gateway keeps the name that it had at the opening: what fired is what ends", async () => {
    const volt = { gateway: { id: "volt", name: "Volt", monitors: 1 } };
    const renamed = incident({ gateway: "volt", monitors: ["volt/models"] });
    expect(await spans(opened({ ...volt, incident: renamed }))).toEqual([
      [DOWN, "2026-11-20T11:59:00.000Z", FIRING_UNTIL],
    ]);
    expect(await spans(resolved(opened({ ...volt, incident: renamed })))).toEqual([
      [DOWN, "2026-11-20T11:59:00.000Z", "2026-11-20T12:30:00.000Z"],
    ]);
  });

  test("what has no gateway has no label of one", async () => {
    expect(await spans(ownNetworkFails())).toEqual([
      [
        {
          alertname: "GatepulseIncident",
          severity: "warning",
          health: "unknown",
          owner: "network",
          incident: "monitoring-20261120t120000z",
          monitoring: "Acme gateways",
        },
        "2026-11-20T12:00:00.000Z",
        FIRING_UNTIL,
      ],
    ]);
  });
});

describe("what is no incident", () => {
  const models = {
    alertname: "GatepulseModelsMissing",
    severity: "warning",
    owner: "operator",
    gateway: "acme",
    monitor: "acme/models",
    monitoring: "Acme gateways",
  };
  const silence = {
    alertname: "GatepulseMonitoringStalled",
    severity: "critical",
    monitoring: "Acme gateways",
  };

  test.each([
    ["missing models fire", modelsChanged(["a"]), models, "2026-11-20T12:00:00.000Z", FIRING_UNTIL],
    ["some of them still", modelsChanged([], ["a"], ["b"]), models, "2026-11-20T12:00:00.000Z", FIRING_UNTIL],
    [
      "none ends it",
      modelsChanged([], ["a"]),
      models,
      "2026-11-20T12:00:00.000Z",
      "2026-11-20T12:00:00.000Z",
    ],
    [
      "and so does that nobody looks for them",
      modelsChanged([]),
      models,
      "2026-11-20T12:00:00.000Z",
      "2026-11-20T12:00:00.000Z",
    ],
    ["silence fires", stalled(), silence, "2026-11-20T11:57:00.000Z", FIRING_UNTIL],
    ["and ends", resumed(), silence, "2026-11-20T11:57:00.000Z", "2026-11-20T13:00:00.000Z"],
    [
      "of another shard than 0 it has a label",
      { ...stalled(), shard: 2 },
      { ...silence, shard: "2" },
      "2026-11-20T11:57:00.000Z",
      FIRING_UNTIL,
    ],
    [
      "a test ends by itself",
      tested(),
      {
        alertname: "GatepulseTest",
        severity: "info",
        event: "2026-11-20-test-11",
        monitoring: "Acme gateways",
      },
      "2026-11-20T12:00:00.000Z",
      "2026-11-20T12:03:00.000Z",
    ],
  ])("%s", async (_, event, labels, startsAt, endsAt) => {
    expect(await spans(event)).toEqual([[labels, startsAt, endsAt]]);
  });
});

test("a gateway's own words are in no annotation", async () => {
  const { body } = letterOf(await render(CHANNEL, [opened()]));
  expect(body).not.toContain("no channel is available");
  expect(body).not.toContain("req_8f2a");
});

describe("sending again", () => {
  const at = (nowMs: number, ...events: readonly AlertEvent[]) =>
    renderAlerts(events, occasion(SECRETS, { nowMs })).map(({ labels, endsAt }) => [
      labels["health"] ?? labels["alertname"],
      endsAt,
    ]);

  test("what fires is sent to fire on, and to outlast several times that come late", () => {
    expect(at(NOW_MS, opened(), stalled())).toEqual([
      ["down", FIRING_UNTIL],
      ["GatepulseMonitoringStalled", FIRING_UNTIL],
    ]);
    expect(at(NOW_MS + 3_600_000, opened())).toEqual([["down", "2026-11-20T13:11:00.000Z"]]);
    expect(alertmanager.resendEveryMs).toBe(120_000);
  });

  test("what is over is sent as over", () => {
    expect(at(NOW_MS + 3_600_000, resolved())).toEqual([["down", "2026-11-20T12:30:00.000Z"]]);
  });

  test("the last event on an incident counts", () => {
    const nowMs = Date.parse("2026-11-20T12:12:00Z");
    expect(at(nowMs, opened(), updated())).toEqual([
      ["down", "2026-11-20T12:10:00.000Z"],
      ["blocked", "2026-11-20T12:22:00.000Z"],
    ]);
  });

  test("incidents do not disturb each other, nor the same monitor's next one", () => {
    const next = opened({
      incident: incident({
        id: "acme.models-20261120t123100z",
        openedAt: "2026-11-20T12:31:00.000Z",
        firstFailureAt: null,
        timeline: [failure("opened", "2026-11-20T12:31:00.000Z")],
      }),
    });
    expect(at(Date.parse("2026-11-20T12:32:00Z"), opened(), resolved(), next)).toEqual([
      ["down", "2026-11-20T12:30:00.000Z"],
      ["down", "2026-11-20T12:42:00.000Z"],
    ]);
  });

  test("all of them are one request", async () => {
    const alerts = bodyOf(await render(CHANNEL, [opened(), modelsChanged(["a"]), stalled()]));
    expect(alerts).toHaveLength(3);
  });
});

test("a resolved entry that names no time ends with its event", async () => {
  const timeline = [
    ...incident().timeline,
    end("resolved", "2026-11-20T12:30:00.000Z", "upstream_unavailable"),
  ];
  const event = resolved(opened(), { incident: incident({ timeline, resolvedAt: null }) });
  expect(await spans(event)).toEqual([[DOWN, "2026-11-20T11:59:00.000Z", "2026-11-20T12:30:00.000Z"]]);
});
