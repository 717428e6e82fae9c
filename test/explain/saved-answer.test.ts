import { describe, expect, test } from "vitest";
import { NO_MONEY, explained } from "./pasted-text.ts";

const HEADERS = { "X-Request-ID": "req_1" };
const SPRING = {
  timestamp: "2026-11-20T12:00:00Z",
  status: 500,
  error: "Internal Server Error",
  path: "/v1/x",
};
const FRAMEWORK = { statusCode: 429, message: "ThrottlerException: Too Many Requests" };
const FOUND = { cause: "insufficient_balance", httpStatus: 402, requestId: "req_1", message: "no money" };
const parsed: unknown = JSON.parse(NO_MONEY);

describe("an answer that a program saved is read", () => {
  test.each<[string, unknown]>([
    ["as it is", { status: 402, headers: HEADERS, body: NO_MONEY }],
    ["with lists of values", { status: 402, headers: { "x-request-id": ["req_1"] }, body: NO_MONEY }],
    ["with its body parsed", { status: 402, statusText: "X", headers: HEADERS, body: parsed }],
  ])("%s", (_, saved) => {
    const { takenFor, diagnosis } = explained(JSON.stringify(saved, null, 2));
    expect(takenFor).toMatchObject({ form: "answer", notes: ["kind_guessed"] });
    expect(diagnosis).toMatchObject(FOUND);
  });

  test("with the kind that it names, unless somebody says another", () => {
    const text = JSON.stringify({ status: 200, headers: {}, body: '{"data":[]}', kind: "chat" });
    expect(explained(text).takenFor).toMatchObject({ kind: "chat", notes: [] });
    expect(explained(text).diagnosis.cause).toBe("unexpected_response");
    expect(explained(text, "models").takenFor).toMatchObject({ kind: "models", notes: [] });
    expect(explained(text, "models").diagnosis.cause).toBe("ok");
  });

  test("without its body, and that is noted", () => {
    expect(explained('{"status":403,"headers":{}}').takenFor.notes).toEqual(["kind_guessed", "body_missing"]);
  });
});

describe("a body with a status of its own is no saved answer", () => {
  test.each<[string, unknown, string]>([
    ["a problem document", { type: "about:blank", status: 401, title: "Unauthorized" }, "authentication"],
    ["Spring's error", SPRING, "service_misconfigured"],
    ["a framework's error", FRAMEWORK, "rate_limited"],
    ["a task's record", { id: "t1", status: "failed" }, "task_failed"],
    ["an envelope", { status: 200, data: { total: 1 }, message: "success" }, "ok"],
  ])("%s", (_, body, cause) => {
    const { takenFor, diagnosis } = explained(JSON.stringify(body));
    expect(takenFor.form).not.toBe("answer");
    expect(takenFor.notes).toContain("status_unknown");
    expect(diagnosis).toMatchObject({ cause, httpStatus: null, retry: { allowed: false } });
  });
});
