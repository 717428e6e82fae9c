import { expect, test } from "vitest";
import { CHANNELS, render } from "./channel-configs.ts";
import {
  blocked,
  bodyOf,
  letterOf,
  modelsChanged,
  opened,
  resolved,
  resumed,
  stalled,
  tested,
  updated,
} from "./telling.ts";

const CHANNEL = CHANNELS.pagerduty;
const INCIDENT_ID = "acme.models-20261120t120000z";

// The whole bodies of an outage and of its end are in test/vectors/alerts/.
test.each([CHANNEL.endpoint, "https://events.eu.pagerduty.com"])("it is asked at %s", async (endpoint) => {
  const letter = letterOf(await render({ ...CHANNEL, endpoint }, [opened()]));
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
  expect(bodyOf(await render(CHANNEL, [event]))).toMatchObject({
    event_action: action,
    dedup_key: key,
    ...(severity !== null && { payload: { severity } }),
  });
});

test("a test says that it must be resolved by hand", async () => {
  const summary = "Test: Acme gateways: nothing is wrong. Resolve it by hand; no other event will";
  const payload = { summary, source: "Acme gateways" };
  expect(bodyOf(await render(CHANNEL, [tested()]))).toMatchObject({ payload });
});
