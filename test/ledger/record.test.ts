import { expect, test } from "vitest";
import { LEASE_MS } from "../../src/domain/assignment.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { Batch } from "../../src/domain/tick.ts";
import { beginTick } from "../../src/ledger/begin.ts";
import { recordBatch, type RecordingWorld } from "../../src/ledger/record.ts";
import { EMPTY_STATE, type LedgerState } from "../../src/ledger/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

const MINUTE = 60_000;
const two = config([gateway("a"), gateway("b")]);
const identities = { a: "a:1", b: "b:1" };
const down = diagnosis("timeout", "down", { layer: "network", httpStatus: null });

function begun(tickMs: number, state: LedgerState = EMPTY_STATE, invocation = "i") {
  return beginTick(
    state,
    { tickMs, invocation },
    { config: two, maintenance: [], identities, nowMs: tickMs, tickIntervalMs: MINUTE, run: null },
  ).state;
}

function batch(
  tickMs: number,
  results: Record<string, Partial<ProbeOutcome>>,
  over: Partial<Batch> = {},
): Batch {
  return {
    tickMs,
    invocation: "i",
    results: Object.entries(results).map(([monitorId, of]) => ({
      monitorId,
      outcome: outcome({ startedAtMs: tickMs + 1, ...of }),
    })),
    ownNetworkFailed: false,
    returned: [],
    ...over,
  };
}

const world = (nowMs: number, over: Partial<RecordingWorld> = {}): RecordingWorld => ({
  config: two,
  maintenance: [],
  nowMs,
  tickIntervalMs: MINUTE,
  isRecorded: () => false,
  ...over,
});

test("a result moves the monitor, leaves a sample and ends the lease", () => {
  const recorded = recordBatch(begun(MINUTE), batch(MINUTE, { "a/models": {} }), world(MINUTE + 5));
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
  const first = recordBatch(begun(MINUTE), batch(MINUTE, { "a/models": { diagnosis: down } }), world(MINUTE));
  const seen = world(MINUTE, { isRecorded: (id, atMs) => id === "a/models" && atMs === MINUTE + 1 });
  const again = recordBatch(first.state, batch(MINUTE, { "a/models": { diagnosis: down } }), seen);
  expect(again.samples).toEqual([]);
  expect(again.state.monitors).toBe(first.state.monitors);
});

test("a result whose lease expired is a sample and moves nothing", () => {
  const state = begun(MINUTE);
  const late = recordBatch(
    state,
    batch(MINUTE, { "a/models": { diagnosis: down } }),
    world(MINUTE + LEASE_MS),
  );
  expect(late.samples).toHaveLength(1);
  expect(late.state.monitors).toBe(state.monitors);
  expect(late.changed).toBe(false);
});

test("a result of an invocation that holds no lease is a sample and moves nothing", () => {
  const state = begun(MINUTE);
  const other = recordBatch(state, batch(MINUTE, { "a/models": {} }, { invocation: "other" }), world(MINUTE));
  expect(other.samples).toHaveLength(1);
  expect(other.state.monitors).toBe(state.monitors);
});

test("a monitor that nobody configured is ignored", () => {
  expect(recordBatch(begun(MINUTE), batch(MINUTE, { "x/models": {} }), world(MINUTE)).samples).toEqual([]);
});

test("a monitor that was given back is due as before, and its gateway is free", () => {
  const state = begun(MINUTE);
  const { state: after } = recordBatch(state, batch(MINUTE, {}, { returned: ["a/models"] }), world(MINUTE));
  expect(after.journal.gateways["a"]?.lease).toBeNull();
  expect(after.monitors["a/models"]?.nextDueMs).toBe(0);
});

function failing(times: number, state: LedgerState = EMPTY_STATE, from = 1): LedgerState {
  let current = state;
  for (let n = from; n < from + times; n += 1) {
    current = recordBatch(
      begun(n * MINUTE, current),
      batch(n * MINUTE, { "a/models": { diagnosis: down }, "b/models": {} }),
      world(n * MINUTE),
    ).state;
  }
  return current;
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

test("two good probes resolve it; one does not", () => {
  const good = (state: LedgerState, n: number) =>
    recordBatch(
      begun(n * MINUTE, state),
      batch(n * MINUTE, { "a/models": {}, "b/models": {} }),
      world(n * MINUTE),
    );
  const once = good(failing(2), 3);
  expect(once.resolved).toEqual([]);
  const twice = good(once.state, 4);
  expect(twice.resolved.map(({ resolvedAtMs }) => resolvedAtMs)).toEqual([4 * MINUTE + 1]);
  expect(twice.state.incidents).toEqual({});
  expect(twice.state.monitors["a/models"]?.incidentId).toBeNull();
});

test("a gateway that takes ten seconds to answer counts as hanging until it was quick five times in a row", () => {
  let state = EMPTY_STATE;
  const owed: unknown[] = [];
  for (const [n, latencyMs] of [9_999, 10_000, 100, 100, 30_000, 9_999, 1, null, 1, 1, 1].entries()) {
    const tickMs = (n + 1) * MINUTE;
    state = recordBatch(
      begun(tickMs, state),
      batch(tickMs, { "a/models": { latencyMs } }),
      world(tickMs),
    ).state;
    owed.push(state.journal.gateways["a"]?.quickOwed);
  }
  expect(owed).toEqual([0, 5, 4, 3, 5, 4, 3, 2, 1, 0, 0]);
});

test("all gateways failing by network is one incident of the monitoring, and none of a gateway", () => {
  const lost = { diagnosis: diagnosis("dns_failure", "down", { layer: "network", httpStatus: null }) };
  let state = EMPTY_STATE;
  for (const n of [1, 2, 3]) {
    const own = batch(n * MINUTE, { "a/models": lost, "b/models": lost }, { ownNetworkFailed: true });
    state = recordBatch(begun(n * MINUTE, state), own, world(n * MINUTE)).state;
  }
  expect(Object.values(state.incidents).map(({ gatewayId, cause }) => [gatewayId, cause])).toEqual([
    [null, "dns_failure"],
  ]);
  expect(state.monitors["a/models"]).toMatchObject({ health: "unknown", failedInARow: 0 });
  const back = [4, 5].map((n) => {
    const recorded = recordBatch(
      begun(n * MINUTE, state),
      batch(n * MINUTE, { "a/models": {}, "b/models": {} }),
      world(n * MINUTE),
    );
    state = recorded.state;
    return recorded.resolved.map(({ gatewayId }) => gatewayId);
  });
  expect(back).toEqual([[], [null]]);
});

test("what could not be told from the monitoring's own trouble is found out in the next tick, however seldom it is probed", () => {
  const lost = { diagnosis: diagnosis("connection_failed", "down", { layer: "network", httpStatus: null }) };
  const seldom = config([
    gateway("a"),
    gateway("b", { monitors: [monitor("b", { everyMs: 1440 * MINUTE })] }),
  ]);
  const of = (nowMs: number) => world(nowMs, { config: seldom });
  const blip = batch(MINUTE, { "a/models": lost, "b/models": lost }, { ownNetworkFailed: true });
  let state = recordBatch(begun(MINUTE), blip, of(MINUTE)).state;
  expect(state.monitors["b/models"]).toMatchObject({ health: "unknown", nextDueMs: 2 * MINUTE });
  state = recordBatch(
    begun(2 * MINUTE, state),
    batch(2 * MINUTE, { "a/models": lost, "b/models": {} }),
    of(2 * MINUTE),
  ).state;
  expect(state.monitors["a/models"]).toMatchObject({ health: "down", failedInARow: 1 });
  state = recordBatch(
    begun(3 * MINUTE, state),
    batch(3 * MINUTE, { "a/models": lost }),
    of(3 * MINUTE),
  ).state;
  expect(Object.values(state.incidents).map(({ gatewayId }) => gatewayId)).toEqual(["a"]);
});

test("a gateway that worked until it answered with a page is down, and its operator must act", () => {
  const worked = recordBatch(begun(MINUTE), batch(MINUTE, { "a/models": {} }), world(MINUTE)).state;
  const page = { diagnosis: diagnosis("wrong_url", "blocked", { owner: "caller" }) };
  const moved = recordBatch(
    begun(2 * MINUTE, worked),
    batch(2 * MINUTE, { "a/models": page }),
    world(2 * MINUTE),
  );
  expect(moved.state.monitors["a/models"]?.diagnosis).toMatchObject({
    cause: "wrong_url",
    owner: "operator",
    health: "down",
  });
  expect(moved.samples[0]?.sample.health).toBe("down");
});

test("samples inside a maintenance window are marked, those of other gateways are not", () => {
  const window = { gateways: ["a"], fromMs: MINUTE, toMs: 2 * MINUTE, title: "Move" };
  const { samples } = recordBatch(
    begun(MINUTE),
    batch(MINUTE, { "a/models": {}, "b/models": {} }),
    world(MINUTE, { maintenance: [window] }),
  );
  expect(samples.map(({ sample }) => sample.inMaintenance)).toEqual([true, false]);
});

test("the same health and cause again is no news", () => {
  const first = recordBatch(begun(MINUTE), batch(MINUTE, { "a/models": {} }), world(MINUTE)).state;
  const second = recordBatch(
    begun(2 * MINUTE, first),
    batch(2 * MINUTE, { "a/models": {} }),
    world(2 * MINUTE),
  );
  expect(second.changed).toBe(false);
});

test("while the monitoring's own incident is open, a gateway that alone was due and not reached is not down", () => {
  const lost = { diagnosis: diagnosis("dns_failure", "down", { layer: "network", httpStatus: null }) };
  let state = EMPTY_STATE;
  for (const n of [1, 2]) {
    const own = batch(n * MINUTE, { "a/models": lost, "b/models": lost }, { ownNetworkFailed: true });
    state = recordBatch(begun(n * MINUTE, state), own, world(n * MINUTE)).state;
  }
  for (const n of [3, 4]) {
    state = recordBatch(
      begun(n * MINUTE, state),
      batch(n * MINUTE, { "a/models": lost }),
      world(n * MINUTE),
    ).state;
  }
  expect(state.monitors["a/models"]).toMatchObject({ health: "unknown", failedInARow: 0 });
  expect(Object.values(state.incidents).map(({ gatewayId }) => gatewayId)).toEqual([null]);
});

test("what a tick could not probe after all counts as put off", () => {
  const { state } = recordBatch(begun(MINUTE), batch(MINUTE, {}, { returned: ["a/models"] }), world(MINUTE));
  expect(state.journal.ticks[0]?.putOff).toBe(1);
});

test("Retry-After holds for a day at most, however long it is", () => {
  const forever = diagnosis("rate_limited", "degraded", {
    retry: { allowed: true, afterSeconds: 2147483647, hint: null },
  });
  const { state } = recordBatch(
    begun(MINUTE),
    batch(MINUTE, { "a/models": { diagnosis: forever } }),
    world(MINUTE),
  );
  expect(state.journal.gateways["a"]?.heldUntilMs).toBe(MINUTE + 1 + 100 + 86_400_000);
});
