/** Ids that every object has as a property. */
import { expect, test } from "vitest";
import { beginTick } from "../../src/ledger/begin.ts";
import { recordBatch } from "../../src/ledger/record.ts";
import { DOCUMENTS, EMPTY_STATE, entryOf } from "../../src/ledger/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";

const MINUTE = 60_000;
const WORLD = { maintenance: [], tickIntervalMs: MINUTE };

test("a record has no entry but its own", () => {
  expect(entryOf({}, "constructor")).toBeUndefined();
  expect(entryOf({ constructor: 1 }, "constructor")).toBe(1);
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
    const world = { ...WORLD, config: settings, nowMs: minute * MINUTE };
    const tick = { tickMs: minute * MINUTE, invocation: `i${minute}` };
    const identities = Object.fromEntries(settings.gateways.map(({ id }) => [id, `${id}:key`]));
    const began = beginTick(state, tick, { ...world, identities, run: null });
    const due = began.answer.assignments.flatMap(({ monitorIds }) => monitorIds);
    const results = due.map((monitorId) => ({ monitorId, outcome: outcome({ startedAtMs: tick.tickMs }) }));
    expect(results).toHaveLength(1);
    const batch = { ...tick, results, ownNetworkFailed: false, returned: [] };
    state = recordBatch(began.state, batch, { ...world, isRecorded: () => false }).state;
    const written: unknown = JSON.parse(JSON.stringify(state.journal));
    expect(DOCUMENTS.journal.parse(written)).toEqual(state.journal);
    expect(Object.values(state.journal.gateways)).toMatchObject([{ quickOwed: 0, heldUntilMs: 0 }]);
  }
});
