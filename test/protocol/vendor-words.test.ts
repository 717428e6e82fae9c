import { describe, expect, it } from "vitest";
import { diagnosed, diagnosedAs } from "./answers.ts";

describe("what has run out", () => {
  it("is a quota where it is bought or given, and no other thing that is full", () => {
    expect(diagnosed(400, { message: "您的推理点已用完" }).cause).toBe("quota_exceeded");
    expect(diagnosed(400, { message: "上下文长度已用完" }).cause).toBe("malformed_request");
  });
});

describe("a limit that is counted by the month", () => {
  it.each([
    [429, { message: "You have reached the limit.", reason: "MONTHLY_REQUEST_COUNT" }],
    [400, { __type: "ThrottlingException", message: "Maximum requests reached for this month." }],
    [
      429,
      { error: "You've exceeded your 5-hour subscription request limit. Please wait or buy more credits." },
    ],
    [403, { code: 403, message: '{"code":110,"message":"Billing daily count exceeded"}' }],
  ])("under %i is a quota, and nothing is sent again: %j", (status, body) => {
    const found = diagnosed(status, body);
    expect(found.cause).toBe("quota_exceeded");
    expect(found.retry.allowed).toBe(false);
  });

  it.each([
    "Free limit reached, come back tomorrow",
    "You have reached 50 messages per 24 hours",
    "Rate limit exceeded. It resets at midnight UTC.",
    "Too many requests. Please retry after 24 hours.",
    "免费次数已用，请明天再试",
    "Limite atteinte. Requests this month: 1000.",
  ])("or by the day is not cured by waiting a little: %s", (message) => {
    const found = diagnosed(429, { message });
    expect(found.cause).toBe("quota_exceeded");
    expect(found.retry.allowed).toBe(false);
  });

  it.each([
    "Please slow down: at most 5 requests per second",
    "Limit reached. Try again in 20 minutes.",
    "Rate limit reached on tokens per minute. Please try again in 606.8ms.",
    "Too many requests",
    "本分钟请求次数已用完",
    "Tokens exhausted for this minute",
  ])("is none where the wait is short: %s", (message) => {
    expect(diagnosed(429, { message }).retry.allowed).toBe(true);
  });

  it("which only its words tell leaves the status as the other meaning", () => {
    const found = diagnosed(429, { message: "You have reached your monthly limit." });
    expect(found.cause).toBe("quota_exceeded");
    expect(found.ambiguous).toEqual(["rate_limited"]);
  });

  it("is none where a plan merely lacks the model", () => {
    const body = { message: "Your plan does not have access to this model. Please upgrade your plan." };
    expect(diagnosed(403, body).cause).toBe("permission_denied");
  });
});

describe("a name where words belong", () => {
  it("is read as a name under a failed status", () => {
    expect(diagnosed(400, { error: { message: "account_deactivated" } }).cause).toBe("permission_denied");
  });

  it("leaves 401 what it is", () => {
    expect(diagnosed(401, { error: { message: "account_deactivated" } }).cause).toBe("authentication");
  });

  it("is believed in a business envelope where it names the caller's balance", () => {
    const found = diagnosedAs("task", 200, { code: 4, description: "quota_not_enough", result: "" });
    expect(found.cause).toBe("insufficient_balance");
  });
});

describe("a good status", () => {
  it.each([
    [{ Code: "isv.AMOUNT_NOT_ENOUGH", Message: "账户余额不足", RequestId: "r" }, "insufficient_balance"],
    [{ state: "ERROR", errorCode: "GATEWAY_AUTH_FAIL", errorMessage: "鉴权失败" }, "unexpected_response"],
    [{ Code: "OK", Message: "OK", RequestId: "r" }, "ok"],
    [{ errno: 0, data: { id: 1 } }, "ok"],
    [{ success: false, message: "用户已被封禁" }, "permission_denied"],
    [{ code: 1101, msg: "Invalid token or expired" }, "authentication"],
  ])("around %j of a console is %s", (body, cause) => {
    expect(diagnosedAs("console", 200, body).cause).toBe(cause);
  });
});

describe("words about a token", () => {
  it.each([
    "invalid token '<' at position 0",
    "Invalid token count: the prompt is too long",
    "max_tokens参数错误",
    "token数错误",
  ])("that is no key do not speak of the caller's key: %s", (message) => {
    expect(diagnosed(400, { message }).cause).toBe("malformed_request");
  });

  it.each(["Invalid token (request id: 2026)", "The token has expired", "token无效", "access_token已过期"])(
    "that is a key do: %s",
    (message) => {
      const found = diagnosed(400, { message });
      expect(found.cause).toBe("authentication");
      expect(found.ambiguous).toEqual(["malformed_request"]);
    },
  );
});

describe("a stream that is refused before its first content", () => {
  it("keeps its own cause where only words tell of a quota, and names that as the other", () => {
    const found = diagnosedAs(
      "stream",
      200,
      'event: error\ndata: {"type":"error","error":"API Key额度不足，请访问控制台查看详情"}\n\n',
    );
    expect(found.cause).toBe("stream_error");
    expect(found.ambiguous).toEqual(["quota_exceeded"]);
  });
});

describe("tokens by the day that are used up", () => {
  it.each([{}, { "x-amzn-errortype": "ThrottlingException" }])("are a quota, with headers %j", (headers) => {
    const body = { message: "Too many tokens per day, please wait before trying again." };
    const found = diagnosed(429, body, { headers });
    expect(found.cause).toBe("quota_exceeded");
    expect(found.retry.allowed).toBe(false);
  });

  it("are told apart from those by the minute", () => {
    const body = { message: "Too many tokens, please wait before trying again." };
    const found = diagnosed(429, body, { headers: { "x-amzn-errortype": "ThrottlingException" } });
    expect(found.retry.allowed).toBe(true);
  });
});

describe("the end of a stream", () => {
  const frame = (reason: string): string =>
    `data: ${JSON.stringify({ results: [{ generated_text: "a", stop_reason: reason }] })}\n\n`;

  it("stands in its results", () => {
    const transcript = frame("not_finished") + frame("eos_token");
    expect(diagnosedAs("stream", 200, transcript).cause).toBe("ok");
  });

  it("has not come where the last reason says so", () => {
    const found = diagnosedAs("stream", 200, frame("not_finished") + frame("not_finished"));
    expect(found.cause).toBe("stream_dropped");
  });
});

describe("a task's record", () => {
  it.each([
    [{ data: { generateUuid: "g-1", generateStatus: 2, images: [] } }, "task_pending", "g-1"],
    [{ data: { task_id: "t-1", state: -1, progress: 0 } }, "task_failed", "t-1"],
    [{ jobs: [{ uuid: "j-1", status: "Generating" }] }, "task_pending", "j-1"],
    [{ success: true, movie: { status: "error", project: "p" } }, "task_failed", null],
    [{ id: "m-1", status: "timeouted" }, "task_failed", "m-1"],
    [{ _id: "a-1", video_status: 2 }, "task_pending", "a-1"],
    [{ id: "b-1", processing_status: "ended" }, "ok", "b-1"],
    [{ batch_id: "b-2", state: { num_pending: 1 } }, "task_pending", "b-2"],
  ])("%j is %s", (body, cause, taskId) => {
    const found = diagnosedAs("task", 200, body);
    expect(found.cause).toBe(cause);
    expect(found.taskId).toBe(taskId);
  });
});
