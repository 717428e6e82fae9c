import { expect, test } from "vitest";
import { DOCUMENTS, EMPTY_STATE } from "../../src/ledger/state.ts";

test("a journal that is older than some of its fields is read", () => {
  const lease = { tickMs: 60_000, invocation: "i", untilMs: 360_000, owed: ["a/models"] };
  const older = { identity: "a:1", lease, heldUntilMs: 0, hangs: true, suspect: false };
  const journal = { ...EMPTY_STATE.journal, gateways: { a: older } };
  expect(DOCUMENTS.journal.parse(JSON.parse(JSON.stringify(journal))).gateways["a"]).toEqual({
    identity: "a:1",
    lease: { ...lease, run: null },
    heldUntilMs: 0,
    quickOwed: 0,
    suspect: false,
    unreachedSinceMs: null,
    unreachedFrom: {},
    canaries: { lease: null, heldUntilMs: 0 },
    seenModels: null,
  });
});

test("members that were stored before there were canaries are read", () => {
  expect(DOCUMENTS.members.parse({ monitors: {}, incidents: {} })).toEqual({
    monitors: {},
    incidents: {},
    canaries: {},
  });
});

test("a tick that was stored before there were canaries is read", () => {
  const older = { tickMs: 60_000, invocation: "i", assignments: [], putOff: 0 };
  const journal = { ...EMPTY_STATE.journal, ticks: [older] };
  expect(DOCUMENTS.journal.parse(JSON.parse(JSON.stringify(journal))).ticks).toEqual([
    { ...older, canaries: [] },
  ]);
});
