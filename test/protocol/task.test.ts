import { expect, it } from "vitest";
import { phaseOfWord } from "../../src/protocol/task-state.ts";
import { diagnosedAs } from "./answers.ts";

it.each([
  ["pending", "PENDING|pending|queued|QUEUED|running|IN_PROGRESS|in-progress|TASK_STATUS_QUEUED|NOT_START"],
  ["failed", "FAILED|failed|Fail|FAILURE|GENERATE_AUDIO_FAILED|Request Moderated|canceled|CANCELLED|expired"],
  ["succeeded", "SUCCEEDED|success|completed|JOB_STATE_SUCCEEDED|Ready|已完成"],
  [null, "SIMMERING|"],
])("a task is %s by the words %s", (phase, words) => {
  for (const word of words.split("|")) expect(phaseOfWord(word), word).toBe(phase);
});

const FAILED = { task_id: "t-1", task_status: "failed", task_status_msg: "image too small" };
const PENDING = { ok: false, cause: "task_pending", health: "unknown", layer: "task", rule: "3" };
const TOO_SMALL = {
  cause: "task_failed",
  owner: "operator",
  taskState: "failed",
  message: "image too small",
};
const UNKNOWN = { taskState: "SIMMERING", message: "unknown task state: SIMMERING" };
const DONE = { taskId: "t-1", taskState: "succeeded" };
const TOO_EARLY = { cause: "task_pending", ambiguous: ["malformed_request"] };
const GONE = { code: 2002, message: "task not found" };
const NO_STATE = { taskId: "t-1", taskState: null, message: null };
const ACCEPTED = { code: 0, message: "SUCCEED", data: FAILED };

it.each([
  ["only created", 200, { code: 0, data: { task_id: "t-1" } }, { ...PENDING, ...NO_STATE }],
  ["that failed in a good envelope", 200, ACCEPTED, { ...TOO_SMALL, taskId: "t-1" }],
  ["in a state that nobody knows", 200, { id: "t-1", status: "SIMMERING" }, { ...PENDING, ...UNKNOWN }],
  ["that succeeded", 200, { id: "t-1", status: "succeeded", error: null }, { cause: "ok", ...DONE }],
  ["acknowledged", 200, { status: "success", data: { task_id: "t-1" } }, PENDING],
  ["asked for too early", 400, { detail: "Request is still in progress" }, TOO_EARLY],
  ["that is gone by its status", 404, GONE, { cause: "not_found" }],
  ["that is gone by its code", 200, GONE, { cause: "not_found" }],
  ["under a code, which comes first", 200, { code: 5000, data: FAILED }, { cause: "business_error" }],
])("a task %s", (_what, status, body, expected) => {
  expect(diagnosedAs("task", status, body)).toMatchObject(expected);
});
