import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  UNTRIED,
  afterFailure,
  afterGiveUp,
  afterGone,
  afterRefusal,
  held,
  isLastTry,
  nextStep,
  revived,
  troubleWords,
  type DeliveryState,
  wants,
} from "../../src/alert/delivery.ts";
import { draft, EVERYTHING } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type EventDraft, identified } from "../../src/alert/alert-event.ts";
import type { ChannelFilter } from "../../src/config/config.ts";
import { turnIn, type TimelineEntryDocument } from "../../src/history/documents.ts";
import type { Cause, Owner } from "../../src/protocol/diagnosis.ts";
import { incident } from "./telling.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.parse("2026-11-20T12:00:00Z");

const SEND = { type: "send" };
const until = (sinceNoonMs: number) => ({ type: "wait", untilMs: NOON + sinceNoonMs });

interface Failing {
  readonly afterMs?: number | null;
  readonly random?: number;
  readonly longestWaitMs?: number | null;
}

/** It fails so long after noon. */
function fail(state: DeliveryState, sinceNoonMs: number, over: Failing = {}): DeliveryState {
  const { afterMs = null, random = 0, longestWaitMs = null } = over;
  const when = { nowMs: NOON + sinceNoonMs, random, longestWaitMs };
  return afterFailure(state, { afterMs, problem: "HTTP 500" }, when);
}

/** What is next so long after noon, for what was queued at noon, unless told. */
function step(state: DeliveryState, sinceNoonMs: number, { queuedMs = 0, hasNews = false } = {}) {
  return nextStep(state, { queuedMs: NOON + queuedMs, hasNews }, NOON + sinceNoonMs);
}

const refused = (state: DeliveryState) => afterRefusal(state, "HTTP 400");

/** Fails each time as soon as it may be tried, until the last try; the instants, from the queueing on. */
function triesOf(answer: (tries: number) => number | null, random = 0): number[] {
  const tries: number[] = [];
  let state: DeliveryState = UNTRIED;
  let ms = 0;
  while (tries.length === 0 || !isLastTry(state, NOON + ms)) {
    const next = step(state, ms);
    if (next.type === "wait") ms = next.untilMs - NOON;
    tries.push(ms);
    state = fail(state, ms, { afterMs: answer(state.tries + 1), random });
  }
  return tries;
}

describe("waits", () => {
  test("Retry-After is honoured where it is longer, and the usual wait where that is", () => {
    const tries = triesOf((n) => (n === 1 ? HOUR : 1 * SECOND));
    expect(tries.slice(0, 4)).toEqual([0, HOUR, HOUR + 5 * MINUTE, HOUR + 35 * MINUTE]);
  });

  test("whatever a receiver asks, every event is tried at once, the last time after a day, and no wait is broken", () => {
    const asked = fc.option(fc.integer({ min: 0, max: 2_147_483_647_000 }));
    const chance = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 50 }), chance, (all, random) => {
        const answers = (n: number) => all[(n - 1) % all.length] ?? null;
        const tries = triesOf(answers, random);
        expect(tries[0]).toBe(0);
        expect(tries.at(-1)).toBeGreaterThanOrEqual(DAY);
        expect(tries.at(-1)).toBeLessThan(2 * DAY);
        expect(tries.length).toBeLessThanOrEqual(8);
        for (let n = 1; n < tries.length; n += 1) {
          const waited = (tries[n] ?? 0) - (tries[n - 1] ?? 0);
          expect(waited).toBeGreaterThanOrEqual(Math.min(answers(n) ?? 0, DAY));
        }
      }),
    );
  });
});

describe("steps", () => {
  const failed = fail(UNTRIED, 0);

  test("what a person fixes is tried at once, but for what the receiver asked", () => {
    expect(step(revived(failed), 0)).toEqual(SEND);
    expect(step(revived(fail(UNTRIED, 0, { afterMs: HOUR })), 0)).toEqual(until(HOUR));
    expect(step(revived(afterGone(failed, "HTTP 410", NOON)), 0)).toEqual(SEND);
  });

  test("what is refused leaves no wait to the next one, but for what the receiver asked", () => {
    expect(step(refused(failed), 0)).toEqual(SEND);
    expect(step(refused(held(failed, HOUR, NOON)), 0)).toEqual(until(HOUR));
    expect(refused(failed)).toMatchObject({ tries: 0, firstTriedMs: null, failures: 0 });
  });

  test("what is given up leaves the channel's wait to the next one, whose own tries begin at none", () => {
    const given = afterGiveUp(failed);
    expect(given).toMatchObject({ tries: 0, firstTriedMs: null, failures: 1, lastTriedMs: NOON });
    expect(step(given, 0)).toEqual(until(5 * SECOND));
    const again = fail(given, HOUR);
    expect(again).toMatchObject({ tries: 1, failures: 2, nextTryMs: NOON + HOUR + 5 * MINUTE });
  });

  test("a receiver that forgets is not left waiting for longer than it remembers", () => {
    const forgets = { random: 0.5, longestWaitMs: 2 * MINUTE };
    const second = fail(failed, MINUTE, forgets);
    expect(second.nextTryMs).toBe(NOON + 3 * MINUTE);
    const asked = fail(second, MINUTE, { ...forgets, afterMs: HOUR });
    expect(asked).toMatchObject({ nextTryMs: NOON + 3 * MINUTE, heldUntilMs: NOON + MINUTE + HOUR });
  });
});

describe("trouble", () => {
  /** What the log says while a state becomes the next one. */
  const saidOf = (states: readonly DeliveryState[]) =>
    states.slice(1).map((after, index) => troubleWords("ops", states[index] ?? UNTRIED, after));
  const nothing = null;
  const fails = expect.stringMatching(
    /^the channel ops has accepted nothing for an hour\..* The reason: HTTP 500$/u,
  );
  const setsAside = expect.stringMatching(/^the channel ops did not take an event.* The reason: HTTP 400$/u);

  test("a channel that fails is reported once, when it has failed for an hour, even if events were given up since", () => {
    const states = [UNTRIED];
    for (const ms of [0, 5 * MINUTE, HOUR - 1, HOUR, 2 * HOUR, 9 * HOUR]) {
      states.push(fail(states.at(-1) ?? UNTRIED, ms));
    }
    expect(saidOf(states)).toEqual([nothing, nothing, nothing, fails, nothing, nothing]);
    const given = afterGiveUp(states.at(-1) ?? UNTRIED);
    expect(saidOf([given, fail(given, 30 * HOUR), fail(given, 40 * HOUR)])).toEqual([nothing, nothing]);
  });

  test("the first event that is given up or refused is reported, the next one only after the receiver took something", () => {
    const failed = fail(UNTRIED, 0);
    const first = refused(failed);
    expect(saidOf([failed, first, refused(first), UNTRIED, refused(UNTRIED)])).toEqual([
      setsAside,
      nothing,
      nothing,
      setsAside,
    ]);
    const given = afterGiveUp(failed);
    expect(saidOf([failed, given, fail(given, 0)])).toEqual([expect.any(String), nothing]);
  });
});

function entry(type: string, cause: Cause, owner: Owner | null): TimelineEntryDocument {
  const health = owner === null ? null : "down";
  const at = "2026-11-20T12:00:00.000Z";
  return { at, type, cause, text: "", health, owner, turn: turnIn({ owner }), sent: true };
}

const ACME = { named: ["acme"], others: ["other"] };
const OTHER = { named: ["other"], others: ["acme"] };

/** Opened as the operator's, passed to the upstream, and then whatever is given. */
function event(type: EventDraft["type"]): EventDraft {
  const timeline = [
    entry("opened", "timeout", "operator"),
    entry("updated", "upstream_unavailable", "upstream"),
  ];
  return draft(1, { type, diagnosis: diagnosis("ok", "up"), incident: incident({ timeline, report: null }) });
}

const opened = event("incident.opened");
const resolved = event("incident.resolved");
const stalled = draft(1, { type: "monitoring.stalled", gateway: null, monitor: null });
const models = (missing: string[]) => ({ models: { vanished: [], returned: [], missing } });
const left = { gateway: { id: "gone", name: "gone", monitors: 0 } };
const ofLeft = { ...left, incident: incident({ gateway: "gone", monitors: ["gone/models"] }) };
const endOfLeft = { ...resolved, ...ofLeft };
const updateOfLeft = { ...event("incident.updated"), ...ofLeft };
const joined = {
  ...event("incident.updated"),
  monitor: "other/models",
  incident: incident({
    monitors: ["acme/models", "other/models"],
    timeline: [{ ...entry("joined", "timeout", "operator"), text: "other/models fails in the same way." }],
  }),
};
const backOfLeft = draft(1, { ...left, ...models([]) });
const lackingOfLeft = draft(1, { ...left, ...models(["gpt-4o"]) });
const OPENINGS: Partial<ChannelFilter> = { events: ["incident.opened"] };

test.each<[title: string, only: Partial<ChannelFilter>, event: EventDraft, wanted: boolean]>([
  ["who was told of an opening is told of the end", { owners: ["operator"] }, resolved, true],
  ["who never owned it is not told of its end", { owners: ["caller"] }, resolved, false],
  ["that the last probe was good gives an incident no owner", { owners: ["nobody"] }, resolved, false],
  ["a turn that it had lets its end through", { turns: ["upstream"] }, resolved, true],
  ["what the operator of others' gateways must do is not our turn", { turns: ["us"] }, opened, false],
  ["a cause that it never had does not count", { causes: ["tls_failure"] }, resolved, false],
  [
    "a stalled monitoring has no owner, cause or gateway: it passes",
    { owners: ["caller"], causes: ["timeout"], gateways: OTHER },
    stalled,
    true,
  ],
  ["a stalled monitoring has a type, which may be unwanted", OPENINGS, stalled, false],
  ["a test passes every filter of types", OPENINGS, draft(1, { type: "test", gateway: null }), true],
  ["all that a filter names must fit", { ...OPENINGS, gateways: ACME, owners: ["operator"] }, opened, true],
  ["a type that is not named is held back", { gateways: ACME, events: ["incident.resolved"] }, opened, false],
  [
    "a filter that names no gateway passes none",
    { gateways: { named: [], others: ["acme", "other"] } },
    opened,
    false,
  ],
  ["that another gateway fails too is its opening", { ...OPENINGS, gateways: OTHER }, joined, true],
  [
    "the end of an incident passes that the gateway was in, whosever it is now",
    { gateways: OTHER },
    { ...joined, type: "incident.resolved" },
    true,
  ],
  ["the end of an incident of a gateway that left passes", { gateways: ACME }, endOfLeft, true],
  ["the end of missing models of a gateway that left passes", { gateways: ACME }, backOfLeft, true],
  ["an update on a gateway that left is held back", { gateways: ACME }, updateOfLeft, false],
  ["missing models of a gateway that left are held back", { gateways: ACME }, lackingOfLeft, false],
])("%s", (_, only, told, wanted) => {
  expect(wants({ ...EVERYTHING, ...only }, told)).toBe(wanted);
});

test.each([
  ["vanished", diagnosis("model_missing", "degraded", { owner: "operator" })],
  ["returned", diagnosis("ok", "up", { owner: "nobody" })],
  ["changed in a list that came with another failure", diagnosis("slow", "degraded", { owner: "nobody" })],
])("a model that %s is the operator's", (_how, of) => {
  const changed = draft(1, { type: "models.changed", diagnosis: of });
  const wanted = (only: Partial<ChannelFilter>) => wants({ ...EVERYTHING, ...only }, changed);
  expect(wanted({ owners: ["operator"], causes: ["model_missing"] })).toBe(true);
  expect(wanted({ owners: ["caller"] })).toBe(false);
  expect(wanted({ owners: ["nobody"] })).toBe(false);
  expect(wanted({ turns: ["us"] })).toBe(false);
});

test("an id tells subject, type and number, and has no dot", () => {
  expect(identified(draft(1), 7).id).toBe("2026-11-20-models-changed-7");
  const beginning = draft(1, { type: "incident.opened", incident: incident() });
  // Ledgers of several shards count each for itself.
  expect(identified(draft(1), 7, 2).id).toBe("2026-11-20-models-changed-2-7");
  expect(identified(beginning, 8).id).toBe("acme-models-20261120t120000z-incident-opened-8");
});
