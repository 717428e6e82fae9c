import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { storyOf, messageOf } from "../../src/alert/story.ts";
import { headline, matterWords } from "../../src/alert/wording.ts";
import { alertWords } from "../../src/alert/words.ts";
import type { IncidentDocument } from "../../src/history/documents.ts";
import { CAUSES, OWNERS } from "../../src/protocol/diagnosis.ts";
import {
  balanceIsUsedUp,
  blocked,
  changed,
  failure,
  flappingReminder,
  incident,
  modelsChanged,
  noteOf,
  opened,
  ownNetworkFails,
  resolved,
  resumed,
  stalled,
  steady,
  tested,
  SPEAKER,
  updated,
  changedAgain,
  occasion,
} from "./telling.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { advise, rowOf } from "../../src/protocol/causes.ts";
import { CHANNELS, SECRETS } from "./channel-configs.ts";

const UPSTREAM = "the provider behind the gateway is unavailable";
const KEY = "the balance is used up";
const LATE = "the request timed out";
const UNSEEN = "no recovery was seen";

const balance = balanceIsUsedUp();
const again = (reason: AlertEvent["reason"]) => opened({ type: "incident.updated", reason });
const removed = { reason: "removed" } as const;
const paused = { reason: "paused" } as const;
const worse = changed("timeout", "down", "degraded");
const own = ownNetworkFails();

describe("headlines", () => {
  test.each<[event: AlertEvent, words: string]>([
    [opened(), `Down: Acme: ${UPSTREAM}, for 1 min`],
    [blocked(), `Blocked: Acme: ${KEY}, for 1 min`],
    [updated(), `Blocked: Acme: now ${KEY}, after 11 min`],
    [
      blocked({ gateway: { id: "acme", name: "Acme", monitors: 1, usedBy: "production" } }),
      `Blocked: Acme: ${KEY}, for 1 min; your calls with this key fail too`,
    ],
    [changed("wrong_url", "down"), "Down: Acme: now no model API at this address, after 31 min"],
    [worse, `Down: Acme: now ${LATE}, after 31 min`],
    [changed("slow", "degraded"), "Degraded: Acme: now too slow, after 31 min"],
    [again("reminder"), `Still down: Acme: ${UPSTREAM}, for 1 min`],
    [again("flapping"), `Flapping: Acme (last failure: ${UPSTREAM})`],
    [flappingReminder({ diagnosis: balance }), `Flapping: Acme (last failure: ${KEY})`],
    [steady(), `Down, no longer flapping: Acme: ${UPSTREAM}, for 1 h 31 min`],
    [resolved(), "Recovered: Acme, after 31 min"],
    [resolved(blocked()), "No longer blocked: Acme, after 31 min"],
    [resolved(changed("insufficient_balance", "blocked", "degraded")), "Recovered: Acme, after 31 min"],
    [
      resolved(opened(), { ...removed, gateway: { id: "acme", name: "acme", monitors: 0 } }),
      `Closed: acme: its monitor was removed; ${UNSEEN}`,
    ],
    [resolved(opened(), paused), `Closed: Acme: its monitor was paused; ${UNSEEN}`],
    [modelsChanged(["gpt-4o"]), "Model missing: Acme: its list lacks gpt-4o"],
    [modelsChanged([], ["gpt-4o"]), "Recovered: Acme: gpt-4o is back in its list"],
    [modelsChanged(["a", "b"], ["c"]), "Model missing: Acme: its list lacks 2 models; c is back in its list"],
    [modelsChanged([]), "Closed: Acme: missing models are no longer watched"],
    [stalled(), "Monitoring stopped: Acme gateways, last check at 2026-11-20 11:57:00 UTC"],
    [resumed(), "Monitoring resumed: Acme gateways, after a gap of 1 h 3 min"],
    [tested(), "Test: Acme gateways: nothing is wrong"],
    [own, "Unknown: Acme gateways: no gateway can be reached"],
    [resolved(own), "Recovered: Acme gateways, after 30 min"],
    [resolved(own, removed), "Closed: Acme gateways: too few gateways are left to judge it"],
    [{ ...resumed(), lastTickAtMs: null }, "Monitoring resumed: Acme gateways"],
  ])("$1", (event, expected) => {
    expect(headline(event, SPEAKER)).toBe(expected);
  });

  test("times are those of the configured zone", () => {
    const speaker = { ...SPEAKER, timeZone: "Asia/Shanghai" };
    expect(headline(stalled(), speaker)).toMatch(/ at 2026-11-20 19:57:00 UTC\+08:00$/);
    const since = storyOf(opened(), speaker).more.find(({ label }) => label === "Since");
    expect(since?.text).toBe("2026-11-20 19:59:00 UTC+08:00");
  });

  test.each<[seconds: number, words: string]>([
    [29, "less than a minute"],
    [299, "5 min"],
    [3_629, "1 h"],
  ])("after %d s, an outage lasts %s", (seconds, words) => {
    const atMs = Date.parse("2026-11-20T11:59:00Z") + seconds * 1000;
    expect(headline(opened({ atMs }), SPEAKER)).toBe(`Down: Acme: ${UPSTREAM}, for ${words}`);
  });

  const gateway = { id: "acme", name: "Acme", monitors: 3 };
  const of = (over: Partial<IncidentDocument>): AlertEvent => opened({ gateway, incident: incident(over) });
  const [models, eu, us] = ["acme/models", "acme/eu", "acme/us"];
  const down = failure("opened", "2026-11-20T12:00:00.000Z", "upstream_unavailable", "upstream");
  const left = (id: string, how: string) => ({ ...down, type: "left" as const, text: `${id} ${how}.` });
  const leaving = [left(models, "works again"), left(us, "now fails for another reason")];

  test.each<[event: AlertEvent, words: string]>([
    [of({}), `Down: Acme (models): ${UPSTREAM}, for 1 min`],
    [{ ...modelsChanged(["gpt-4o"]), gateway }, "Model missing: Acme (models): its list lacks gpt-4o"],
    [of({ monitors: [models, eu] }), `Down: Acme (2 of 3 monitors): ${UPSTREAM}, for 1 min`],
    [of({ monitors: [models, eu, us] }), `Down: Acme: ${UPSTREAM}, for 1 min`],
    [of({ monitors: [models, eu, us], members: [eu] }), `Down: Acme (eu): ${UPSTREAM}, for 1 min`],
    [
      resolved(of({ monitors: [models, eu] }), { monitor: eu }),
      "Recovered: Acme (2 of 3 monitors), after 31 min",
    ],
    [
      resolved(of({ monitors: [models, eu, us], timeline: [down, ...leaving] }), { monitor: eu }),
      "Recovered: Acme (2 of 3 monitors), after 31 min",
    ],
  ])("$1, of three monitors", (event, expected) => {
    expect(headline(event, SPEAKER)).toBe(expected);
  });

  test.each([
    ["authentication", "blocked", "caller", true, "the key was refused"],
    ["authentication", "blocked", "caller", false, "no usable key is set"],
    ["authentication", "down", "operator", true, "the gateway's own key was refused"],
    ["upstream_unavailable", "down", "upstream", true, "the provider behind the gateway is unavailable"],
    ["upstream_unavailable", "down", "operator", true, "the proxy in front cannot reach the gateway"],
    ["http_error", "blocked", "caller", true, "the request was refused"],
    ["http_error", "down", "operator", true, "unexpected HTTP status"],
  ] as const)("%s, %s, of the %s, request sent: %s", (cause, health, owner, sent, words) => {
    expect(matterWords({ cause, health, owner, sent }, alertWords("en"))).toBe(words);
  });

  test("of several, the one that presses most", () => {
    const many = (...events: AlertEvent[]) => messageOf(events, SPEAKER).title;
    expect(many(blocked(), opened(), resolved())).toBe(`3 events: Down: Acme: ${UPSTREAM}, for 1 min`);
    expect(many(blocked())).toBe(`Blocked: Acme: ${KEY}, for 1 min`);
    const other = opened({ gateway: { id: "bolt", name: "Bolt", monitors: 1 } });
    expect(many(opened(), other)).toBe(`2 events: Down: Acme: ${UPSTREAM}, for 1 min`);
  });

  test("a name is one line, whatever stands in it", () => {
    const event = opened({ gateway: { id: "acme", name: "Ac\r\nme\u202e\u0000  x", monitors: 1 } });
    expect(headline(event, SPEAKER)).toBe(`Down: Ac me x: ${UPSTREAM}, for 1 min`);
  });
});

test("a blocked monitor never sounds like an outage of the gateway, whatever the cause", () => {
  const types = fc.constantFrom("incident.opened" as const, "incident.updated" as const);
  const reasons = fc.constantFrom(...([null, "cause", "reminder", "flapping", "steady"] as const));
  const [causes, owners] = [fc.constantFrom(...CAUSES), fc.constantFrom(...OWNERS)];
  fc.assert(
    fc.property(causes, owners, types, reasons, (cause, owner, type, reason) => {
      const entry = failure("opened", "2026-11-20T12:00:00.000Z", cause, owner, "blocked", "Do something.");
      const event = opened({
        type,
        reason,
        incident: incident({ cause, owner, health: "blocked", timeline: [entry] }),
        diagnosis: balanceIsUsedUp({ cause, owner }),
      });
      const story = storyOf(event, SPEAKER);
      expect(story.headline).toMatch(/^(?:Still b|B)locked\b|^Flapping: /);
      expect(noteOf(story)).toMatch(/^Not a gateway outage/);
      expect(story.severity).not.toBe("critical");
      const end = storyOf(resolved(event), SPEAKER);
      expect(end.headline).toMatch(/^No longer blocked: /);
    }),
  );
});

test("of several shards messages name the one whose ticks stopped, and whose gateways nobody watches", () => {
  const words = "Monitoring stopped: Acme gateways, shard 2, last check at 2026-11-20 11:57:00 UTC";
  expect(headline({ ...stalled(), shard: 2 }, SPEAKER)).toBe(words);
  const noteFor = (shard: number | null) => noteOf(storyOf({ ...stalled(), shard }, SPEAKER));
  expect(noteFor(null)).toMatch(/^No gateway is watched until it runs again/);
  expect(noteFor(2)).toMatch(/^The gateways of shard 2 are not watched until it runs again/);
});

// Alerts in Chinese: each event as Slack, Feishu and mail have it, and no English in what people read.

const CHINESE = { ...SPEAKER, timeZone: "Asia/Shanghai", language: "zh" } as const;
const pause = {
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
    pauses: [pause, { ...pause, untilMs: 1.8e12, by: "Li" }],
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
  const { facts, more, links, ...story } = storyOf(event, CHINESE);
  const labels = [...facts, ...more].flatMap(({ label, text, quote }) => (quote ? [label] : [label, text]));
  return [story.headline, ...labels, ...links.map(({ label }) => label)].filter((text) =>
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
