import { describe, expect, it } from "vitest";
import type { Asked } from "../../src/protocol/asked.ts";
import { CREATION, examined, QUESTION } from "./canary.ts";

const created = (body: unknown, asks: Asked) => examined(asks, body, { kind: "task" });
const asked = created;

describe("pointers to a task's id and state", () => {
  const pointers = { id: "/job/ref", status: "/job/phase" };
  const create: Asked = { ...CREATION, pointers };
  const ask: Asked = { ...QUESTION, pointers };

  it("take the place of the usual ones", () => {
    const body = { id: "other", status: "failed", job: { ref: "j-1", phase: "queued" } };
    const expected = {
      diagnosis: { cause: "task_pending", taskId: "j-1", taskState: "queued" },
      told: { taskId: "j-1" },
    };
    expect(created(body, create)).toMatchObject(expected);
    expect(asked(body, ask)).toMatchObject(expected);
    expect(asked({ status: "queued", job: { ref: "j-1", phase: "done" } }, ask).diagnosis).toMatchObject({
      cause: "ok",
      taskState: "done",
    });
  });

  it("find what the usual places do not", () => {
    expect(created({ job: { ref: "j-1" } }, create).told.taskId).toBe("j-1");
    expect(
      asked({ job: { ref: "j-1" } }, { ...QUESTION, pointers: { id: "/job/ref" } }).diagnosis,
    ).toMatchObject({ cause: "task_pending", taskId: "j-1" });
    expect(asked({ job: { phase: "FAILED" } }, ask).diagnosis.cause).toBe("task_failed");
    expect(asked({ job: { phase: "FAILED" }, error: { message: "x" } }, ask).diagnosis.cause).toBe(
      "task_failed",
    );
  });

  it("find nothing where it is only in the usual places", () => {
    expect(created({ id: "t-1", status: "queued" }, create).diagnosis.cause).toBe("unexpected_response");
    expect(asked({ id: "t-1", status: "succeeded" }, ask).diagnosis.cause).not.toBe("ok");
  });

  it("say where no state was found", () => {
    expect(asked({ job: { ref: "j-1" } }, ask).diagnosis).toMatchObject({
      cause: "task_pending",
      taskState: null,
      message: "no task state at /job/phase",
    });
  });

  it("to an id leave an operation done that is", () => {
    const named: Asked = { ...QUESTION, pointers: { id: "/name" } };
    expect(asked({ name: "models/m/operations/1", done: true, response: {} }, named).diagnosis).toMatchObject(
      {
        cause: "ok",
        taskId: "models/m/operations/1",
      },
    );
    expect(asked({ name: "models/m/operations/1" }, named).diagnosis.cause).toBe("task_pending");
  });

  it("never hide a failure of the envelope", () => {
    const body = { code: 5000, message: "x", job: { ref: "j-1", phase: "done" } };
    expect(asked(body, ask).diagnosis.cause).toBe("business_error");
  });

  it("may point at a flag", () => {
    const flagged: Asked = { ...QUESTION, pointers: { status: "/done" } };
    expect(asked({ name: "operations/1", done: false }, flagged).diagnosis.cause).toBe("task_pending");
    expect(asked({ name: "operations/1", done: true, response: {} }, flagged).diagnosis.cause).toBe("ok");
    expect(
      asked({ name: "operations/1", done: true, error: { message: "x" } }, flagged).diagnosis.cause,
    ).toBe("task_failed");
  });
});
