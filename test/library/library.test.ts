import { describe, expect, test } from "vitest";
import {
  createRedactor,
  decideRetry,
  diagnose,
  diagnoseResponse,
  type GatewayAnswer,
  redact,
  retryDelay,
} from "../../src/library/index.ts";

const SPENT = JSON.stringify({ error: { message: "The quota is used up.", code: "quota_exceeded" } });
const PAIRS: readonly (readonly [string, string])[] = [
  ["X-Request-Id", "req_7"],
  ["Retry-After", "3"],
];

describe("headers", () => {
  const FORMS: readonly [string, GatewayAnswer["headers"]][] = [
    ["a Headers object", new Headers({ "X-Request-ID": "req_7", "Retry-After": "3" })],
    ["a plain object in any case", { "x-REQUEST-id": "req_7", "RETRY-after": "3" }],
    ["lists of values", { "x-request-id": ["req_7"], "retry-after": ["3"], age: undefined }],
    ["a map", new Map(PAIRS)],
    ["pairs", PAIRS],
  ];

  test.each(FORMS)("are taken as %s", (_form, headers) => {
    const { requestId, retry } = diagnose({ status: 503, headers, body: "" });
    expect([requestId, retry.afterSeconds]).toEqual(["req_7", 3]);
  });

  test.each([
    ["8", "3"],
    ["3", "8"],
  ])("of one name twice are joined: of the waits %s and %s the longer one counts", (first, second) => {
    const headers = Object.entries({ "retry-after": first, "Retry-After": second });
    expect(diagnose({ status: 429, headers, body: "" }).retry.afterSeconds).toBe(8);
  });

  test("are taken from what axios gives, whose pairs may have a list or a number as their value", () => {
    const pairs: Iterable<readonly [string, unknown]> = [
      ["set-cookie", ["a=1", "b=2"]],
      ["retry-after", 3],
    ];
    const headers = pairs as Iterable<readonly [string, string]>;
    expect(diagnose({ status: 503, headers, body: "" }).retry.afterSeconds).toBe(3);
  });

  test("may be named as what every object has, and may be missing", () => {
    const headers = { ["__proto__"]: "a", constructor: "b", toString: "c", "x-request-id": "req_7" };
    expect(diagnose({ status: 503, headers, body: "" }).requestId).toBe("req_7");
    const expected = { cause: "upstream_unavailable", requestId: null };
    expect(diagnose({ status: 503, body: "" })).toMatchObject(expected);
  });
});

test("who runs the gateway decides whose turn it is", () => {
  const failed = { status: 500, body: "{}" };
  expect(diagnose(failed).turn).toBe("operator");
  expect(diagnose(failed, { operator: "us" })).toMatchObject({ owner: "operator", turn: "us" });
  expect(() => diagnose(failed, { operator: JSON.parse('"me"') })).toThrow(RangeError);
});

describe("the body", () => {
  test.each([
    ["text", SPENT],
    ["bytes", new TextEncoder().encode(SPENT)],
    ["an ArrayBuffer", new TextEncoder().encode(SPENT).buffer],
    ["UTF-16 with its mark", Uint8Array.from(Buffer.from(`\uFEFF${SPENT}`, "utf16le"))],
  ])("may be %s", (_form, body) => {
    const expected = { cause: "quota_exceeded", message: "The quota is used up." };
    expect(diagnose({ status: 429, body })).toMatchObject(expected);
  });

  test("may be missing where there was none, and is none that was parsed already", () => {
    expect(diagnose({ status: 200, body: null }).cause).toBe("unexpected_response");
    const parsed = { status: 200, body: { code: 5000 } } as unknown as GatewayAnswer;
    expect(() => diagnose(parsed)).toThrow(TypeError);
  });

  test("of 8 MiB is read, and of one byte more it is said that it was not", () => {
    const padded = (size: number) => `{"data":[]}${" ".repeat(size - 11)}`;
    expect(diagnose({ status: 200, body: padded(8_388_608) }).ok).toBe(true);
    for (const body of [padded(8_388_609), new TextEncoder().encode(padded(8_388_609))]) {
      expect(diagnose({ status: 200, body })).toMatchObject({ ok: false, cause: "unexpected_response" });
    }
  });
});

describe("what was asked", () => {
  test("decides which shape a success must have", () => {
    const answer = { status: 200, body: '{"data":[]}' };
    expect(diagnose(answer).cause).toBe("ok");
    expect(diagnose({ ...answer, kind: "models" }).cause).toBe("ok");
    expect(diagnose({ ...answer, kind: "chat" }).cause).toBe("unexpected_response");
  });

  test("is a stream where the content type says so", () => {
    const body = 'data: {"error":{"message":"overloaded"}}\n\n';
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    expect(diagnose({ status: 200, headers, body }).cause).toBe("stream_error");
  });

  test("is one of the known kinds", () => {
    const answer = { status: 200, body: "{}", kind: "video" } as unknown as GatewayAnswer;
    expect(() => diagnose(answer)).toThrow(/models, chat, messages/);
  });
});

test.each([0, 99, 1000, 200.5, Number.NaN, "200"])("%s is no status", (status) => {
  expect(() => diagnose({ status, body: "" } as GatewayAnswer)).toThrow(RangeError);
});

test("a Retry-After date without a Date is measured from `now`", () => {
  const headers = { "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT" };
  const { retry } = diagnose({ status: 503, headers, body: "" }, { now: Date.UTC(2026, 10, 20, 12) });
  expect(retry.afterSeconds).toBe(30);
});

describe("secrets", () => {
  const body = JSON.stringify({ error: { message: "The key hushed-river-7788-otter is wrong." } });

  test("that are known stand in no diagnosis, and in no text that is redacted", () => {
    const secrets = ["hushed-river-7788-otter"];
    const message = "The key [redacted] is wrong.";
    expect(diagnose({ status: 401, body }, { secrets }).message).toBe(message);
    expect(diagnose({ status: 401, body }, { secrets: createRedactor(secrets) }).message).toBe(message);
    expect(redact(body, secrets)).toBe(JSON.stringify({ error: { message } }));
  });
});

describe("a Response", () => {
  test("is diagnosed by its status, headers and body, and by what was asked", async () => {
    const headers = { "X-Request-ID": "req_7" };
    const response = Response.json({ code: 5000, message: "internal" }, { headers });
    const expected = { cause: "business_error", businessCode: 5000, requestId: "req_7", message: "internal" };
    expect(await diagnoseResponse(response)).toMatchObject(expected);
    expect((await diagnoseResponse(new Response(null, { status: 503 }))).cause).toBe("upstream_unavailable");
    const list = Response.json({ data: [] });
    expect((await diagnoseResponse(list, { kind: "chat" })).cause).toBe("unexpected_response");
  });

  test("that never ends is read up to 8 MiB, and then given up", async () => {
    let isCancelled = false;
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(new Uint8Array(1_048_576).fill(0x20));
      },
      cancel: () => void (isCancelled = true),
    });
    expect((await diagnoseResponse(new Response(endless))).cause).toBe("unexpected_response");
    expect([isCancelled, pieces < 12]).toEqual([true, true]);
  });
});

describe("what was thrown", () => {
  const coded = (code: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(`it says ${code}`), { code }) });

  test("by Node's fetch is told by its code", () => {
    const message = "it says ENOTFOUND";
    const expected = { cause: "dns_failure", owner: "network", layer: "network", httpStatus: null, message };
    expect(diagnose({ error: coded("ENOTFOUND") })).toMatchObject(expected);
  });

  test("after the headers has their status and request id, also while a Response was read", async () => {
    const headers = { "x-request-id": "req_7" };
    const error = coded("ECONNRESET");
    const expected = { cause: "connection_failed", httpStatus: 200, requestId: "req_7" };
    expect(diagnose({ error, status: 200, headers })).toMatchObject(expected);
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) });
    expect(await diagnoseResponse(new Response(broken, { headers }))).toMatchObject(expected);
  });

  test("by a Worker without requests left is not the gateway's fault", () => {
    const { owner, message } = diagnose({ error: new Error("Too many subrequests.") });
    expect([owner, message]).toEqual(["network", "this invocation may send no more requests"]);
  });
});

test("a response that was read before is no broken connection", async () => {
  const read = new Response("{}");
  await read.text();
  await expect(diagnoseResponse(read)).rejects.toThrow("the response body was already read");
  const locked = new Response("{}");
  locked.body?.getReader();
  await expect(diagnoseResponse(locked)).rejects.toThrow(TypeError);
});

// When it is tried again.

const failed = (status: number, retryAfter?: string, body = "") =>
  diagnose({ status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }, body });

test("no wait is longer than 8.5 s, and chance is the program's own where none is given", () => {
  expect(retryDelay(failed(503), { attempt: 30, maxAttempts: 100, random: 0 })).toBe(8000);
  const waitMs = retryDelay(failed(503), { attempt: 0 });
  expect(waitMs).toBeGreaterThanOrEqual(1000);
  expect(waitMs).toBeLessThanOrEqual(1500);
});

test("the seconds of Retry-After are waited, without chance, and over a limit it is for later", () => {
  const random = 0.9;
  expect(retryDelay(failed(429, "7"), { attempt: 2, random })).toBe(7000);
  expect(retryDelay(failed(429, "0"), { attempt: 0, random })).toBe(0);
  expect(retryDelay(failed(429, "30"), { attempt: 0 })).toBe(30_000);
  expect(retryDelay(failed(429, "31"), { attempt: 0 })).toBeNull();
  expect(decideRetry(failed(429, "31"), { attempt: 0 })).toEqual({ type: "later", afterSeconds: 31 });
  expect(retryDelay(failed(429, "31"), { attempt: 0, maxRetryAfterSeconds: 60 })).toBe(31_000);
  expect(decideRetry(failed(429, "31"), { attempt: 0, maxRetryAfterSeconds: 5 }).type).toBe("later");
});

test("what waiting does not cure is never tried again", () => {
  const stop = { type: "stop", reason: "not_retryable" };
  for (const of of [failed(429, "1", '{"error":{"code":"quota_exceeded"}}'), failed(500)]) {
    expect(decideRetry(of, { attempt: 0 })).toEqual(stop);
  }
});

test("after the fourth attempt it ends, or after as many as were allowed", () => {
  expect(decideRetry(failed(503), { attempt: 2, random: 0 })).toEqual({ type: "wait", waitMs: 4000 });
  expect(decideRetry(failed(503), { attempt: 3 })).toEqual({ type: "stop", reason: "attempts_spent" });
  expect(retryDelay(failed(503), { attempt: 0, maxAttempts: 1 })).toBeNull();
});

test.each([-1, 0.5, Number.NaN])("there is no attempt %d", (attempt) => {
  expect(() => retryDelay(failed(503), { attempt })).toThrow(RangeError);
});
