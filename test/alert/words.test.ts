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

describe("headlines", () => {
  test.each([
    ["an outage", opened(), "Acme is down: its upstream is unavailable"],
    ["a key that ran dry", blocked(), "Acme: our key's balance is used up"],
    ["an outage that became ours", updated(), "Acme: now our key's balance is used up"],
    [
      "another cause of the same outage",
      changed("wrong_url", "down"),
      "Acme is still down, now: its address answers, but not as a gateway",
    ],
    [
      "worse than before",
      changed("timeout", "down", "degraded"),
      "Acme is now down: no complete answer came in time",
    ],
    ["slow", changed("slow", "degraded", "up"), "Acme is now degraded: it is slower than it should be"],
    [
      "what stands, told again to who forgets",
      opened({ type: "incident.updated", reason: null }),
      "Acme is down: its upstream is unavailable",
    ],
    [
      "a reminder",
      opened({ type: "incident.updated", reason: "reminder", atMs: Date.parse("2026-11-20T16:01:00Z") }),
      "Still after 4 h 2 min: Acme is down: its upstream is unavailable",
    ],
    [
      "a reminder counts from when it became so",
      { ...changed("timeout", "down", "degraded"), reason: "reminder" as const },
      "Still after 20 min: Acme is down: no complete answer came in time",
    ],
    [
      "flapping",
      opened({ type: "incident.updated", reason: "flapping" }),
      "Acme is flapping: down and up by turns; last failure: its upstream is unavailable",
    ],
    [
      "a reminder of it",
      flappingReminder(),
      "Acme is flapping since 12:20:00 UTC; last failure: its upstream is unavailable",
    ],
    [
      "a reminder of it a day later",
      flappingReminder({ atMs: Date.parse("2026-11-21T16:00:00Z"), diagnosis: balanceIsUsedUp() }),
      "Acme is flapping since 2026-11-20 12:20:00 UTC; last failure: our key's balance is used up",
    ],
    [
      "another one's turn while it flaps",
      flappingReminder({ reason: "cause", diagnosis: balanceIsUsedUp() }),
      "Acme is flapping since 12:20:00 UTC; now: our key's balance is used up",
    ],
    [
      "another health while it flaps",
      flappingReminder({ reason: "cause" }),
      "Acme is flapping since 12:20:00 UTC; now down: its upstream is unavailable",
    ],
    [
      "flapping by another failure than was told",
      opened({ type: "incident.updated", reason: "flapping", diagnosis: balanceIsUsedUp() }),
      "Acme is flapping: down and blocked by turns; last failure: our key's balance is used up",
    ],
    [
      "flapping by a good probe after two failures",
      updated({ reason: "flapping", diagnosis: diagnosis("ok", "up") }),
      "Acme is flapping: down, blocked and up by turns; last failure: our key's balance is used up",
    ],
    [
      "flapping between two failures",
      updated({ reason: "flapping" }),
      "Acme is flapping: down and blocked by turns; last failure: our key's balance is used up",
    ],
    [
      "flapping between two causes",
      { ...changed("timeout", "down"), reason: "flapping" as const },
      "Acme is flapping: down, for changing causes; last failure: its upstream is unavailable",
    ],
    [
      "flapping of one's own network",
      { ...ownNetworkFails(), type: "incident.updated" as const, reason: "flapping" as const },
      "Acme gateways: no gateway can be reached, by turns",
    ],
    [
      "flapping that ended in a steady failure",
      steady(),
      "No longer flapping: Acme is down: its upstream is unavailable",
    ],
    ["in one that is ours", steady(blocked()), "No longer flapping: Acme: our key's balance is used up"],
    [
      "in another one than before",
      steady(changed("timeout", "down")),
      "No longer flapping: Acme is down: no complete answer came in time",
    ],
    [
      "in one's own network",
      steady(ownNetworkFails()),
      "No longer flapping: Acme gateways: no gateway can be reached",
    ],
    ["an end", resolved(), "Acme is up again, after 31 min"],
    [
      "the end of what was no outage",
      resolved(blocked()),
      "Acme: our monitor is no longer blocked, after 31 min",
    ],
    ["the end of what was an outage at first", resolved(updated()), "Acme is up again, after 31 min"],
    [
      "the end of what was but slow",
      resolved(changed("slow", "degraded")),
      "Acme is no longer degraded, after 31 min",
    ],
    [
      "the end of what was slow, and blocked since",
      resolved(changed("insufficient_balance", "blocked", "degraded")),
      "Acme works as it should again, after 31 min",
    ],
    [
      "a monitor that left with its gateway",
      resolved(opened(), { reason: "removed", gateway: { id: "acme", name: "acme", monitors: 0 } }),
      "acme: closed, for its monitor was removed; nobody saw it recover",
    ],
    [
      "a monitor that left another one behind",
      resolved(opened(), { reason: "removed" }),
      "Acme (models): closed, for its monitor was removed; nobody saw it recover",
    ],
    [
      "a paused monitor",
      resolved(opened(), { reason: "paused" }),
      "Acme: closed, for its monitor is paused; nobody saw it recover",
    ],
    ["a model that vanished", modelsChanged(["gpt-4o"]), "Acme: its list lacks gpt-4o"],
    ["a model that returned", modelsChanged([], ["gpt-4o"]), "Acme: gpt-4o is back in its list"],
    ["several", modelsChanged(["a", "b"], ["c"]), "Acme: its list lacks 2 models; c is back in its list"],
    [
      "models that nobody looks for any more",
      modelsChanged([]),
      "Acme: its missing models are watched for no more",
    ],
    ["models that stay away", modelsChanged([], [], ["a"]), "Acme: its list lacks a"],
    [
      "silence",
      stalled(),
      "Acme gateways: the monitoring itself has stopped; its last check was at 2026-11-20 11:57:00 UTC",
    ],
    ["its end", resumed(), "Acme gateways: the monitoring runs again; it stood still for 1 h 3 min"],
    ["a test", tested(), "Acme gateways: a test of this channel; nothing is wrong"],
    ["a failure of one's own network", ownNetworkFails(), "Acme gateways: no gateway can be reached"],
    [
      "the end of that",
      resolved(ownNetworkFails()),
      "Acme gateways: gateways can be reached again, after 30 min",
    ],
    [
      "its end where nobody can tell it any more",
      resolved(ownNetworkFails(), { reason: "removed" }),
      "Acme gateways: closed, for too few gateways are left to tell it by",
    ],
    [
      "the end of a silence over which the clock was set back",
      { ...resumed(), lastTickAtMs: null },
      "Acme gateways: the monitoring runs again",
    ],
  ])("%s", (_, event, expected) => {
    expect(headline(event, TITLE)).toBe(expected);
  });

  test("the only monitor is named where it is not the usual one", () => {
    const one = opened({ incident: incident({ monitors: ["acme/chat-gpt-4o"] }) });
    expect(headline(one, TITLE)).toBe("Acme (chat-gpt-4o) is down: its upstream is unavailable");
  });

  describe("of a gateway with three monitors", () => {
    const gateway = { id: "acme", name: "Acme", monitors: 3 };
    const of = (over: Partial<IncidentDocument>): AlertEvent => opened({ gateway, incident: incident(over) });
    const [models, eu, us] = ["acme/models", "acme/eu", "acme/us"];

    test("each is named", () => {
      expect(headline(of({}), TITLE)).toBe("Acme (models) is down: its upstream is unavailable");
      expect(headline(resolved(of({})), TITLE)).toBe("Acme (models) is up again, after 31 min");
      const paused = resolved(of({}), { reason: "paused" });
      expect(headline(paused, TITLE)).toBe(
        "Acme (models): closed, for its monitor is paused; nobody saw it recover",
      );
      const missing = { ...modelsChanged(["gpt-4o"]), gateway };
      expect(headline(missing, TITLE)).toBe("Acme (models): its list lacks gpt-4o");
    });

    test("several are counted, and all are the gateway", () => {
      expect(headline(of({ monitors: [models, eu] }), TITLE)).toBe(
        "Acme (2 of 3 monitors) is down: its upstream is unavailable",
      );
      expect(headline(of({ monitors: [models, eu, us] }), TITLE)).toBe(
        "Acme is down: its upstream is unavailable",
      );
    });

    test("who has left is meant no more", () => {
      const shared = of({ monitors: [models, eu, us], members: [eu] });
      expect(headline(shared, TITLE)).toBe("Acme (eu) is down: its upstream is unavailable");
    });

    test("that it can be reached again says nothing of how its monitors are", () => {
      const entry = failure("opened", "2026-11-20T12:00:00.000Z", "timeout", "operator");
      const matter = { cause: "timeout", owner: "operator", timeline: [entry] } as const;
      const shared = of({ ...matter, timeline: [entry], monitors: [models, eu] });
      expect(headline(resolved(shared, { monitor: eu }), TITLE)).toBe(
        "Acme can be reached again, after 31 min",
      );
    });

    test("where it was reached and failed otherwise, only who is seen to be well is", () => {
      const shared = of({ monitors: [models, eu] });
      expect(headline(resolved(shared, { monitor: eu }), TITLE)).toBe("Acme (eu) is up again, after 31 min");
    });
  });

  test("a key that is not set is told from one that is refused", () => {
    expect(matterWords("authentication", "blocked", true)).toBe("our key is refused");
    expect(matterWords("authentication", "blocked", false)).toBe("no usable key of ours is set");
  });

  test("of several, the one that presses most", () => {
    expect(headlineOfAll([blocked(), opened(), resolved()], TITLE)).toBe(
      "3 events: Acme is down: its upstream is unavailable",
    );
    expect(headlineOfAll([blocked()], TITLE)).toBe("Acme: our key's balance is used up");
    const other = opened({ gateway: { id: "bolt", name: "Bolt", monitors: 1 } });
    expect(headlineOfAll([opened(), other], TITLE)).toBe(
      "2 events: Acme is down: its upstream is unavailable",
    );
  });

  test("a name is one line, whatever stands in it", () => {
    const event = opened({ gateway: { id: "acme", name: "Ac\r\nme\u202e\u0000  x", monitors: 1 } });
    expect(headline(event, TITLE)).toBe("Ac me x is down: its upstream is unavailable");
  });
});

test("a blocked monitor never sounds like an outage of the gateway, whatever the cause", () => {
  const types = fc.constantFrom("incident.opened" as const, "incident.updated" as const);
  const reasons = fc.constantFrom(
    null,
    "cause" as const,
    "reminder" as const,
    "flapping" as const,
    "steady" as const,
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...CAUSES),
      fc.constantFrom(...OWNERS),
      types,
      reasons,
      (cause, owner, type, reason) => {
        const entry = failure("opened", "2026-11-20T12:00:00.000Z", cause, owner, "blocked", "Do something.");
        const facts = { cause, owner, health: "blocked", timeline: [entry] } as const;
        const event = opened({
          type,
          reason,
          incident: incident({ ...facts, timeline: [entry] }),
          diagnosis: balanceIsUsedUp({ cause, owner }),
        });
        const story = storyOf(event, TITLE);
        expect(story.headline).not.toMatch(/\b(?:is|now) (?:now )?(?:down|degraded|unavailable|out)\b/);
        expect(story.note).toMatch(/^This is no outage of the gateway/);
        expect(story.severity).not.toBe("critical");
        const end = storyOf(resolved(event), TITLE);
        expect(end.headline).not.toContain("up again");
        expect(end.note).toMatch(/^It was no outage of the gateway/);
      },
    ),
  );
});
