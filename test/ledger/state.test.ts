import { expect, test } from "vitest";
import { DOCUMENTS, EMPTY_STATE } from "../../src/ledger/state.ts";

const readAgain = (over: object) =>
  DOCUMENTS.journal.parse(JSON.parse(JSON.stringify({ ...EMPTY_STATE.journal, ...over })));

test("a journal that is older than some of its fields is read", () => {
  const lease = { tickMs: 60_000, invocation: "i", untilMs: 360_000, owed: ["a/models"] };
  const older = { identity: "a:1", lease, heldUntilMs: 0, hangs: true, suspect: false };
  expect(readAgain({ gateways: { a: older } }).gateways["a"]).toEqual({
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
  const tick = { tickMs: 60_000, invocation: "i", assignments: [], putOff: 0 };
  expect(readAgain({ ticks: [tick] }).ticks).toEqual([{ ...tick, canaries: [] }]);
  const watch = { lastTickMs: 5, isStalled: false };
  expect(readAgain({ watch }).watch).toEqual({ ...watch, graceToMs: null, graces: 0, silence: null });
});

test("members that were stored before there were canaries are read", () => {
  const members = { monitors: {}, incidents: {} };
  expect(DOCUMENTS.members.parse(members)).toEqual({ ...members, canaries: {} });
});
