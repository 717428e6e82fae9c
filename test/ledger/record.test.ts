import { describe, expect, test } from "vitest";
import { LEASE_MS, type Batch } from "../../src/domain/tick.ts";
import type { RecordingWorld } from "../../src/ledger/record/draft.ts";
import { EMPTY_STATE, type LedgerState } from "../../src/ledger/state/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { begin, MINUTE, type Outcomes, record as recordIn } from "./ticks.ts";

const two = config([gateway("a"), gateway("b")]);
const unreached = { layer: "network", httpStatus: null } as const;
const down = { diagnosis: diagnosis("timeout", "down", unreached) };
const lost = { diagnosis: diagnosis("dns_failure", "down", unreached) };

/** Of a tick in which nobody was reached. */
const OWN = { ownNetworkFailed: true };

const begun = (tickMs: number, state: LedgerState = EMPTY_STATE): LedgerState =>
  begin(state, tickMs, { config: two }).state;

const record = (
  state: LedgerState,
  tickMs: number,
  told: Outcomes,
  over: Partial<RecordingWorld> = {},
  batch: Partial<Batch> = {},
) => recordIn(state, tickMs, told, { config: two, ...over }, batch);

/** A tick from begin to end. */
const tick = (
  state: LedgerState,
  minute: number,
  told: Outcomes,
  over: Partial<RecordingWorld> = {},
  batch: Partial<Batch> = {},
) => record(begun(minute * MINUTE, state), minute * MINUTE, told, over, batch);

test("a result moves the monitor, leaves a sample and ends the lease", () => {
  const recorded = record(begun(MINUTE), MINUTE, { "a/models": {} });
  expect(recorded.state.monitors["a/models"]).toMatchObject({
    health: "up",
    goodInARow: 1,
    nextDueMs: 2 * MINUTE,
  });
  expect(recorded.samples).toEqual([
    {
      monitorId: "a/models",
      sample: {
        atMs: MINUTE + 1,
        health: "up",
        cause: "ok",
        latencyMs: 100,
        attempts: 1,
        waitedMs: 0,
        httpStatus: 200,
        inMaintenance: false,
        generation: null,
      },
    },
  ]);
  expect(recorded.state.journal.gateways["a"]?.lease).toBeNull();
  expect(recorded.state.journal.gateways["b"]?.lease).not.toBeNull();
  expect(recorded.changed).toBe(true);
});

test("a result that is offered again counts once", () => {
  const first = tick(EMPTY_STATE, 1, { "a/models": down });
  const isRecorded = (id: string, atMs: number) => id === "a/models" && atMs === MINUTE + 1;
  const again = record(first.state, MINUTE, { "a/models": down }, { isRecorded });
  expect(again.samples).toEqual([]);
  expect(again.state.monitors).toBe(first.state.monitors);
});

test.each([
  ["whose lease expired", { nowMs: MINUTE + LEASE_MS }, {}],
  ["of an invocation that holds no lease", {}, { invocation: "other" }],
])("a result %s is a sample and moves nothing", (_, over, batch) => {
  const state = begun(MINUTE);
  const late = record(state, MINUTE, { "a/models": down }, over, batch);
  expect(late.samples).toHaveLength(1);
  expect(late.state.monitors).toBe(state.monitors);
  expect(late.changed).toBe(false);
});

test("a monitor that nobody configured is ignored", () => {
  expect(tick(EMPTY_STATE, 1, { "x/models": {} }).samples).toEqual([]);
});

test("a monitor that was given back is due as before, counts as put off, and its gateway is free", () => {
  const { journal, monitors } = tick(EMPTY_STATE, 1, {}, {}, { returned: ["a/models"] }).state;
  expect(journal.gateways["a"]?.lease).toBeNull();
  expect(journal.ticks[0]?.putOff).toBe(1);
  expect(monitors["a/models"]?.nextDueMs).toBe(0);
});

/** From minute 1 on. */
function failing(times: number): LedgerState {
  let state = EMPTY_STATE;
  for (let n = 1; n <= times; n += 1) state = tick(state, n, { "a/models": down, "b/models": {} }).state;
  return state;
}

test("the second failure opens an incident that carries both the first and the latest failure", () => {
  expect(Object.values(failing(1).incidents)).toEqual([]);
  const state = failing(3);
  const [incident, ...others] = Object.values(state.incidents);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({
    id: "a.models-19700101t000200z",
    gatewayId: "a",
    monitorIds: ["a/models"],
    cause: "timeout",
    health: "down",
    openedAtMs: 2 * MINUTE + 1,
    resolvedAtMs: null,
    firstFailure: { startedAtMs: 2 * MINUTE + 1 },
    latestFailure: { startedAtMs: 3 * MINUTE + 1 },
  });
  expect(state.monitors["a/models"]?.incidentId).toBe(incident?.id);
});

test("a gateway that takes ten seconds to answer counts as hanging until it was quick five times in a row", () => {
  let state = EMPTY_STATE;
  const owed: unknown[] = [];
  for (const [n, latencyMs] of [9_999, 10_000, 100, 100, 30_000, 9_999, 1, null, 1, 1, 1].entries()) {
    state = tick(state, n + 1, { "a/models": { latencyMs } }).state;
    owed.push(state.journal.gateways["a"]?.quickOwed);
  }
  expect(owed).toEqual([0, 5, 4, 3, 5, 4, 3, 2, 1, 0, 0]);
});

test("what could not be told from the monitoring's own trouble is found out in the next tick, however seldom it is probed", () => {
  const daily = gateway("b", { monitors: [monitor("b", { everyMs: 1440 * MINUTE })] });
  const seldom = { config: config([gateway("a"), daily]) };
  let { state } = tick(EMPTY_STATE, 1, { "a/models": lost, "b/models": lost }, seldom, OWN);
  expect(state.monitors["b/models"]).toMatchObject({ health: "unknown", nextDueMs: 2 * MINUTE });
  state = tick(state, 2, { "a/models": lost, "b/models": {} }, seldom).state;
  expect(state.monitors["a/models"]).toMatchObject({ health: "down", failedInARow: 1 });
  state = tick(state, 3, { "a/models": lost }, seldom).state;
  expect(Object.values(state.incidents).map(({ gatewayId }) => gatewayId)).toEqual(["a"]);
});

test("samples inside a maintenance window are marked, those of other gateways are not", () => {
  const window = { gateways: ["a"], fromMs: MINUTE, toMs: 2 * MINUTE, title: "Move" };
  const { samples } = tick(EMPTY_STATE, 1, { "a/models": {}, "b/models": {} }, { maintenance: [window] });
  expect(samples.map(({ sample }) => sample.inMaintenance)).toEqual([true, false]);
});

test("the same health and cause again is no news", () => {
  const first = tick(EMPTY_STATE, 1, { "a/models": {} }).state;
  expect(tick(first, 2, { "a/models": {} }).changed).toBe(false);
});

test("Retry-After holds for a day at most, however long it is", () => {
  const retry = { allowed: true, afterSeconds: 2147483647, hint: null };
  const forever = { diagnosis: diagnosis("rate_limited", "degraded", { retry }) };
  const { state } = tick(EMPTY_STATE, 1, { "a/models": forever });
  expect(state.journal.gateways["a"]?.heldUntilMs).toBe(MINUTE + 1 + 100 + 86_400_000);
});

describe("planned work over an incident that was there before it", () => {
  const WINDOW = { gateways: ["a"], fromMs: 3 * MINUTE, toMs: 7 * MINUTE, title: "Move" };
  const world = { config: config([gateway("a")]), maintenance: [WINDOW] };

  /** `D`: it fails, `U`: it is good; a tick a minute from minute 1 on. Which events follow, and which samples count for uptime. */
  function played(letters: string) {
    let state: LedgerState = EMPTY_STATE;
    const told: string[] = [];
    const resolved: string[] = [];
    let counted = "";
    for (const [index, letter] of letters.split("").entries()) {
      const tickMs = (index + 1) * MINUTE;
      const failure = { diagnosis: diagnosis("http_error", "down") };
      const recorded = recordIn(
        begin(state, tickMs, world).state,
        tickMs,
        { "a/models": letter === "D" ? failure : {} },
        world,
      );
      state = recorded.state;
      told.push(...recorded.happenings.map(({ type }) => `${index + 1} ${type}`));
      resolved.push(...recorded.resolved.map(({ id }) => id));
      counted += recorded.samples.map(({ sample }) => (sample.inMaintenance ? "-" : letter)).join("");
    }
    return { told, resolved, counted, open: Object.keys(state.incidents) };
  }

  test("good probes within it close the incident, and that is told and kept", () => {
    expect(played("DDDUUUUU")).toEqual({
      told: ["2 incident.opened", "5 incident.resolved"],
      resolved: ["a.models-19700101t000200z"],
      counted: "DD----UU",
      open: [],
    });
  });

  test("failures within it are told to nobody, and open nothing before there are enough of them behind it", () => {
    expect(played("UUDDDDD").told).toEqual([]);
    expect(played("UUDDDDDD").told).toEqual(["8 incident.opened"]);
  });
});
