import { describe, expect, it } from "vitest";
import { phaseOfWord } from "../../src/protocol/task-state.ts";
import { diagnosedAs } from "./answers.ts";

describe("the word for a task's state", () => {
  it.each([
    ["PENDING", "pending"],
    ["pending", "pending"],
    ["queued", "pending"],
    ["QUEUED", "pending"],
    ["running", "pending"],
    ["IN_PROGRESS", "pending"],
    ["in-progress", "pending"],
    ["TASK_STATUS_QUEUED", "pending"],
    ["NOT_START", "pending"],
    ["FAILED", "failed"],
    ["failed", "failed"],
    ["Fail", "failed"],
    ["FAILURE", "failed"],
    ["GENERATE_AUDIO_FAILED", "failed"],
    ["Request Moderated", "failed"],
    ["canceled", "failed"],
    ["CANCELLED", "failed"],
    ["expired", "failed"],
    ["SUCCEEDED", "succeeded"],
    ["success", "succeeded"],
    ["completed", "succeeded"],
    ["JOB_STATE_SUCCEEDED", "succeeded"],
    ["Ready", "succeeded"],
    ["已完成", "succeeded"],
    ["SIMMERING", null],
    ["", null],
  ])("%j is %j", (word, phase) => expect(phaseOfWord(word)).toBe(phase));
});

describe("a task", () => {
  it("that was only created is no success", () => {
    const found = diagnosedAs("task", 200, { code: 0, data: { task_id: "t-1" } });
    expect(found).toMatchObject({ cause: "task_pending", health: "unknown", ok: false, layer: "task" });
    expect(found).toMatchObject({ taskId: "t-1", taskState: null, message: null, rule: "3" });
  });

  it("fails inside an envelope of success, and its reason is the message", () => {
    const data = { task_id: "t-1", task_status: "failed", task_status_msg: "image too small" };
    expect(diagnosedAs("task", 200, { code: 0, message: "SUCCEED", data })).toMatchObject({
      cause: "task_failed",
      owner: "operator",
      taskId: "t-1",
      taskState: "failed",
      message: "image too small",
    });
  });

  it("in a state that nobody knows is pending, and the state is named", () => {
    expect(diagnosedAs("task", 200, { id: "t-1", status: "SIMMERING" })).toMatchObject({
      cause: "task_pending",
      taskState: "SIMMERING",
      message: "unknown task state: SIMMERING",
    });
  });

  it("that succeeded keeps its id and state", () => {
    expect(diagnosedAs("task", 200, { id: "t-1", status: "succeeded", error: null })).toMatchObject({
      cause: "ok",
      taskId: "t-1",
      taskState: "succeeded",
    });
  });

  it("acknowledged by the envelope's success is still pending", () => {
    const found = diagnosedAs("task", 200, { status: "success", data: { task_id: "t-1" } });
    expect(found.cause).toBe("task_pending");
  });

  it("asked for too early is pending, whatever status says so", () => {
    const found = diagnosedAs("task", 400, { detail: "Request is still in progress" });
    expect(found).toMatchObject({ cause: "task_pending", ambiguous: ["malformed_request"] });
  });

  it.each([404, 200])("that does not exist is not found (%d)", (status) => {
    const body = { code: 2002, message: "task not found" };
    expect(diagnosedAs("task", status, body).cause).toBe("not_found");
  });

  it("before an error, a code comes first", () => {
    const data = { task_id: "t-1", task_status: "failed" };
    expect(diagnosedAs("task", 200, { code: 5000, data }).cause).toBe("business_error");
  });
});
