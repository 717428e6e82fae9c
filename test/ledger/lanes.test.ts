/** Lanes of a tick: which of them asks for what, and that none asks twice, tells twice or loses a result. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY_STATE, type LedgerState } from "../../src/ledger/state/state.ts";
import { rounds } from "../extent.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { canary } from "../fixtures/canary-play.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { begin as beginIn, due, MINUTE, record as recordIn } from "./ticks.ts";

const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };
const LOST = { diagnosis: diagnosis("dns_failure", "down", { layer: "network", httpStatus: null }) };

const seven = ["a", "b", "c", "d", "e", "f", "g"].map((id) => gateway(id));
const world = { config: config(seven, { lanes: 3, maxProbesPerTick: 2 }) };

const lane = (state: LedgerState, minute: number, number: number, nowMs = minute * MINUTE) =>
  beginIn(state, minute * MINUTE, { ...world, nowMs }, `${minute}/${number}`, number);
const record = (state: LedgerState, minute: number, number: number, told: Parameters<typeof recordIn>[2]) =>
  recordIn(state, minute * MINUTE, told, world, { invocation: `${minute}/${number}`, lane: number });

const putOff = ({ journal }: LedgerState) => journal.ticks.find((tick) => tick.lane === 0)?.putOff;

test("each lane takes what is due and nobody else has taken, as many lanes as are needed and allowed", () => {
  const first = lane(EMPTY_STATE, 1, 0);
  expect([due(first), first.answer.lanes, putOff(first.state)]).toEqual([["a/models", "b/models"], 2, 5]);
  const third = lane(first.state, 1, 2);
  const second = lane(third.state, 1, 1);
  expect([due(third), due(second), second.answer.lanes]).toEqual([
    ["c/models", "d/models"],
    ["e/models", "f/models"],
    0,
  ]);
  // What no lane takes is put off, and what one gives back.
  expect([first, third, second].map(({ state }) => putOff(state))).toEqual([5, 3, 1]);
  const giveBack = (state: LedgerState) =>
    recordIn(state, MINUTE, {}, world, { invocation: "1/1", lane: 1, returned: ["e/models"] }).state;
  const returned = giveBack(second.state);
  expect(putOff(returned)).toBe(2);
  // The same batch once more, as its answer was lost.
  expect(putOff(giveBack(returned))).toBe(2);
  expect(due(lane(returned, 2, 0))).toEqual(["e/models", "g/models"]);
});

test("what is due once a tick is done by lane 0 alone", () => {
  const { state } = lane(EMPTY_STATE, 1, 0);
  const { watch, clock, lastTickMs } = lane(state, 1, 1, 9 * MINUTE).state.journal;
  expect({ watch, clock, lastTickMs }).toEqual({
    watch: state.journal.watch,
    clock: state.journal.clock,
    lastTickMs: MINUTE,
  });
});

test("a lane that is fired again has nothing to do, and tells whether its own results are missing", () => {
  const { state } = lane(lane(EMPTY_STATE, 1, 0).state, 1, 1);
  const again = beginIn(state, MINUTE, world, "another", 1);
  expect(again).toMatchObject({ answer: { duplicate: true, unfinished: true, assignments: [] }, state });
  const told = record(state, 1, 1, { "c/models": {}, "d/models": {} }).state;
  expect(beginIn(told, MINUTE, world, "another", 1).answer.unfinished).toBe(false);
  expect(due(beginIn(state, MINUTE, world, "1/1", 1))).toEqual(["c/models", "d/models"]);
});

test("a lane does not apply a new key, and leaves all to the next tick", () => {
  const { state } = lane(EMPTY_STATE, 1, 0);
  const news = { ...world, identities: { g: "addr:new" } };
  expect(beginIn(state, MINUTE, news, "1/1", 1).answer).toMatchObject({ duplicate: true, unfinished: false });
});

describe("all that is due of a gateway goes into one lane", () => {
  const mixed = (id: string) =>
    gateway(id, { monitors: [monitor(id), { ...canary(), id: `${id}/chat`, gatewayId: id }] });
  const asked = ({ answer }: ReturnType<typeof beginIn>) => [
    ...answer.assignments.flatMap(({ monitorIds }) => monitorIds),
    ...answer.canaries.flatMap(({ errands }) => errands.map(({ monitorId }) => monitorId)),
  ];

  test("lists and canaries: its Retry-After binds them all", () => {
    const of = { config: config(["a", "b", "c"].map(mixed), { lanes: 3, maxProbesPerTick: 3 }) };
    const first = beginIn(EMPTY_STATE, MINUTE, of);
    expect([asked(first), first.answer.lanes]).toEqual([["a/models", "a/chat"], 2]);
    expect(asked(beginIn(first.state, MINUTE, of, "1", 1))).toEqual(["b/models", "b/chat"]);
  });

  test("where it has more than fit, the rest waits for the next tick", () => {
    const lists = Array.from({ length: 4 }, (_, n) => monitor("a", { id: `a/m${n}` }));
    const many = [...lists, { ...canary(), id: "a/z", gatewayId: "a" }];
    const of = { config: config([gateway("a", { monitors: many })], { lanes: 3, maxProbesPerTick: 2 }) };
    const first = beginIn(EMPTY_STATE, MINUTE, of);
    expect([asked(first), first.answer.lanes, putOff(first.state)]).toEqual([["a/m0", "a/m1"], 0, 3]);
    expect(asked(beginIn(first.state, MINUTE, of, "1", 1))).toEqual([]);
  });
});

describe("the monitoring's own network", () => {
  const failed = (state: LedgerState, minute: number, number: number, ids: readonly string[]) =>
    recordIn(state, minute * MINUTE, Object.fromEntries(ids.map((id) => [`${id}/models`, LOST])), world, {
      invocation: `${minute}/${number}`,
      lane: number,
      ownNetworkFailed: true,
    }).state;
  const begun = (minute: number, before: LedgerState) =>
    [0, 1, 2].reduce((state, number) => lane(state, minute, number).state, before);

  test("is not out where one lane of the tick reached a gateway, whichever told first", () => {
    const started = begun(1, EMPTY_STATE);
    const first = record(failed(started, 1, 1, ["c", "d"]), 1, 0, { "a/models": {} }).state;
    const last = failed(record(started, 1, 0, { "a/models": {} }).state, 1, 1, ["c", "d"]);
    for (const { journal } of [first, last]) {
      expect(journal.ownNetwork).toMatchObject({ failedInARow: 0, reachedTickMs: MINUTE });
    }
    // Who tells last is judged by what is known.
    expect([first, last].map(({ monitors }) => monitors["c/models"]?.health)).toEqual(["unknown", "down"]);
  });

  test("that is out counts once a tick, and a lane that comes late turns nothing back", () => {
    const once = ["0 a b", "1 c d", "2 e f"].reduce(
      (state, of) => {
        const [number, ...ids] = of.split(" ");
        return failed(state, 1, Number(number), ids);
      },
      begun(1, EMPTY_STATE),
    );
    expect([once.journal.ownNetwork.failedInARow, Object.keys(once.incidents)]).toEqual([1, []]);
    const next = lane(once, 2, 0).state;
    const twice = failed(next, 2, 0, ["a", "b"]);
    expect(Object.values(twice.incidents)).toMatchObject([{ gatewayId: null }]);
    const told = { "f/models": { startedAtMs: 2 * MINUTE } };
    const now = { ...world, nowMs: 2 * MINUTE };
    const late = recordIn(twice, MINUTE, told, now, { invocation: "1/2", lane: 2 }).state;
    expect(late.journal.ownNetwork).toEqual(twice.journal.ownNetwork);
  });
});

const FATES = ["good", "dies", "late", "twice"] as const;

test("a lane that dies, is late or is delivered twice loses no sample, probes nothing twice and tells nothing twice", () => {
  const ids = seven.map(({ id }) => `${id}/models`);
  fc.assert(
    fc.property(fc.array(fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(...FATES)))), (minutes) => {
      let state = EMPTY_STATE;
      const samples: string[] = [];
      const opened: string[] = [];
      const late: (() => void)[] = [];
      const asked = new Map<string, number[]>();
      const play = (minute: number, number: number, fate: (typeof FATES)[number], nowMs: number): void => {
        const began = lane(state, minute, number, nowMs);
        state = began.state;
        for (const id of due(began)) asked.set(id, [...(asked.get(id) ?? []), minute]);
        if (fate === "dies") return;
        const results = Object.fromEntries(due(began).map((id) => [id, { startedAtMs: nowMs + 1, ...DOWN }]));
        for (let times = fate === "twice" ? 2 : 1; times > 0; times -= 1) {
          const recorded = recordIn(
            state,
            minute * MINUTE,
            results,
            { ...world, nowMs, isRecorded },
            {
              invocation: `${minute}/${number}`,
              lane: number,
            },
          );
          state = recorded.state;
          samples.push(...recorded.samples.map(({ monitorId, sample }) => `${monitorId} ${sample.atMs}`));
          for (const happening of recorded.happenings) {
            if ("incident" in happening) opened.push(`${happening.type} ${happening.incident.gatewayId}`);
          }
        }
        if (fate === "twice")
          expect(beginIn(state, minute * MINUTE, world, "again", number).answer.duplicate).toBe(true);
      };
      const isRecorded = (id: string, atMs: number): boolean => samples.includes(`${id} ${atMs}`);
      for (const [index, fates] of [
        ...minutes,
        ...Array.from({ length: 12 }, () => ["good", "good", "good"] as const),
      ].entries()) {
        const minute = index + 1;
        const nowMs = minute * MINUTE;
        for (const start of late.splice(0)) start();
        for (const [number, fate] of fates.entries()) {
          if (fate === "late" && number > 0) late.push(() => play(minute, number, "good", nowMs + MINUTE));
          else play(minute, number, fate, nowMs);
        }
      }
      expect(new Set(samples).size).toBe(samples.length);
      // Every incident is sent, and none twice.
      expect(opened.toSorted()).toEqual(seven.map(({ id }) => `incident.opened ${id}`));
      const last = minutes.length + 12;
      for (const id of ids) {
        const of = asked.get(id) ?? [];
        expect(new Set(of).size).toBe(of.length);
        // A lease that nobody pays ends after five minutes.
        expect(last - (of.at(-1) ?? 0)).toBeLessThanOrEqual(2);
      }
    }),
    { numRuns: rounds(30, 300) },
  );
});
