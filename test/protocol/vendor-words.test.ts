import { describe, expect, it } from "vitest";
import { diagnosed, diagnosedAs } from "./answers.ts";

const PER_DAY = { message: "Too many tokens per day, please wait before trying again." };
const NO_MODEL = "Your plan does not have access to this model. Please upgrade your plan.";
const DEACTIVATED = { error: { message: "account_deactivated" } };
const QUOTA = { cause: "quota_exceeded", retry: { allowed: false } };
const BY_WORDS = { cause: "quota_exceeded", ambiguous: ["rate_limited"] };

it.each([
  ["a quota is what is bought or given", 400, { message: "您的推理点已用完" }, { cause: "quota_exceeded" }],
  ["and no other thing that is full", 400, { message: "上下文长度已用完" }, { cause: "malformed_request" }],
  ["a limit that words alone tell", 429, { message: "You have reached your monthly limit." }, BY_WORDS],
  ["a plan that merely lacks the model", 403, { message: NO_MODEL }, { cause: "permission_denied" }],
  ["leaves 401 what it is", 401, DEACTIVATED, { cause: "authentication" }],
  ["tokens by the day", 429, PER_DAY, QUOTA],
])("%s", (_what, status, body, expected) => expect(diagnosed(status, body)).toMatchObject(expected));

describe("a limit that is counted by the month", () => {
  it.each([
    "Free limit reached, come back tomorrow",
    "Rate limit exceeded. It resets at midnight UTC.",
    "免费次数已用，请明天再试",
    "Limite atteinte. Requests this month: 1000.",
  ])("or by the day is a quota, not cured by waiting a little: %s", (message) => {
    expect(diagnosed(429, { message })).toMatchObject(QUOTA);
  });

  it.each([
    "Please slow down: at most 5 requests per second",
    "Rate limit reached on tokens per minute. Please try again in 606.8ms.",
    "Too many requests",
    "本分钟请求次数已用完",
    "Tokens exhausted for this minute",
  ])("is none where the wait is short: %s", (message) => {
    expect(diagnosed(429, { message }).retry.allowed).toBe(true);
  });
});

describe("a good status", () => {
  it.each([
    [{ state: "ERROR", errorCode: "GATEWAY_AUTH_FAIL", errorMessage: "鉴权失败" }, "unexpected_response"],
    [{ Code: "OK", Message: "OK", RequestId: "r" }, "ok"],
    [{ errno: 0, data: { id: 1 } }, "ok"],
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
      const expected = { cause: "authentication", ambiguous: ["malformed_request"] };
      expect(diagnosed(400, { message })).toMatchObject(expected);
    },
  );
});

const frame = (reason: string): string =>
  `data: ${JSON.stringify({ results: [{ generated_text: "a", stop_reason: reason }] })}\n\n`;

it.each([
  ["ends with the last reason in its results", frame("not_finished") + frame("eos_token"), { cause: "ok" }],
  ["has dropped where that says so", frame("not_finished").repeat(2), { cause: "stream_dropped" }],
])("a stream %s", (_what, transcript, expected) => {
  expect(diagnosedAs("stream", 200, transcript)).toMatchObject(expected);
});

describe("a task's record", () => {
  it.each([
    [{ data: { task_id: "t-1", state: -1, progress: 0 } }, "task_failed", "t-1"],
    [{ jobs: [{ uuid: "j-1", status: "Generating" }] }, "task_pending", "j-1"],
    [{ success: true, movie: { status: "error", project: "p" } }, "task_failed", null],
    [{ id: "b-1", processing_status: "ended" }, "ok", "b-1"],
    [{ batch_id: "b-2", state: { num_pending: 1 } }, "task_pending", "b-2"],
  ])("%j is %s", (body, cause, taskId) => {
    expect(diagnosedAs("task", 200, body)).toMatchObject({ cause, taskId });
  });
});
