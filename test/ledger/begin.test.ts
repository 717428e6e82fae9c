import { describe, expect, test } from "vitest";
import { LEASE_MS } from "../../src/domain/tick.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { BeginWorld } from "../../src/ledger/begin/apply-config.ts";
import {
  EMPTY_STATE,
  type LedgerState,
  type PlannedWindow,
  DOCUMENTS,
} from "../../src/ledger/state/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { begin as beginIn, due as ids, MINUTE, record as recordIn } from "./ticks.ts";
import { stateWithoutFuture, withoutFuture } from "../../src/ledger/begin/clock.ts";
import { NEW_RECORD } from "../../src/ledger/deliver/outbox-tables.ts";

const two = config([gateway("a"), gateway("b")]);
const identities = { a: "addr-a:key-a", b: "addr-b:key-b" };
const newKey = { identities: { ...identities, a: "addr-a:new" } };
const limited = diagnosis("rate_limited", "degraded", {
  retry: { allowed: true, afterSeconds: 3600, hint: null },
});

const begin = (state: LedgerState, tickMs: number, over: Partial<BeginWorld> = {}, invocation?: string) =>
  beginIn(state, tickMs, { config: two, identities, ...over }, invocation);

/** Of both gateways, unless others are given. */
const record = (
  state: LedgerState,
  tickMs: number,
  over: Partial<ProbeOutcome> = {},
  of: readonly string[] = ["a/models", "b/models"],
  invocation = `i${tickMs}`,
) => {
  const told = Object.fromEntries(of.map((id) => [id, over]));
  return recordIn(state, tickMs, told, { config: two }, { invocation }).state;
};

describe("what is due", () => {
  test("a monitor that was never probed is due at once, and its gateway is leased", () => {
    const began = begin(EMPTY_STATE, MINUTE);
    expect(ids(began)).toEqual(["a/models", "b/models"]);
    expect(began.state.journal.gateways["a"]?.lease).toEqual({
      tickMs: MINUTE,
      invocation: "i60000",
      run: null,
      untilMs: MINUTE + LEASE_MS,
      owed: ["a/models"],
    });
  });

  test("the same tick fired again tries a key that is new since, and nothing else", () => {
    const recorded = record(begin(EMPTY_STATE, MINUTE).state, MINUTE);
    const again = begin(recorded, MINUTE, newKey, "another");
    expect([again.answer.duplicate, ids(again)]).toEqual([false, ["a/models"]]);
    const repeated = begin(again.state, MINUTE);
    expect([repeated.answer.duplicate, ids(repeated)]).toEqual([false, []]);
  });

  test("a new key is tried at once, and what the old one still brings moves nothing", () => {
    const first = begin(EMPTY_STATE, MINUTE);
    const again = begin(first.state, MINUTE, newKey, "another");
    expect(ids(again)).toEqual(["a/models"]);
    const refused = { diagnosis: diagnosis("authentication", "blocked") };
    const after = record(again.state, MINUTE, refused, ["a/models"]);
    expect(after.monitors["a/models"]?.health).toBe("unknown");
    expect(after.journal.gateways["a"]?.lease?.invocation).toBe("another");
  });

  test("the same tick fired twice gives the second nothing to do, and tells it whether results are missing", () => {
    const first = begin(EMPTY_STATE, MINUTE);
    const second = begin(first.state, MINUTE, {}, "another");
    const nothing = { duplicate: true, assignments: [], canaries: [] };
    expect(second).toMatchObject({ answer: { ...nothing, unfinished: true }, state: first.state });
    expect(begin(record(first.state, MINUTE), MINUTE, {}, "another").answer.unfinished).toBe(false);
  });

  test("a call that is repeated because its answer was lost gets that answer", () => {
    const first = begin(EMPTY_STATE, MINUTE);
    expect(begin(first.state, MINUTE).answer).toEqual(first.answer);
  });

  test("a gateway that another tick is probing is left alone until its lease ends", () => {
    const first = begin(EMPTY_STATE, MINUTE);
    expect(ids(begin(first.state, 2 * MINUTE))).toEqual([]);
    expect(ids(begin(first.state, MINUTE + LEASE_MS))).toEqual(["a/models", "b/models"]);
  });

  test("more due monitors than a tick carries: the most overdue first, the rest is counted", () => {
    const gateways = ["a", "b", "c", "d"].map((id) => gateway(id));
    const many = { config: config(gateways, { maxProbesPerTick: 3 }) };
    const first = begin(EMPTY_STATE, MINUTE, many);
    expect(ids(first)).toEqual(["a/models", "b/models", "c/models"]);
    expect(first.state.journal.ticks[0]?.putOff).toBe(1);
    const recorded = record(first.state, MINUTE);
    expect(ids(begin(recorded, 2 * MINUTE, many))[0]).toBe("d/models");
  });

  test("no probe before Retry-After, for any monitor of the gateway", () => {
    const held = record(begin(EMPTY_STATE, MINUTE).state, MINUTE, { diagnosis: limited }, ["a/models"]);
    const minutes = Array.from({ length: 61 }, (_, n) => n + 2);
    const asked = minutes.filter((minute) => ids(begin(held, minute * MINUTE)).includes("a/models"));
    expect(asked).toEqual([62]);
  });
});

describe("a clock that jumps", () => {
  test("a tick that comes late does not turn the newest tick back", () => {
    const newest = begin(EMPTY_STATE, 5 * MINUTE).state;
    expect(begin(newest, 4 * MINUTE, { nowMs: 5 * MINUTE }).state.journal.lastTickMs).toBe(5 * MINUTE);
  });
});

describe("a changed configuration", () => {
  const refused = diagnosis("authentication", "blocked");
  const blocked = [1, 2, 3].reduce(
    (state, n) => record(begin(state, n * 20 * MINUTE).state, n * 20 * MINUTE, { diagnosis: refused }),
    EMPTY_STATE,
  );

  test("while a key is refused its monitor backs off; another key is tried at once", () => {
    expect(ids(begin(blocked, 61 * MINUTE))).toEqual([]);
    expect(ids(begin(blocked, 61 * MINUTE, newKey))).toEqual(["a/models"]);
  });

  test("a removed monitor closes its incident; its gateway is forgotten", () => {
    const began = begin(blocked, 70 * MINUTE, { config: config([gateway("b")]) });
    expect(began.resolved.map(({ id, resolvedAtMs }) => [id.startsWith("a.models-"), resolvedAtMs])).toEqual([
      [true, 70 * MINUTE],
    ]);
    expect(began.resolved[0]?.timeline.at(-1)?.type).toBe("removed");
    expect(Object.keys(began.state.monitors)).toEqual(["b/models"]);
    expect(Object.values(began.state.incidents)).toHaveLength(1);
  });
});

test("gateways are asked in the order in which they answered last, the quickest first", () => {
  const three = config([gateway("a"), gateway("b"), gateway("c")]);
  const over = { config: three, identities: { ...identities, c: "addr-c:key-c" } };
  let state = begin(EMPTY_STATE, MINUTE, over).state;
  for (const [id, latencyMs] of Object.entries({ a: 9_500, b: 40, c: null })) {
    state = recordIn(state, MINUTE, { [`${id}/models`]: { latencyMs } }, over).state;
  }
  expect(ids(begin(state, 2 * MINUTE, over))).toEqual(["c/models", "b/models", "a/models"]);
});

test("nothing is rewritten that did not change", () => {
  const recorded = record(begin(EMPTY_STATE, MINUTE).state, MINUTE);
  const again = begin(recorded, 2 * MINUTE).state;
  expect(again.monitors).toBe(recorded.monitors);
  expect(again.incidents).toBe(recorded.incidents);
});

test("a run that knows the one before to be over owns its gateways at once, each as a suspect", () => {
  const killed = begin(EMPTY_STATE, MINUTE, { run: "first" }).state;
  expect(ids(begin(killed, 2 * MINUTE, { run: "first" }))).toEqual([]);
  const again = begin(killed, 2 * MINUTE, { run: "second" });
  expect(again.answer.assignments.map(({ suspect }) => suspect)).toEqual([true, true]);
});

test("a gateway whose lease ran out unpaid is suspect until a result comes", () => {
  const killed = begin(EMPTY_STATE, MINUTE).state;
  const again = begin(killed, MINUTE + LEASE_MS);
  expect(again.answer.assignments.map(({ suspect }) => suspect)).toEqual([true, true]);
  const told = record(again.state, MINUTE + LEASE_MS, {}, ["a/models"]);
  expect(told.journal.gateways["a"]?.suspect).toBe(false);
  expect(told.journal.gateways["b"]?.suspect).toBe(true);
});

test("a monitor that left the configuration owes nothing: its gateway is free at once", () => {
  const twice = config([gateway("a", { monitors: [monitor("a"), monitor("a", { id: "a/second" })] })]);
  const begun = begin(EMPTY_STATE, MINUTE, { config: twice }).state;
  const once = config([gateway("a", { monitors: [monitor("a")] })]);
  const told = recordIn(begun, MINUTE, { "a/models": {} }, { config: once }).state;
  expect(ids(begin(told, 2 * MINUTE, { config: once }))).toEqual(["a/models"]);
});

test("a tick reads two pages that are due, each once in five minutes; after failures up to an hour passes", () => {
  const named = ["p", "q", "r"].map((name) => ({ name, status: `https://${name}.example` }));
  const behind = config([gateway("a", { upstream: named }), gateway("b", { upstream: named })]);
  const asked: Record<string, number[]> = {};
  let state = EMPTY_STATE;
  for (let minute = 100; minute < 400; minute += 1) {
    const begun = begin(state, minute * MINUTE, { config: behind });
    const due = begun.answer.pages ?? [];
    expect(due.length).toBeLessThanOrEqual(2);
    for (const page of due) (asked[page] ??= []).push(minute);
    const pages = due.map((page) =>
      page === "https://p.example"
        ? { page, problem: "it answered HTTP 503" }
        : {
            page,
            reported: { readAt: "", indicator: "none", description: "", incidents: [] } as const,
          },
    );
    state = recordIn(begun.state, minute * MINUTE, {}, { config: behind }, { pages }).state;
  }
  const gaps = (page: string) =>
    asked[page]?.slice(1).map((minute, index) => minute - (asked[page]?.[index] ?? 0));
  expect(gaps("https://p.example")).toEqual([10, 20, 40, 60, 60, 60]);
  expect(new Set([...(gaps("https://q.example") ?? []), ...(gaps("https://r.example") ?? [])])).toEqual(
    new Set([5]),
  );
  expect(state.journal.pages["https://p.example"]).toMatchObject({ failures: 7, reported: null });
  // Nobody names them any more.
  expect(begin(state, 400 * MINUTE).state.journal.pages).toEqual({});
});

// What the begin of a tick tells by itself: silences that are over; and the maintenance that it remembers.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const one = { config: config([gateway("a")]) };

test("a silence that nobody noticed while it lasted is told by the tick that ends it, in one event", () => {
  const first = begin(EMPTY_STATE, MINUTE, one).state;
  const second = begin(first, 61 * MINUTE, one);
  expect(second.happenings).toEqual([{ type: "monitoring.resumed", atMs: 61 * MINUTE, lastTickMs: MINUTE }]);
  expect(second.changed).toBe(true);
  expect(begin(second.state, 62 * MINUTE, one).happenings).toEqual([]);
});

describe("maintenance that was planned", () => {
  const NOW = 100 * DAY;
  const endedAt = (toMs: number, id = "m1") => ({ id, gateways: [], fromMs: 0, toMs, title: "A move" });
  const after = (planned: readonly PlannedWindow[], lastMs = NOW - MINUTE): readonly PlannedWindow[] => {
    const journal = {
      ...EMPTY_STATE.journal,
      planned: [...planned],
      clock: { lastMs, steadyMs: 0, beforeMs: 0 },
    };
    return begin({ ...EMPTY_STATE, journal }, NOW, one).state.journal.planned;
  };
  const long = endedAt(NOW - 30 * DAY);

  test("is known for 30 days after its end", () => {
    const known = [endedAt(NOW - 30 * DAY + 1), endedAt(NOW - 1), endedAt(NOW), endedAt(NOW + 1)];
    expect(after([long, ...known])).toEqual(known);
  });

  test("does not go on the word of a clock that has just jumped", () => {
    expect(after([long], NOW - 90 * MINUTE)).toEqual([long]);
  });

  test("does not go sooner after a long jump where a pause follows it", () => {
    const ticks = [NOW - 10 * DAY, NOW - 4 * HOUR, NOW - 2 * HOUR, NOW - HOUR, NOW];
    let state: LedgerState = { ...EMPTY_STATE, journal: { ...EMPTY_STATE.journal, planned: [long] } };
    for (const tickMs of ticks) ({ state } = begin(state, tickMs, one));
    expect(state.journal.planned).toEqual([long]);
    expect(state.journal.clock.beforeMs).toBe(NOW - 10 * DAY);
  });
});

const NOW = Date.UTC(2026, 10, 20, 12);

test("planned maintenance stays in the future, and ticks that are to come are forgotten", () => {
  const planned = [{ id: "p", gateways: ["a"], fromMs: NOW + 1, toMs: NOW + 2, title: "" }];
  const ticks = [{ tickMs: NOW + MINUTE, invocation: "i", lane: 0, putOff: 0 }];
  const stored = { ...EMPTY_STATE, journal: { ...EMPTY_STATE.journal, planned, ticks, lastTickMs: NOW + 5 } };
  const { journal } = stateWithoutFuture(stored, NOW);
  expect(journal).toMatchObject({ planned, ticks: [], lastTickMs: NOW });
});

test("numbers of events are no instants, though they are counted by the clock", () => {
  const channel = { ...NEW_RECORD, cursor: 2 * NOW, triedTo: 2 * NOW, ahead: [2 * NOW], resentMs: 2 * NOW };
  expect(withoutFuture(channel, NOW)).toEqual({ ...channel, resentMs: NOW });
});

/** A year ahead, by a clock that is right again. */
const YEAR = 365 * 1440 * MINUTE;
const wrong = { lastMs: YEAR, steadyMs: YEAR, beforeMs: 0 };

test("nobody knows how long a silence was over which the clock was set back", () => {
  const watch = { ...EMPTY_STATE.journal.watch, lastTickMs: YEAR, isStalled: true };
  const stalled = { ...EMPTY_STATE, journal: { ...EMPTY_STATE.journal, clock: wrong, watch } };
  expect(begin(stalled, MINUTE, one).happenings).toEqual([
    { type: "monitoring.resumed", atMs: MINUTE, lastTickMs: null },
  ]);
});

test.each([
  ["that is new", config([gateway("constructor")])],
  [
    "that carries another one on",
    config([gateway("neo", { monitors: [monitor("neo", { formerly: ["constructor/models"] })] })]),
  ],
])("a gateway called constructor %s is kept as any other", (_, settings) => {
  let state = EMPTY_STATE;
  for (const minute of [1, 2, 3]) {
    const keys = Object.fromEntries(settings.gateways.map(({ id }) => [id, `${id}:key`]));
    const began = begin(state, minute * MINUTE, { config: settings, identities: keys });
    expect(ids(began)).toHaveLength(1);
    const told = Object.fromEntries(ids(began).map((id) => [id, {}]));
    state = recordIn(began.state, minute * MINUTE, told, { config: settings }).state;
    const written: unknown = JSON.parse(JSON.stringify(state.journal));
    expect(DOCUMENTS.journal().parse(written)).toEqual(state.journal);
    expect(Object.values(state.journal.gateways)).toMatchObject([{ quickOwed: 0, heldUntilMs: 0 }]);
  }
});
