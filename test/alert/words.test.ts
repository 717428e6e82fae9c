import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { storyOf } from "../../src/alert/story.ts";
import { headline, headlineOfAll, matterWords } from "../../src/alert/words.ts";
import type { IncidentDocument } from "../../src/history/documents.ts";
import { CAUSES, OWNERS } from "../../src/protocol/diagnosis.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import {
  balanceIsUsedUp,
  blocked,
  changed,
  failure,
  flappingReminder,
  incident,
  modelsChanged,
  opened,
  ownNetworkFails,
  resolved,
  resumed,
  stalled,
  steady,
  tested,
  TITLE,
  updated,
} from "./telling.ts";

const UPSTREAM = "its upstream is unavailable";
const KEY = "our key's balance is used up";
const LATE = "no complete answer came in time";
const UNSEEN = "nobody saw it recover";

const balance = balanceIsUsedUp();
const good = diagnosis("ok", "up");
const flaps = { type: "incident.updated", reason: "flapping" } as const;
const removed = { reason: "removed" } as const;
const paused = { reason: "paused" } as const;
const late = changed("timeout", "down");
const worse = changed("timeout", "down", "degraded");
const slower = changed("slow", "degraded");
const own = ownNetworkFails();

describe("headlines", () => {
  test.each([
    [`Acme is down: ${UPSTREAM}`, opened()],
    [`Acme: ${KEY}`, blocked()],
    [`Acme: now ${KEY}`, updated()],
    ["Acme is still down, now: its address answers, but not as a gateway", changed("wrong_url", "down")],
    [`Acme is now down: ${LATE}`, worse],
    ["Acme is now degraded: it is slower than it should be", changed("slow", "degraded", "up")],
    // What stands, told again to who forgets.
    [`Acme is down: ${UPSTREAM}`, opened({ type: "incident.updated", reason: null })],
    [
      `Still after 4 h 2 min: Acme is down: ${UPSTREAM}`,
      opened({ type: "incident.updated", reason: "reminder", atMs: Date.parse("2026-11-20T16:01:00Z") }),
    ],
    // A reminder counts from when it became so.
    [`Still after 20 min: Acme is down: ${LATE}`, { ...worse, reason: "reminder" as const }],
    [`Acme is flapping: down and up by turns; last failure: ${UPSTREAM}`, opened(flaps)],
    [`Acme is flapping since 12:20:00 UTC; last failure: ${UPSTREAM}`, flappingReminder()],
    [
      `Acme is flapping since 2026-11-20 12:20:00 UTC; last failure: ${KEY}`,
      flappingReminder({ atMs: Date.parse("2026-11-21T16:00:00Z"), diagnosis: balance }),
    ],
    // Another one's turn, and another health, while it flaps.
    [
      `Acme is flapping since 12:20:00 UTC; now: ${KEY}`,
      flappingReminder({ reason: "cause", diagnosis: balance }),
    ],
    [`Acme is flapping since 12:20:00 UTC; now down: ${UPSTREAM}`, flappingReminder({ reason: "cause" })],
    // By another failure than was told, by a good probe after two, and between two failures.
    [
      `Acme is flapping: down and blocked by turns; last failure: ${KEY}`,
      opened({ ...flaps, diagnosis: balance }),
    ],
    [
      `Acme is flapping: down, blocked and up by turns; last failure: ${KEY}`,
      updated({ reason: "flapping", diagnosis: good }),
    ],
    [`Acme is flapping: down and blocked by turns; last failure: ${KEY}`, updated({ reason: "flapping" })],
    [`Acme is flapping: down, for changing causes; last failure: ${UPSTREAM}`, { ...late, ...flaps }],
    ["Acme gateways: no gateway can be reached, by turns", { ...own, ...flaps }],
    [`No longer flapping: Acme is down: ${UPSTREAM}`, steady()],
    [`No longer flapping: Acme: ${KEY}`, steady(blocked())],
    [`No longer flapping: Acme is down: ${LATE}`, steady(late)],
    ["No longer flapping: Acme gateways: no gateway can be reached", steady(own)],
    ["Acme is up again, after 31 min", resolved()],
    ["Acme: our monitor is no longer blocked, after 31 min", resolved(blocked())],
    // It was an outage at first.
    ["Acme is up again, after 31 min", resolved(updated())],
    ["Acme is no longer degraded, after 31 min", resolved(slower)],
    // Slow, and blocked since.
    [
      "Acme works as it should again, after 31 min",
      resolved(changed("insufficient_balance", "blocked", "degraded")),
    ],
    [
      `acme: closed, for its monitor was removed; ${UNSEEN}`,
      resolved(opened(), { ...removed, gateway: { id: "acme", name: "acme", monitors: 0 } }),
    ],
    // It left another monitor behind.
    [`Acme (models): closed, for its monitor was removed; ${UNSEEN}`, resolved(opened(), removed)],
    [`Acme: closed, for its monitor is paused; ${UNSEEN}`, resolved(opened(), paused)],
    ["Acme: its list lacks gpt-4o", modelsChanged(["gpt-4o"])],
    ["Acme: gpt-4o is back in its list", modelsChanged([], ["gpt-4o"])],
    ["Acme: its list lacks 2 models; c is back in its list", modelsChanged(["a", "b"], ["c"])],
    ["Acme: its missing models are watched for no more", modelsChanged([])],
    ["Acme: its list lacks a", modelsChanged([], [], ["a"])],
    [
      "Acme gateways: the monitoring itself has stopped; its last check was at 2026-11-20 11:57:00 UTC",
      stalled(),
    ],
    ["Acme gateways: the monitoring runs again; it stood still for 1 h 3 min", resumed()],
    ["Acme gateways: a test of this channel; nothing is wrong", tested()],
    ["Acme gateways: no gateway can be reached", own],
    ["Acme gateways: gateways can be reached again, after 30 min", resolved(own)],
    ["Acme gateways: closed, for too few gateways are left to tell it by", resolved(own, removed)],
    // The clock was set back over the silence.
    ["Acme gateways: the monitoring runs again", { ...resumed(), lastTickAtMs: null }],
  ])("%s", (expected, event) => {
    expect(headline(event, TITLE)).toBe(expected);
  });

  test("the only monitor is named where it is not the usual one", () => {
    const one = opened({ incident: incident({ monitors: ["acme/chat-gpt-4o"] }) });
    expect(headline(one, TITLE)).toBe(`Acme (chat-gpt-4o) is down: ${UPSTREAM}`);
  });

  const gateway = { id: "acme", name: "Acme", monitors: 3 };
  const of = (over: Partial<IncidentDocument>): AlertEvent => opened({ gateway, incident: incident(over) });
  const [models, eu, us] = ["acme/models", "acme/eu", "acme/us"];
  const entry = failure("opened", "2026-11-20T12:00:00.000Z", "timeout", "operator");
  const timedOut = { cause: "timeout" as const, owner: "operator" as const, timeline: [entry] };

  test.each([
    ["each is named", of({}), `Acme (models) is down: ${UPSTREAM}`],
    ["and its end", resolved(of({})), "Acme (models) is up again, after 31 min"],
    [
      "and that it is paused",
      resolved(of({}), paused),
      `Acme (models): closed, for its monitor is paused; ${UNSEEN}`,
    ],
    ["and what it lacks", { ...modelsChanged(["gpt-4o"]), gateway }, "Acme (models): its list lacks gpt-4o"],
    ["several are counted", of({ monitors: [models, eu] }), `Acme (2 of 3 monitors) is down: ${UPSTREAM}`],
    ["all are the gateway", of({ monitors: [models, eu, us] }), `Acme is down: ${UPSTREAM}`],
    [
      "who has left is meant no more",
      of({ monitors: [models, eu, us], members: [eu] }),
      `Acme (eu) is down: ${UPSTREAM}`,
    ],
    [
      "that it can be reached again says nothing of how its monitors are",
      resolved(of({ ...timedOut, monitors: [models, eu] }), { monitor: eu }),
      "Acme can be reached again, after 31 min",
    ],
    [
      "where it was reached and failed otherwise, only who is seen to be well is",
      resolved(of({ monitors: [models, eu] }), { monitor: eu }),
      "Acme (eu) is up again, after 31 min",
    ],
  ])("of a gateway with three monitors %s", (_, event, expected) => {
    expect(headline(event, TITLE)).toBe(expected);
  });

  test("a key that is not set is told from one that is refused", () => {
    expect(matterWords("authentication", "blocked", true)).toBe("our key is refused");
    expect(matterWords("authentication", "blocked", false)).toBe("no usable key of ours is set");
  });

  test("of several, the one that presses most", () => {
    const many = (...events: AlertEvent[]) => headlineOfAll(events, TITLE);
    expect(many(blocked(), opened(), resolved())).toBe(`3 events: Acme is down: ${UPSTREAM}`);
    expect(many(blocked())).toBe(`Acme: ${KEY}`);
    const other = opened({ gateway: { id: "bolt", name: "Bolt", monitors: 1 } });
    expect(many(opened(), other)).toBe(`2 events: Acme is down: ${UPSTREAM}`);
  });

  test("a name is one line, whatever stands in it", () => {
    const event = opened({ gateway: { id: "acme", name: "Ac\r\nme\u202e\u0000  x", monitors: 1 } });
    expect(headline(event, TITLE)).toBe(`Ac me x is down: ${UPSTREAM}`);
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
      const story = storyOf(event, TITLE);
      expect(story.headline).not.toMatch(/\b(?:is|now) (?:now )?(?:down|degraded|unavailable|out)\b/);
      expect(story.note).toMatch(/^This is no outage of the gateway/);
      expect(story.severity).not.toBe("critical");
      const end = storyOf(resolved(event), TITLE);
      expect(end.headline).not.toContain("up again");
      expect(end.note).toMatch(/^It was no outage of the gateway/);
    }),
  );
});

// Of several shards messages name the one whose ticks stopped.
test.each([
  ["shard 2 of the monitoring has stopped; its last check was at 2026-11-20 11:57:00 UTC", stalled(), 2],
  ["shard 2 of the monitoring runs again; it stood still for 1 h 3 min", resumed(), 2],
  // With all others it may have stopped, which leave it to shard 0.
  [
    "shard 0, if not all of the monitoring, has stopped; its last check was at 2026-11-20 11:57:00 UTC",
    stalled(),
    0,
  ],
] as const)("%s", (expected, event, shard) => {
  expect(headline({ ...event, shard }, TITLE)).toBe(`Acme gateways: ${expected}`);
});

test("a story names whose gateways nobody watches, and where to look for others", () => {
  const noteOf = (shard: number | null) => JSON.stringify(storyOf({ ...stalled(), shard }, TITLE));
  expect(noteOf(null)).toContain("No gateway is watched until it runs again");
  expect(noteOf(2)).toContain("The gateways of shard 2 are not watched until it runs again");
  expect(noteOf(2)).not.toContain("/healthz");
  expect(noteOf(0)).toContain("/healthz names each");
});
