import { describe, expect, it } from "vitest";
import type { Asked } from "../../src/protocol/asked.ts";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import type { Kind } from "../../src/protocol/observation.ts";
import { answer, CONTEXT } from "./answers.ts";
import { CREATION, examined, QUESTION } from "./canary.ts";

const VIDEO = "https://files.example/1.mp4";
const IMAGE = { data: [{ url: "https://files.example/1.png" }] };
const created = (body: unknown, kind: Kind = "task", asked = CREATION) => examined(asked, body, { kind });
const asked = (body: unknown, asks: Asked = QUESTION) => examined(asks, body, { kind: "task" });

describe("the creation of a task", () => {
  it.each([
    [{ id: "t-1", status: "PENDING" }, "PENDING"],
    [{ id: "t-1", status: "queued" }, "queued"],
    [{ id: "t-1", status: "Running" }, "Running"],
    [{ id: "t-1" }, null],
    [{ code: 0, data: { task_id: "t-1" } }, null],
    [{ code: 0, message: "success", data: { task_id: "t-1", task_status: "submitted" } }, "submitted"],
    [{ status: "success", data: { task_id: "t-1" } }, null],
    [{ id: "t-1", status: "queued", url: VIDEO }, "queued"],
    [{ id: "t-1", url: VIDEO }, null],
    // The request has an id of its own, which no task is asked about by where there is a better one.
    [{ request_id: "req-9", output: { task_id: "t-1", task_status: "PENDING" } }, "PENDING"],
    [{ request_id: "req-9", task: { id: "t-1", status: "queued" } }, "queued"],
    [{ request_id: "t-1", status: "IN_QUEUE" }, "IN_QUEUE"],
  ])("is pending and no success, with %j", (body, taskState) => {
    const { diagnosis, told } = created(body);
    expect(diagnosis).toMatchObject({ ok: false, cause: "task_pending", health: "unknown", owner: "nobody" });
    expect(diagnosis).toMatchObject({
      layer: "task",
      taskId: "t-1",
      taskState,
      message: null,
      httpStatus: 200,
    });
    expect(told.taskId).toBe("t-1");
  });

  it("is not over by a word of success alone, which may be the creation's own", () => {
    expect(created({ id: "t-1", status: "succeeded" })).toMatchObject({
      diagnosis: { cause: "task_pending", taskState: "succeeded" },
      told: { taskId: "t-1" },
    });
  });

  it("is over at once with its result", () => {
    const { diagnosis, told } = created({ id: "t-1", status: "succeeded", url: VIDEO });
    expect(diagnosis).toMatchObject({ ok: true, cause: "ok", taskId: "t-1", taskState: "succeeded" });
    expect(told.taskId).toBeNull();
    expect(created({ url: VIDEO }).diagnosis.cause).toBe("ok");
    expect(created(IMAGE, "image").diagnosis.cause).toBe("ok");
    expect(created({ id: "t-1", ...IMAGE }, "image").diagnosis.cause).toBe("ok");
    expect(created({ id: "t-1", status: "succeeded", ...IMAGE }, "image").diagnosis.cause).toBe("ok");
  });

  it("of an image is pending while its state is, whatever else there is", () => {
    expect(created({ id: "t-1", status: "queued", ...IMAGE }, "image").diagnosis.cause).toBe("task_pending");
    expect(created({ data: [{ task_id: "t-1", status: "submitted" }] }, "image")).toMatchObject({
      diagnosis: { cause: "task_pending" },
      told: { taskId: "t-1" },
    });
  });

  it("of an image that brings neither image nor task is unexpected", () => {
    expect(created({ created: 1, data: [] }, "image").diagnosis).toMatchObject({
      cause: "unexpected_response",
      message: "No image, video or address of one: looked at data[] (url, b64_json) and the like.",
    });
  });

  it("in a state that nobody knows is pending, and the state is named", () => {
    expect(created({ id: "t-1", status: "SIMMERING" }).diagnosis).toMatchObject({
      cause: "task_pending",
      message: "unknown task state: SIMMERING",
    });
  });

  it.each(["FAILED", "failed", "cancelled"])("that has %s already has failed", (status) => {
    expect(created({ id: "t-1", status, fail_reason: "too dark" })).toMatchObject({
      diagnosis: { cause: "task_failed", owner: "operator", message: "too dark", taskId: "t-1" },
      told: { taskId: null },
    });
  });

  it("that fails in the envelope fails", () => {
    expect(created({ code: 5000, message: "x", data: { task_id: "t-1" } }).diagnosis.cause).toBe(
      "business_error",
    );
    expect(created({ error: { message: "x", code: "insufficient_balance" } }).diagnosis.cause).toBe(
      "insufficient_balance",
    );
  });

  it("under a bad status is no task, whatever its words", () => {
    const body = { detail: "Another request is still in progress" };
    expect(examined(CREATION, body, { kind: "task", status: 409 }).diagnosis.cause).toBe("malformed_request");
    expect(
      examined(CREATION, { error: { message: "x" } }, { kind: "task", status: 404 }).diagnosis,
    ).toMatchObject({ cause: "not_found", owner: "caller", health: "blocked" });
  });
});

describe("a creation that cannot be asked about", () => {
  const LOST = {
    ok: false,
    cause: "unexpected_response",
    owner: "operator",
    health: "down",
    layer: "task",
    message: "The task was accepted, and the answer brings no id that it can be asked about by.",
    advice:
      "The task cannot be asked about, and may still run. Look for it in the logs of the gateway, and check where its id is.",
  };

  it.each([
    ["no id", {}],
    ["a state and no id", { status: "queued" }],
    ["an empty id", { id: "", status: "queued" }],
    ["an id of more than 512 characters", { id: "t".repeat(513) }],
    ["an id with a control character", { id: "t\n1" }],
    ["an id with what cannot be seen", { id: "t\u200b1" }],
    ["half a character", { id: "t\ud800" }],
    ["an id with blanks around it", { id: " t-1" }],
    ["a dot", { id: "." }],
    ["two dots", { id: ".." }],
  ])("brings %s", (_what, body) => {
    const { diagnosis, told } = created(body);
    expect(diagnosis).toMatchObject(LOST);
    expect(told.taskId).toBeNull();
  });

  it("brings an id that holds a secret", () => {
    const secret = "sk-planted0123456789";
    const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
    const given = answer(200, { id: `task-${secret}`, status: "queued" }, { kind: "task" });
    const examination = examineCanary(given, CREATION, { ...CONTEXT, redact });
    expect(examination).toMatchObject({ diagnosis: LOST, told: { taskId: null } });
    expect(JSON.stringify(examination)).not.toContain(secret);
  });

  it.each(["t".repeat(512), "a/b?c#d%", "projects/1/operations/2", "任务-1", "…"])(
    "is not one of %j",
    (id) => {
      expect(created({ id }).told.taskId).toBe(id);
    },
  );

  it("is not one of a number, unless that has more digits than are kept of it", () => {
    expect(created('{"id":4711}').told.taskId).toBe("4711");
    expect(created('{"id":"73012345678901234567"}').told.taskId).toBe("73012345678901234567");
    expect(created('{"id":73012345678901234567}')).toMatchObject({ diagnosis: LOST, told: { taskId: null } });
    expect(created('{"id":7301234567890123456789012}')).toMatchObject({
      diagnosis: LOST,
      told: { taskId: null },
    });
  });
});

describe("a question about a task", () => {
  it.each(["SUCCESS", "succeeded", "completed", "Ready"])(
    "is answered well by the final state %s",
    (status) => {
      expect(asked({ id: "t-1", status })).toMatchObject({
        diagnosis: { ok: true, cause: "ok", taskId: "t-1", taskState: status },
        told: { taskId: null },
      });
    },
  );

  it("is answered well only with its result, where a pointer says where that is", () => {
    const pointed: Asked = { ...QUESTION, pointers: { result: "/video/url" } };
    expect(asked({ id: "t-1", status: "succeeded", video: { url: VIDEO } }, pointed).diagnosis.cause).toBe(
      "ok",
    );
    expect(asked({ id: "t-1", status: "succeeded", url: VIDEO }, pointed).diagnosis).toMatchObject({
      cause: "unexpected_response",
      message: "No image, video or address of one: looked at /video/url.",
    });
    expect(asked({ id: "t-1", status: "running", video: { url: VIDEO } }, pointed).diagnosis.cause).toBe(
      "task_pending",
    );
  });

  it.each([
    [{ id: "t-1", status: "PENDING" }, "PENDING", null],
    [{ id: "t-1", status: "in_progress" }, "in_progress", null],
    [{ id: "t-1", status: "SIMMERING" }, "SIMMERING", "unknown task state: SIMMERING"],
    [{ id: "t-1" }, null, null],
  ])("finds it pending in %j", (body, taskState, message) => {
    expect(asked(body)).toMatchObject({
      diagnosis: { cause: "task_pending", health: "unknown", taskId: "t-1", taskState, message },
      told: { taskId: "t-1" },
    });
  });

  it.each(["FAILED", "failed", "Request Moderated"])("finds it failed by the state %s", (status) => {
    expect(asked({ id: "t-1", status }).diagnosis).toMatchObject({ cause: "task_failed", taskState: status });
  });

  it("is not answered by what is no record", () => {
    expect(asked({ hello: "world" }).diagnosis.cause).toBe("unexpected_response");
    expect(asked("<html>").diagnosis.cause).toBe("wrong_url");
    expect(asked("").diagnosis.cause).toBe("unexpected_response");
  });

  it.each([
    [404, { error: { message: "no such task", code: "task_not_found" } }],
    [404, { detail: "Not Found" }],
    [404, "<html><title>404 Not Found</title></html>"],
    [404, ""],
    [410, { error: { message: "expired" } }],
    [410, "Gone"],
    [200, { code: 4004, message: "x" }],
    [200, { code: 2002, message: "x" }],
  ])("under %d with %j finds that it is gone, and the operator must know", (status, body) => {
    const { diagnosis, told } = examined(QUESTION, body, { kind: "task", status });
    expect(diagnosis).toMatchObject({
      ok: false,
      cause: "not_found",
      owner: "operator",
      health: "down",
      httpStatus: status,
      advice: "The task was created and is gone. Look for its id in the logs; it is not created again.",
      rule: "3",
      ambiguous: [],
      retry: { allowed: false },
    });
    expect(told.taskId).toBeNull();
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
    const expecting: Asked = { ...QUESTION, expect: [{ pointer: "/model", value: "m" }] };
    expect(asked({ id: "t-1", status: "succeeded", model: "m" }, expecting).diagnosis.cause).toBe("ok");
    expect(asked({ id: "t-1", status: "succeeded" }, expecting).diagnosis.message).toBe(
      "Not what is expected at /model.",
    );
    expect(asked({ id: "t-1", status: "running" }, expecting).diagnosis.cause).toBe("task_pending");
  });
});
