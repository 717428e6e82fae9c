import { describe, expect, it } from "vitest";
import { diagnosed, diagnosedAs } from "./answers.ts";

const HOURLY = "You've exceeded your 5-hour subscription request limit. Please wait or buy more credits.";
const THROTTLED = { headers: { "x-amzn-errortype": "ThrottlingException" } };
const PER_DAY = { message: "Too many tokens per day, please wait before trying again." };
const NO_MODEL = "Your plan does not have access to this model. Please upgrade your plan.";
const REFUSED = 'event: error\ndata: {"type":"error","error":"API Key额度不足，请访问控制台查看详情"}\n\n';
const DEACTIVATED = { error: { message: "account_deactivated" } };
const QUOTA = { cause: "quota_exceeded", retry: { allowed: false } };
const BY_WORDS = { cause: "quota_exceeded", ambiguous: ["rate_limited"] };

it.each([
  ["a quota is what is bought or given", 400, { message: "您的推理点已用完" }, { cause: "quota_exceeded" }],
  ["and no other thing that is full", 400, { message: "上下文长度已用完" }, { cause: "malformed_request" }],
  ["a limit that words alone tell", 429, { message: "You have reached your monthly limit." }, BY_WORDS],
  ["a plan that merely lacks the model", 403, { message: NO_MODEL }, { cause: "permission_denied" }],
  ["a name where words belong", 400, DEACTIVATED, { cause: "permission_denied" }],
  ["leaves 401 what it is", 401, DEACTIVATED, { cause: "authentication" }],
  ["tokens by the day", 429, PER_DAY, QUOTA],
])("%s", (_what, status, body, expected) => expect(diagnosed(status, body)).toMatchObject(expected));

describe("a limit that is counted by the month", () => {
  it.each([
    [400, { __type: "ThrottlingException", message: "Maximum requests reached for this month." }],
    [429, { error: HOURLY }],
    [403, { code: 403, message: '{"code":110,"message":"Billing daily count exceeded"}' }],
  ])("under %i is a quota, and nothing is sent again: %j", (status, body) => {
    expect(diagnosed(status, body)).toMatchObject(QUOTA);
  });

  it.each([
    "Free limit reached, come back tomorrow",
    "Rate limit exceeded. It resets at midnight UTC.",
    "免费次数已用，请明天再试",
    "Limite atteinte. Requests this month: 1000.",
  ])("or by the day is not cured by waiting a little: %s", (message) => {
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
      const expected = { cause: "authentication", ambiguous: ["malformed_request"] };
      expect(diagnosed(400, { message })).toMatchObject(expected);
    },
  );
});

it("tokens by the day and by the minute are told apart under a header that names neither", () => {
  expect(diagnosed(429, PER_DAY, THROTTLED)).toMatchObject(QUOTA);
  const message = "Too many tokens, please wait before trying again.";
  expect(diagnosed(429, { message }, THROTTLED).retry.allowed).toBe(true);
});

it("a business envelope is believed where its name is that of the caller's balance", () => {
  const body = { code: 4, description: "quota_not_enough", result: "" };
  expect(diagnosedAs("task", 200, body).cause).toBe("insufficient_balance");
});

const frame = (reason: string): string =>
  `data: ${JSON.stringify({ results: [{ generated_text: "a", stop_reason: reason }] })}\n\n`;

it.each([
  ["ends with the last reason in its results", frame("not_finished") + frame("eos_token"), { cause: "ok" }],
  ["has dropped where that says so", frame("not_finished").repeat(2), { cause: "stream_dropped" }],
  ["keeps its cause beside words", REFUSED, { cause: "stream_error", ambiguous: ["quota_exceeded"] }],
])("a stream %s", (_what, transcript, expected) => {
  expect(diagnosedAs("stream", 200, transcript)).toMatchObject(expected);
});

describe("a task's record", () => {
  it.each([
    [{ data: { generateUuid: "g-1", generateStatus: 2, images: [] } }, "task_pending", "g-1"],
    [{ data: { task_id: "t-1", state: -1, progress: 0 } }, "task_failed", "t-1"],
    [{ jobs: [{ uuid: "j-1", status: "Generating" }] }, "task_pending", "j-1"],
    [{ success: true, movie: { status: "error", project: "p" } }, "task_failed", null],
    [{ _id: "a-1", video_status: 2 }, "task_pending", "a-1"],
    [{ id: "b-1", processing_status: "ended" }, "ok", "b-1"],
    [{ batch_id: "b-2", state: { num_pending: 1 } }, "task_pending", "b-2"],
  ])("%j is %s", (body, cause, taskId) => {
    expect(diagnosedAs("task", 200, body)).toMatchObject({ cause, taskId });
  });
});
