import { describe, expect, it } from "vitest";
import { examineCanary, stalledTask } from "../../src/protocol/examine-canary.ts";
import type { Kind } from "../../src/protocol/observation.ts";
import { phaseOfWord } from "../../src/protocol/task-state.ts";
import { answer, CONTEXT, diagnosedAs } from "./answers.ts";
import { CREATION, examined, QUESTION } from "./canary.ts";

const VIDEO = "https://files.example/1.mp4";
const IMAGE = { data: [{ url: "https://files.example/1.png" }] };
const DONE = { taskId: "t-1", taskState: "succeeded" };
const NO_RESULT = "No image, video or address of one: looked at";
const created = (body: unknown, kind: Kind = "task", asked = CREATION) => examined(asked, body, { kind });
const asked = (body: unknown, asks = QUESTION) => examined(asks, body, { kind: "task" });
/** What is found, and the id by which the task is asked about. */
const found = (diagnosis: object, taskId: string | null) => ({ diagnosis, told: { taskId } });

describe("the creation of a task", () => {
  it.each([
    [{ id: "t-1", status: "queued" }, "queued"],
    [{ id: "t-1" }, null],
    [{ code: 0, data: { task_id: "t-1" } }, null],
    [{ code: 0, message: "success", data: { task_id: "t-1", task_status: "submitted" } }, "submitted"],
    [{ status: "success", data: { task_id: "t-1" } }, null],
    [{ id: "t-1", status: "queued", url: VIDEO }, "queued"],
    [{ id: "t-1", url: VIDEO }, null],
    // A word of success alone may be the creation's own.
    [{ id: "t-1", status: "succeeded" }, "succeeded"],
    // The request has an id of its own; a task is not asked about by it where there is a better one.
    [{ request_id: "req-9", output: { task_id: "t-1", task_status: "PENDING" } }, "PENDING"],
    [{ request_id: "req-9", task: { id: "t-1", status: "queued" } }, "queued"],
    [{ request_id: "t-1", status: "IN_QUEUE" }, "IN_QUEUE"],
  ])("is pending and no success, with %j", (body, taskState) => {
    const pending = { ok: false, cause: "task_pending", health: "unknown", owner: "nobody", layer: "task" };
    const told = { taskId: "t-1", taskState, message: null, httpStatus: 200 };
    expect(created(body)).toMatchObject(found({ ...pending, ...told }, "t-1"));
  });

  it.each([
    ["task", { id: "t-1", status: "succeeded", url: VIDEO }, { ok: true, ...DONE }],
    ["task", { url: VIDEO }, {}],
    ["image", IMAGE, {}],
    ["image", { id: "t-1", ...IMAGE }, {}],
    ["image", { id: "t-1", status: "succeeded", ...IMAGE }, {}],
  ] as const)("of kind %s is over at once with its result: %j", (kind, body, more) => {
    expect(created(body, kind)).toMatchObject(found({ cause: "ok", ...more }, null));
  });

  it("of an image is pending while its state is, whatever else there is", () => {
    expect(created({ id: "t-1", status: "queued", ...IMAGE }, "image").diagnosis.cause).toBe("task_pending");
    const listed = created({ data: [{ task_id: "t-1", status: "submitted" }] }, "image");
    expect(listed).toMatchObject(found({ cause: "task_pending" }, "t-1"));
  });

  it.each(["FAILED", "failed", "cancelled"])("that has %s already has failed", (status) => {
    const failed = { cause: "task_failed", owner: "operator", message: "too dark", taskId: "t-1" };
    expect(created({ id: "t-1", status, fail_reason: "too dark" })).toMatchObject(found(failed, null));
  });

  it("in a state that nobody knows is pending, and the state is named", () => {
    const expected = { cause: "task_pending", message: "unknown task state: SIMMERING" };
    expect(created({ id: "t-1", status: "SIMMERING" }).diagnosis).toMatchObject(expected);
  });

  it("of an image that brings neither image nor task is unexpected", () => {
    const message = `${NO_RESULT} data[] (url, b64_json) and the like.`;
    const { diagnosis } = created({ created: 1, data: [] }, "image");
    expect(diagnosis).toMatchObject({ cause: "unexpected_response", message });
  });

  it.each([
    [200, { code: 5000, message: "x", data: { task_id: "t-1" } }, { cause: "business_error" }],
    [200, { error: { message: "x", code: "insufficient_balance" } }, { cause: "insufficient_balance" }],
    [409, { detail: "Another request is still in progress" }, { cause: "malformed_request" }],
    [404, { error: { message: "x" } }, { cause: "not_found", owner: "caller", health: "blocked" }],
  ])("that is refused with %d and %j is no task, whatever its words", (status, body, expected) => {
    expect(examined(CREATION, body, { kind: "task", status }).diagnosis).toMatchObject(expected);
  });
});

describe("a creation that cannot be asked about", () => {
  const LOST = {
    ok: false,
    cause: "unexpected_response",
    owner: "operator",
    health: "down",
    layer: "task",
    message: "The task was accepted, but the answer has no id to query it with.",
    advice:
      "The task may still run, but cannot be queried. Look for it in the gateway's logs, and check where the answer has its id.",
  };

  it.each([
    ["no id", {}],
    ["a state and no id", { status: "queued" }],
    ["an empty id", { id: "", status: "queued" }],
    ["an id of more than 512 characters", { id: "t".repeat(513) }],
    ["an id with a control character", { id: "t\n1" }],
    ["an id with what cannot be seen", { id: "t\u200b1" }],
    ["an id with blanks around it", { id: " t-1" }],
    ["a dot", { id: "." }],
    ["two dots", { id: ".." }],
    ["a number with more digits than are kept of it", '{"id":73012345678901234567}'],
  ])("brings %s", (_what, body) => expect(created(body)).toMatchObject(found(LOST, null)));

  it("brings an id that holds a secret", () => {
    const secret = "sk-planted0123456789";
    const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
    const given = answer(200, { id: `task-${secret}`, status: "queued" }, { kind: "task" });
    const examination = examineCanary(given, CREATION, { ...CONTEXT, redact });
    expect(examination).toMatchObject(found(LOST, null));
    expect(JSON.stringify(examination)).not.toContain(secret);
  });

  it.each(["t".repeat(512), "a/b?c#d%", "projects/1/operations/2", "任务-1", "…", "73012345678901234567"])(
    "is not one of %j",
    (id) => {
      expect(created({ id }).told.taskId).toBe(id);
      expect(created('{"id":4711}').told.taskId).toBe("4711");
    },
  );
});

describe("a question about a task", () => {
  it.each(["SUCCESS", "succeeded", "completed", "Ready"])("is answered well by the state %s", (status) => {
    const good = { ok: true, cause: "ok", taskId: "t-1", taskState: status };
    expect(asked({ id: "t-1", status })).toMatchObject(found(good, null));
  });

  it("is answered well only with its result, where a pointer says where that is", () => {
    const pointed = { ...QUESTION, pointers: { result: "/video/url" } };
    const of = (body: object) => asked({ id: "t-1", ...body }, pointed).diagnosis;
    const message = `${NO_RESULT} /video/url.`;
    expect(of({ status: "succeeded", video: { url: VIDEO } }).cause).toBe("ok");
    expect(of({ status: "succeeded", url: VIDEO })).toMatchObject({ cause: "unexpected_response", message });
    expect(of({ status: "running", video: { url: VIDEO } }).cause).toBe("task_pending");
  });

  it.each([
    [{ id: "t-1", status: "PENDING" }, "PENDING", null],
    [{ id: "t-1", status: "in_progress" }, "in_progress", null],
    [{ id: "t-1", status: "SIMMERING" }, "SIMMERING", "unknown task state: SIMMERING"],
    [{ id: "t-1" }, null, null],
  ])("finds it pending in %j", (body, taskState, message) => {
    const pending = { cause: "task_pending", health: "unknown", taskId: "t-1", taskState, message };
    expect(asked(body)).toMatchObject(found(pending, "t-1"));
  });

  it.each([
    ["a state", { id: "t-1", status: "FAILED" }, { cause: "task_failed", taskState: "FAILED" }],
    ["another", { id: "t-1", status: "failed" }, { cause: "task_failed", taskState: "failed" }],
    [
      "words",
      { id: "t-1", status: "Request Moderated" },
      { cause: "task_failed", taskState: "Request Moderated" },
    ],
    ["what is no record", { hello: "world" }, { cause: "unexpected_response" }],
    ["a page", "<html>", { cause: "wrong_url" }],
    ["nothing", "", { cause: "unexpected_response" }],
  ])("is not answered well by %s", (_what, body, expected) => {
    expect(asked(body).diagnosis).toMatchObject(expected);
  });

  it.each([
    [404, { detail: "Not Found" }],
    [404, "<html><title>404 Not Found</title></html>"],
    [410, { error: { message: "expired" } }],
    [200, { code: 4004, message: "x" }],
    [200, { code: 2002, message: "x" }],
  ])("under %d with %j finds that it is gone, and the operator must know", (httpStatus, body) => {
    const gone = { ok: false, cause: "not_found", owner: "operator", health: "down", httpStatus, rule: "3" };
    const advice =
      "The task was created, but no longer exists. Gatepulse does not create it again. Look for its id in the logs.";
    const expected = found({ ...gone, advice, ambiguous: [], retry: { allowed: false } }, null);
    expect(examined(QUESTION, body, { kind: "task", status: httpStatus })).toMatchObject(expected);
  });

  it.each([
    [401, { error: { code: "invalid_api_key", message: "x" } }, "authentication"],
    [404, { error: { code: "invalid_api_key", message: "x" } }, "authentication"],
    [403, { error: { message: "x" } }, "permission_denied"],
    [429, { error: { message: "x" } }, "rate_limited"],
    [503, "", "upstream_unavailable"],
    [404, { detail: "The task is still in progress" }, "task_pending"],
  ])("that is refused with %d and %j is refused", (status, body, cause) => {
    expect(examined(QUESTION, body, { kind: "task", status }).diagnosis.cause).toBe(cause);
  });

  it("holds a good record to what is expected of it", () => {
    const expecting = { ...QUESTION, expect: [{ pointer: "/model", value: "m" }] };
    const of = (body: object) => asked({ id: "t-1", ...body }, expecting).diagnosis;
    expect(of({ status: "succeeded", model: "m" }).cause).toBe("ok");
    expect(of({ status: "succeeded" }).message).toBe("Unexpected value at /model.");
    expect(of({ status: "running" }).cause).toBe("task_pending");
  });
});

describe("pointers to a task's id and state", () => {
  const pointers = { id: "/job/ref", status: "/job/phase" };
  const create = { ...CREATION, pointers };
  const ask = { ...QUESTION, pointers };
  const toId = { ...QUESTION, pointers: { id: "/job/ref" } };
  const named = { ...QUESTION, pointers: { id: "/name" } };
  const flagged = { ...QUESTION, pointers: { status: "/done" } };
  const OTHER = { id: "other", status: "failed", job: { ref: "j-1", phase: "queued" } };
  const QUEUED = { cause: "task_pending", taskId: "j-1", taskState: "queued" };
  const NO_STATE = { cause: "task_pending", taskState: null, message: "no task state at /job/phase" };
  const NAME = { name: "models/m/operations/1" };
  const LOST_JOB = { job: { phase: "FAILED" } };
  const DONE_JOB = { status: "queued", job: { phase: "done" } };

  it.each([
    ["take the place of the usual ones in a creation", create, OTHER, QUEUED],
    ["take the place of the usual ones in a question", ask, OTHER, QUEUED],
    ["decide what is done", ask, DONE_JOB, { cause: "ok", taskState: "done" }],
    ["find an id alone", toId, { job: { ref: "j-1" } }, { cause: "task_pending", taskId: "j-1" }],
    ["find a failure", ask, { job: { phase: "FAILED" } }, { cause: "task_failed" }],
    ["find it with its error", ask, { ...LOST_JOB, error: { message: "x" } }, { cause: "task_failed" }],
    ["find nothing elsewhere", create, { id: "t-1", status: "queued" }, { cause: "unexpected_response" }],
    ["find no success there", ask, { id: "t-1", status: "succeeded" }, { ok: false }],
    ["say where no state was found", ask, { job: { ref: "j-1" } }, NO_STATE],
    ["leave done what is", named, { ...NAME, done: true, response: {} }, { cause: "ok", taskId: NAME.name }],
    ["leave pending what is", named, NAME, { cause: "task_pending" }],
    ["hide no failure", ask, { code: 5000, job: { ref: "j-1", phase: "done" } }, { cause: "business_error" }],
    ["may point at a flag that is false", flagged, { ...NAME, done: false }, { cause: "task_pending" }],
    ["may point at a flag that is true", flagged, { ...NAME, done: true, response: {} }, { cause: "ok" }],
    ["or has an error", flagged, { ...NAME, done: true, error: { message: "x" } }, { cause: "task_failed" }],
  ])("%s", (_what, asks, body, expected) => expect(asked(body, asks).diagnosis).toMatchObject(expected));

  it("tell by what id the task is asked about", () => {
    for (const asks of [create, ask]) expect(asked(OTHER, asks).told.taskId).toBe("j-1");
    expect(created({ job: { ref: "j-1" } }, "task", create).told.taskId).toBe("j-1");
  });
});

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

it.each([
  ["pending", "PENDING|pending|queued|QUEUED|running|IN_PROGRESS|in-progress|TASK_STATUS_QUEUED|NOT_START"],
  ["failed", "FAILED|failed|Fail|FAILURE|GENERATE_AUDIO_FAILED|Request Moderated|canceled|CANCELLED|expired"],
  ["succeeded", "SUCCEEDED|success|completed|JOB_STATE_SUCCEEDED|Ready|已完成"],
  [null, "SIMMERING|"],
])("a task is %s by the words %s", (phase, words) => {
  for (const word of words.split("|")) expect(phaseOfWord(word), word).toBe(phase);
});
