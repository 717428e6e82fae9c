/** Alerts in Chinese: each event as Slack, Feishu and mail have it, and no English in what people read. */
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { messageOf, storyOf } from "../../src/alert/story.ts";
import { advise, rowOf } from "../../src/protocol/causes.ts";
import { CAUSES, OWNERS } from "../../src/protocol/diagnosis.ts";
import { CHANNELS, SECRETS } from "./channel-configs.ts";
import {
  blocked,
  changedAgain,
  failure,
  flappingReminder,
  incident,
  modelsChanged,
  occasion,
  opened,
  ownNetworkFails,
  resolved,
  resumed,
  SPEAKER,
  stalled,
  steady,
  tested,
  updated,
} from "./telling.ts";

const CHINESE = { ...SPEAKER, timeZone: "Asia/Shanghai", language: "zh" } as const;
const paused = {
  sinceMs: Date.parse("2026-11-19T12:00:00Z"),
  untilMs: null,
  monitor: "acme/models",
  by: null,
};

const EVENTS: Readonly<Record<string, AlertEvent>> = {
  opened: opened(),
  blocked: blocked({ gateway: { id: "acme", name: "Acme", monitors: 1, usedBy: "production" } }),
  updated: updated(),
  reminder: opened({
    type: "incident.updated",
    reason: "reminder",
    atMs: Date.parse("2026-11-20T16:00:00Z"),
  }),
  flapping: flappingReminder(),
  steady: steady(),
  resolved: resolved(changedAgain()),
  removed: resolved(opened(), { reason: "removed" }),
  vanished: modelsChanged(["gpt-4o", "o3"], ["gpt-4o-mini"]),
  returned: modelsChanged([], ["gpt-4o"]),
  ownNetwork: ownNetworkFails(),
  stalled: { ...stalled(), shard: 2 },
  resumed: resumed(),
  pauses: {
    ...tested(),
    type: "pauses.reminder",
    pauses: [paused, { ...paused, untilMs: 1.8e12, by: "Li" }],
  },
  test: tested(),
};

test.each(["slack", "feishu", "email"] as const)("%s: each event", async (kind) => {
  const told = Object.entries(EVENTS).map(async ([name, event]) => {
    const rendered = await channelKind(CHANNELS[kind]).render(
      [event],
      CHANNELS[kind],
      occasion(SECRETS, CHINESE),
    );
    return [name, rendered.type === "http" ? (JSON.parse(rendered.body) as unknown) : rendered];
  });
  const shown = `${JSON.stringify(Object.fromEntries(await Promise.all(told)), null, 2)}\n`;
  await expect(shown).toMatchFileSnapshot(`../vectors/alerts/zh/${kind}.json`);
});

/** Names and ids of these events, keys of the configuration, and what Chinese engineers write so. */
const NAMES =
  /Acme(?: gateways)?|acme[/.][\w-]+|monitoring-[\w-]+|gpt-4o(?:-mini)?|o3|Li|UTC|\b(?:Gatepulse|HTTP|TLS|DNS|API|URL|id|User-Agent|models|expect|accept)\b|\/v1/gu;

function latinIn(event: AlertEvent): readonly string[] {
  const { headline, facts, more, links } = storyOf(event, CHINESE);
  const own = [...facts, ...more].flatMap(({ label, text, quote }) => (quote ? [label] : [label, text]));
  return [headline, ...own, ...links.map(({ label }) => label)].filter((text) =>
    /\p{Script=Latin}/u.test(text.replaceAll(NAMES, "")),
  );
}

test("nothing but names is in English, whatever failed and whoever has to act", () => {
  expect(Object.values(EVENTS).flatMap(latinIn)).toEqual([]);
  const failures = CAUSES.flatMap((cause) =>
    OWNERS.map((owner) => {
      const text = advise({ ...rowOf(cause), owner }, "them");
      const timeline = [
        failure("opened", "2026-11-20T12:00:00.000Z", cause, owner, rowOf(cause).health, text),
      ];
      return opened({ incident: incident({ cause, owner, health: rowOf(cause).health, timeline }) });
    }),
  );
  expect(failures.flatMap(latinIn)).toEqual([]);
});

test("several events have a Chinese title", () => {
  expect(messageOf([opened(), tested()], CHINESE).title).toMatch(/^2 条消息：故障：Acme：/u);
});
