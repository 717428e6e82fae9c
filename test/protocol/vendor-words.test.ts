import { describe, expect, it } from "vitest";
import { shownNames } from "../../src/protocol/synonyms.ts";
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

it.each([
  [402, { type: "invalid_request_error", code: "insufficient_balance" }, [null, "insufficient_balance"]],
  [200, { message: "x", type: "server_error", code: "500" }, ["server_error", null]],
  [401, { message: "x", type: "upstream_error", code: "429" }, ["upstream_error", null]],
  [400, { message: "x", type: "invalid_request_error" }, ["invalid_request_error", null]],
])("of %d with %j people are shown no name that contradicts the cause", (status, error, [type, code]) => {
  const { errorType, errorCode } = shownNames(diagnosed(status, { error }));
  expect([errorType, errorCode]).toEqual([type, code]);
});

describe("a limit that is counted by the month", () => {
  it.each([
    "Free limit reached, come back tomorrow",
    "Rate limit exceeded. It resets at midnight UTC.",
    "免费次数已用，请明天再试",
    "Limite atteinte. Requests this month: 1000.",
    "Rate limit of 150 per 86400s exceeded. Please wait 7200 seconds before retrying.",
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

describe("under 429", () => {
  it.each([
    "Rate limit exceeded: the daily spending limit of this project is $20",
    "Cost limit reached, resets in 12 minutes",
    "请求过于频繁：已达到消费上限 ($10)，5 分钟后重置",
    "Extra usage is required for this context length.",
    "Too many requests. This model is only available on paid plans; your free plan ends here. It is not available on the free plan.",
    "This endpoint requires a paid plan",
  ])("a limit on money, or an option that is not paid for, is no rate: %s", (message) => {
    for (const type of ["rate_limit_error", null]) {
      expect(diagnosed(429, { error: { message, type } })).toMatchObject(QUOTA);
    }
  });

  it("a limit by the day is a quota, although its code calls it a rate", () => {
    const error = { code: "RateLimitReached", message: "Daily limit reached. Try again tomorrow." };
    expect(diagnosed(429, { error })).toMatchObject({ ...BY_WORDS, ...QUOTA });
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

describe("an error inside a 200 means what its text says, and is the same person's turn", () => {
  it.each([
    ["当前分组 default 下对于模型 gpt-4o 无可用渠道", "upstream_unavailable", "upstream"],
    ["No available channel for model gpt-4o", "upstream_unavailable", "upstream"],
    ["The model gpt-9 was not found", "not_found", "caller"],
    ["模型 gpt-9 不存在", "not_found", "caller"],
    ["余额不足，请充值", "insufficient_balance", "caller"],
    ["无效的令牌", "authentication", "caller"],
    ["Invalid request parameter: temperature", "malformed_request", "caller"],
    ["Rate limit exceeded", "rate_limited", "nobody"],
    ["Something went wrong", null, "operator"],
  ])("%s", (message, cause, owner) => {
    const told = (body: object) => diagnosedAs("chat", 200, body);
    expect(told({ error: { message } })).toMatchObject({ cause: cause ?? "api_error", owner });
    expect(told({ code: 1, message })).toMatchObject({ cause: cause ?? "business_error", owner });
    expect(told({ success: false, message })).toMatchObject({ cause: cause ?? "business_error", owner });
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

const data = [{ id: "gpt-4o" }];

describe("a list with a code that is there and is not 0 (spec 7.4) is not up", () => {
  it.each([
    ['"code":[5000]', null, null],
    ['"code":{"v":5000}', null, null],
    ['"code":-1', -1, null],
    ['"code":"5000 "', 5000, null],
    ['"code":"-5000"', -5000, null],
    ['"code":1e3', 1000, null],
    ['"code":0,"code":5000', 5000, null],
    ['"code":0.5', null, "0.5"],
    ['"code":"0x1388"', null, "0x1388"],
    ['"code":"５０００"', null, "５０００"],
    ['"code":"0 of 3"', null, "0 of 3"],
  ])("%s", (member, businessCode, errorCode) => {
    expect(diagnosed(200, `{${member},"data":[{"id":"gpt-4o"}]}`)).toMatchObject({
      cause: "business_error",
      layer: "business",
      owner: "operator",
      health: "down",
      businessCode,
      errorCode,
    });
  });

  it("not even one of zeros before a long gap", () => {
    expect(diagnosed(200, { code: `0${" ".repeat(500)}x`, data }).ok).toBe(false);
  });
});

const of = (member: string) => diagnosed(200, `{${member},"data":[{"id":"gpt-4o"}]}`);

describe("a list that denies its success is not up", () => {
  const DENIALS =
    '"success":false|"success":"False"|"success":" FALSE "|"success":0|"success":"0"|"success":"no"|' +
    '"success":"failed"|"ok":false';
  const DENIED = { cause: "business_error", health: "down" };

  it.each(DENIALS.split("|"))("%s", (member) => expect(of(member)).toMatchObject(DENIED));

  it.each([{ status: "error" }, { status: "FAILED" }, { status: 500 }])("%j, where it is empty", (member) => {
    expect(diagnosed(200, { ...member, data: [] })).toMatchObject(DENIED);
  });
});

describe("a good list stays up", () => {
  const MEMBERS =
    '"x":1|"code":null|"code":""|"code":" "|"code":0|"code":"0"|"code":" 0 "|"code":"0.0"|"code":true|' +
    '"code":false|"code":[]|"code":{}|"code":"success"|"code":"OK"|"code":"ok!"|"success":true|"success":"true"|' +
    '"success":1|"success":null|"success":""|"ok":true|"ok":0|"status":"ok"|"status":"error"|"status":200|' +
    '"message":"insufficient balance"|"errors":[]|"error":false|"unknown":{"code":5000,"success":false}';

  it.each(MEMBERS.split("|"))("beside %s", (member) => {
    expect(of(member)).toMatchObject({ cause: "ok", health: "up" });
  });

  it("whose code is -0, which is 0, and behind two byte order marks", () => {
    expect(diagnosed(200, '{"code":-0,"data":[]}')).toMatchObject({ ok: true, businessCode: 0 });
    expect(diagnosed(200, '\uFEFF\uFEFF {"data":[]}').ok).toBe(true);
  });
});

const CLOUDFLARE = { server: "cloudflare", "cf-ray": "9fa4e0001234beef-FRA" };
const REJECTED = "Request Rejected. The requested URL was rejected. Please consult with your administrator.";
const page = (title: string, inner = ""): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${inner}</body></html>`;

describe("an outage is nobody's block and no wrong address, whatever its page says", () => {
  it.each([
    [500, "SQLSTATE[HY000]: General error: 1005 Can't create table"],
    [500, "<p>error 1003: cannot resolve table name</p>"],
    [500, page("Error", "project not found")],
    [502, "error 1016 can't open file"],
    [502, "upstream websocket error code 1011"],
    [502, page("Human check", "captcha service unavailable")],
    [503, "error code: 1006"],
    [503, page("Maintenance", "Our security policy team is working")],
    [503, page("503", "access denied to backend, reference #7")],
    [503, page("Application not found")],
    [503, page("Just a moment...", "The service restarts.")],
  ])("%d %s", (status, body) => {
    const cause = status === 500 ? "service_misconfigured" : "upstream_unavailable";
    expect(diagnosed(status, body)).toMatchObject({ cause, health: "down" });
    expect(diagnosed(status, body, { headers: { server: "nginx" } }).cause).toBe(cause);
  });

  it("not even where the origin stands behind an edge that adds its script to the origin's page", () => {
    const script = "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>";
    const body = page("Down", `Our captcha service is down. ${script}`);
    expect(diagnosed(503, body, { headers: CLOUDFLARE }).cause).toBe("upstream_unavailable");
  });

  it("and a database's error behind an edge is not the edge's", () => {
    const body = "ERROR 1020 (HY000): Record has changed";
    expect(diagnosed(500, body, { headers: CLOUDFLARE }).cause).toBe("service_misconfigured");
    expect(diagnosed(400, "Error 1004: bad", { headers: CLOUDFLARE }).cause).toBe("malformed_request");
  });
});

describe("an edge's own marks hold under a status that decides alone", () => {
  it.each([
    [503, page("Just a moment..."), CLOUDFLARE, "edge_blocked"],
    [503, "<script src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1'>", {}, "edge_blocked"],
    [503, '<div id="cf-error-details"><span>Error</span><span>1020</span></div>', {}, "edge_blocked"],
    [503, "error code: 1020", CLOUDFLARE, "edge_blocked"],
    [503, REJECTED, {}, "edge_blocked"],
    [401, page("x"), { "cf-mitigated": "challenge" }, "edge_blocked"],
    [500, "error code: 1003", {}, "wrong_url"],
    [500, "The plain HTTP request was sent to HTTPS port", {}, "wrong_url"],
    [530, page("Origin DNS error | x | Cloudflare", "Error 1016"), {}, "dns_failure"],
    [403, page("x | 1020: Access denied | Error code 1020 | Ray ID: 9f00"), {}, "edge_blocked"],
  ] as const)("%d %s", (status, body, headers, cause) => {
    expect(diagnosed(status, body, { headers }).cause).toBe(cause);
  });
});

describe("a page under a status that decides alone", () => {
  it.each([
    [401, "Your daily quota is exceeded", "authentication"],
    [402, "Rate limit", "insufficient_balance"],
    [429, "Daily limit exceeded", "rate_limited"],
    [500, "Please recharge your account", "service_misconfigured"],
    [502, "Insufficient balance", "upstream_unavailable"],
  ] as const)("%d, titled %s, is what the status says", (status, title, cause) => {
    expect(diagnosed(status, page(title)).cause).toBe(cause);
  });

  it("is no plain text, in which a gateway may name the caller's balance", () => {
    expect(diagnosed(502, "Insufficient balance").cause).toBe("insufficient_balance");
  });
});

describe("words under 5xx", () => {
  it.each(["health check overdue", "lease renewal is overdue, node drained", "no load balance available"])(
    "%s are not about money",
    (message) => {
      expect(diagnosed(503, { message }).cause).toBe("upstream_unavailable");
    },
  );

  it("a database that refuses the service does not refuse the caller", () => {
    const error = { code: "ER_ACCESS_DENIED_ERROR", message: "Access denied for user 'x'@'y'" };
    expect(diagnosed(500, { error }).cause).toBe("service_misconfigured");
    expect(diagnosed(500, { error: { code: "access_denied" } }).cause).toBe("permission_denied");
  });
});
