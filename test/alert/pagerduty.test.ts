import { describe, expect, test } from "vitest";
import { dedupKey } from "../../src/alert/pagerduty.ts";
import { CHANNELS, read, render } from "./channel-configs.ts";
import {
  blocked,
  bodyOf,
  incident,
  letterOf,
  modelsChanged,
  opened,
  resolved,
  resumed,
  stalled,
  steady,
  tested,
  TITLE,
  updated,
} from "./telling.ts";

const CHANNEL = CHANNELS.pagerduty;
const INCIDENT_ID = "acme.models-20261120t120000z";

test("an outage triggers", async () => {
  const letter = letterOf(await render(CHANNEL, [opened()]));
  expect(letter.url).toBe("https://events.pagerduty.com/v2/enqueue");
  expect(JSON.parse(letter.body)).toEqual({
    routing_key: "0123456789abcdef0123456789ABCDEF",
    dedup_key: INCIDENT_ID,
    event_action: "trigger",
    payload: {
      summary: "Acme is down: its upstream is unavailable",
      source: "acme",
      severity: "critical",
      timestamp: "2026-11-20T12:00:00.000Z",
      component: "acme/models",
      class: "upstream_unavailable",
      custom_details: {
        "Whose turn": "the provider behind the gateway",
        "What to do": "Send the report to the gateway's support and see its status page.",
        Since: "2026-11-20 11:59:00 UTC",
        "Incident id": INCIDENT_ID,
        Monitors: "acme/models",
        Answer: "HTTP 503, upstream_error, request req_8f2a",
        "It says": "no channel is available for this model",
        Event: "acme-models-20261120t120000z-incident-opened-7",
      },
    },
    links: [
      { href: `https://status.acme.example/incidents/${INCIDENT_ID}`, text: "Incident" },
      { href: `https://status.acme.example/reports/${INCIDENT_ID}-2`, text: "Report" },
    ],
  });
});

test("its end resolves, by the same key", async () => {
  expect(bodyOf(await render(CHANNEL, [resolved()]))).toEqual({
    routing_key: "0123456789abcdef0123456789ABCDEF",
    dedup_key: INCIDENT_ID,
    event_action: "resolve",
  });
});

test.each([
  ["what was updated", updated(), "trigger", INCIDENT_ID, "error"],
  ["what is ours to mend", blocked(), "trigger", INCIDENT_ID, "error"],
  [
    "what is only slower",
    opened({ incident: incident({ health: "degraded" }) }),
    "trigger",
    INCIDENT_ID,
    "warning",
  ],
  ["a monitor that was removed", resolved(opened(), { reason: "removed" }), "resolve", INCIDENT_ID, null],
  ["models that vanished", modelsChanged(["a"]), "trigger", "models:acme/models", "warning"],
  ["some that returned", modelsChanged([], ["a"], ["b"]), "trigger", "models:acme/models", "warning"],
  ["the last that returned", modelsChanged([], ["a"]), "resolve", "models:acme/models", null],
  ["models that nobody looks for any more", modelsChanged([]), "resolve", "models:acme/models", null],
  ["what is steady after it flapped", steady(), "trigger", INCIDENT_ID, "critical"],
  ["silence", stalled(), "trigger", "monitoring:Acme gateways", "critical"],
  ["its end", resumed(), "resolve", "monitoring:Acme gateways", null],
  ["silence of shard 0", { ...stalled(), shard: 0 }, "trigger", "monitoring:Acme gateways", "critical"],
  ["silence of another", { ...stalled(), shard: 2 }, "trigger", "monitoring:2:Acme gateways", "critical"],
  ["the end of that", { ...resumed(), shard: 2 }, "resolve", "monitoring:2:Acme gateways", null],
  ["a test", tested(), "trigger", "test:Acme gateways", "info"],
] as const)("%s", async (_, event, action, key, severity) => {
  expect(bodyOf(await render(CHANNEL, [event]))).toMatchObject({
    event_action: action,
    dedup_key: key,
    ...(severity !== null && { payload: { severity } }),
  });
});

test("a test says that it must be resolved by hand", async () => {
  expect(bodyOf(await render(CHANNEL, [tested()]))).toMatchObject({
    payload: {
      summary: "Acme gateways: a test of this channel; nothing is wrong. Resolve this by hand: no event will",
      source: "Acme gateways",
    },
  });
});

test("whatever opens something has the key of what closes it", () => {
  const pairs = [
    [opened(), resolved()],
    [blocked(), resolved(blocked())],
    [updated(), resolved(updated())],
    [modelsChanged(["a"]), modelsChanged([], ["a"])],
    [stalled(), resumed()],
  ] as const;
  for (const [beginning, end] of pairs) expect(dedupKey(beginning, TITLE)).toBe(dedupKey(end, TITLE));
});

test("the longest ids of a configuration stay whole within 255 characters", () => {
  const id = `${"g".repeat(40)}.${"m".repeat(40)}-20261120t120000z`;
  expect(dedupKey(opened({ incident: incident({ id }) }), TITLE)).toBe(id);
});

test("another address is asked where one is configured", async () => {
  const channel = { ...CHANNEL, endpoint: "https://events.eu.pagerduty.com" };
  expect(letterOf(await render(channel, [opened()])).url).toBe("https://events.eu.pagerduty.com/v2/enqueue");
});

describe("answers", () => {
  test.each([
    [202, "", { type: "delivered" }],
    [400, '{"status":"invalid event","errors":["\'payload.summary\' is too long"]}', { type: "refused" }],
    [
      400,
      '{"status":"invalid event","message":"Event object is invalid","errors":["Length of \'routing_key\' is incorrect (should be 32 characters)"]}',
      { type: "gone" },
    ],
    [400, '{"message":"Invalid routing key"}', { type: "gone" }],
    [413, "", { type: "refused" }],
    [403, "", { type: "later", afterMs: null }],
    [404, "", { type: "later", afterMs: null }],
    [429, "", { type: "later", afterMs: null }],
    [500, "", { type: "later", afterMs: null }],
  ] as const)("%i %s", (status, body, reception) => {
    expect(read(CHANNEL, { status, body })).toEqual(reception);
  });
});
