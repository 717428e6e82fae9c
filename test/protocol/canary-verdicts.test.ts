import { describe, expect, it } from "vitest";
import { balanceLow, ofUnknownFate, stalledTask, unaskableTask } from "../../src/protocol/examine-canary.ts";
import { diagnosedAs } from "./answers.ts";

const PENDING = diagnosedAs("task", 200, { id: "t-1", status: "running", request_id: "r-1" });

describe("a task that is pending at its deadline", () => {
  it("has stalled, behind the gateway", () => {
    const stalled = { ok: false, cause: "task_stalled", layer: "task", owner: "upstream", health: "down" };
    const kept = { httpStatus: 200, requestId: "r-1", taskId: "t-1", taskState: "running" };
    const message = "last known state: running";
    const expected = { ...stalled, ...kept, message, rule: "3", retry: { allowed: false } };
    expect(stalledTask(PENDING)).toMatchObject(expected);
  });

  it("keeps the name of a state that nobody knows, and says nothing of one that was never told", () => {
    const unknown = diagnosedAs("task", 200, { id: "t-1", status: "SIMMERING" });
    expect(stalledTask(unknown).message).toBe("unknown task state: SIMMERING");
    expect(stalledTask(diagnosedAs("task", 200, { id: "t-1" })).message).toBeNull();
  });
});

it("a creation that cannot be asked about is the operator's, and keeps its evidence", () => {
  const kept = { httpStatus: 200, requestId: "r-1" };
  const lost = { cause: "unexpected_response", owner: "operator", health: "down" };
  expect(unaskableTask(PENDING)).toMatchObject({ ...lost, ...kept });
});

describe("a request of unknown fate", () => {
  it("is nobody's, never repeated at once, and may have been accepted", () => {
    expect(ofUnknownFate()).toMatchObject({
      cause: "timeout",
      owner: "nobody",
      health: "unknown",
      retry: { allowed: false, afterSeconds: null, hint: null },
      httpStatus: null,
      message: "The probe was interrupted before its answer was recorded.",
    });
  });
});

describe("a low balance", () => {
  it("is the caller's to top up, while the answer stays good", () => {
    const ok = diagnosedAs("console", 200, { code: 0, data: { balance: 4.5 } });
    expect(balanceLow(ok, { balance: 4.5, warnBelow: 10 })).toEqual({
      ...ok,
      ok: true,
      cause: "balance_low",
      layer: null,
      owner: "caller",
      health: "degraded",
      message: "The balance is 4.5, below 10.",
      advice: "The balance is below the limit set for it. Top it up before requests are refused.",
      rule: null,
    });
  });
});
