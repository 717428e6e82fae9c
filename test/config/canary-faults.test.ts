import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { faultsOf, LEAST, withCanaries } from "./canaries.ts";
import { faultsOf as allFaultsOf, problemsOf } from "./parsed.ts";

type Written = Readonly<Record<string, unknown>>;

const TIMEOUT = 'is out of range; write a duration from "1s" to "4m", like "90s"';
const DEADLINE = 'is out of range; write a duration from "1m" to "24h", like "20m"';
const POINTER = "is not a JSON pointer; write a JSON pointer like /data/0/id";
const PREFIXED = "remove everything up to the last slash, or set vendorPrefix: true on the gateway";
const { chat, image, video, console: look, http } = LEAST;

test.each<[written: Written, setting: string, fault: string]>([
  [{ ...chat, model: "openai/gpt-4o" }, "model", `has a vendor prefix; ${PREFIXED}`],
  [{ ...http, expect: { status: "ok" } }, "expect.status", POINTER],
  [{ ...http, method: "GET", body: {} }, "body", 'is not sent with GET; remove it, or write method: "POST"'],
  [{ ...chat, timeout: "5m" }, "timeout", TIMEOUT],
  [{ ...video, deadline: "59s" }, "deadline", DEADLINE],
  [
    { ...LEAST.audit, every: "1h" },
    "every",
    'is out of range; write whole minutes from "2h" to "24h", like "2h"',
  ],
])("%j: %s %s", (written, setting, fault) => {
  expect(faultsOf(written)).toEqual([`${setting}: ${fault}`]);
});

test("a reference is another gateway with an audit, and all is in one shard", () => {
  const gateway = (id: string, ...monitors: readonly object[]) => ({
    id,
    baseUrl: "https://api.acme.example",
    apiKey: "ACME_API_KEY",
    monitors,
  });
  const faultsWith = (reference: string, more: object = {}) =>
    allFaultsOf({
      title: "t",
      gateways: [
        gateway("acme", { ...LEAST.audit, reference }),
        gateway("direct", LEAST.audit),
        gateway("other", LEAST.chat),
      ],
      ...more,
    });
  const AT = "gateways[0].monitors[0].reference";
  expect(faultsWith("direct")).toEqual([]);
  expect(faultsWith("other")).toEqual([`${AT}: is not another gateway with an audit; use direct`]);
  expect(faultsWith("direct", { shards: 2 })).toEqual([
    `${AT}: is compared only without shards; remove it, or shards`,
  ]);
});

describe("bodies", () => {
  const FIX =
    "write an object like { max_tokens: 64 }; it is merged into the default body; null removes a member";
  const cycle: Record<string, unknown> = {};
  cycle["self"] = { cycle };
  const UNSAYABLE = "contains something that JSON cannot represent, or itself";
  test.each<[what: string, body: unknown, problem: string]>([
    ["a BigInt", { a: 1n }, UNSAYABLE],
    ["a cycle", cycle, UNSAYABLE],
    ["long text", { a: "-".repeat(16_384) }, "is longer than 16,384 characters as JSON"],
  ])("%s", (_what, body, problem) => {
    expect(faultsOf({ ...chat, body })).toEqual([`body: ${problem}; ${FIX}`]);
  });

  test.each([
    [chat, { stream: true }, "stream", "write stream: true beside body, not in it"],
    [chat, { model: "gpt-4o" }, "model", "write model beside body, not in it"],
    // What is never streamed has no stream to write.
    [image, { stream: true }, "stream", "remove it"],
  ])("%j does not let %j decide its %s", (least, body, member, fix) => {
    expect(faultsOf({ ...least, body })).toEqual([`body.${member}: does not belong in the body; ${fix}`]);
  });

  test("the key is sent in headers alone", () => {
    const fault = "body: contains {key}, which only headers may; remove {key}";
    expect(faultsOf({ ...chat, body: { a: [{ b: "k={key}" }] } })).toEqual([fault]);
    expect(faultsOf({ ...http, body: "{key}" })).toEqual([fault]);
  });

  test("a secret is found however deep it lies, and not repeated", () => {
    const body = { a: [{ b: { c: { d: [{ e: { f: { g: "sk-proj-abcdefghijklmnop" } } }] } } }] };
    const input = withCanaries({ ...chat, body });
    expect(problemsOf(input)).toEqual([
      "gateways[0].monitors[0].body.a[0].b.c.d[0].e.f.g: looks like a secret itself",
    ]);
    expect(JSON.stringify(parseConfig(input))).not.toContain("sk-proj");
  });

  test("a picture in one is no secret", () => {
    const url = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk`;
    const messages = [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }];
    expect(faultsOf({ ...chat, body: { messages } })).toEqual([]);
    expect(faultsOf({ ...chat, body: { messages: url.replace("data:", "") } })).toHaveLength(1);
  });
});

describe("paths", () => {
  test.each<[written: Written, setting: string, fault: string]>([
    [
      { ...chat, path: "v1/chat" },
      "path",
      "does not begin with a slash; write a path like /v1/chat/completions",
    ],
    [{ ...chat, path: "/v1/v1/chat" }, "path", "has /v1 twice; write /v1 once"],
    [{ ...chat, path: `/${"a".repeat(500)}` }, "path", "is too long; write at most 500 characters"],
    [
      { ...video, taskPath: "/v1/videos" },
      "taskPath",
      "does not contain the task's id; write {id} in it, like /v1/videos/{id}",
    ],
  ])("%j: %s %s", (written, setting, fault) => {
    expect(faultsOf(written)).toEqual([`${setting}: ${fault}`]);
  });

  test.each([
    "/",
    "/v1/chat?to=https://x.example/v1/",
    "/openai/deployments/{model}/chat/completions?v=2024-10-21",
    "/0123456789abcdef0123456789abcdef/v1/chat",
  ])("%s is a path, and no secret", (path) => {
    expect(faultsOf({ ...chat, path })).toEqual([]);
  });

  test("a key in a query is a secret", () => {
    expect(faultsOf({ ...http, path: "/x?api_key=hunter2hunter2" })).toHaveLength(1);
  });
});

describe("headers", () => {
  const CREDENTIAL =
    'should contain {key}, but does not; write "{key}" in the place of the key, and name its secret with apiKey';
  const NOT_SET = "is a header that you cannot set here; remove it";
  const FORM = "has the wrong form; write 1 to 500 characters of visible ASCII";
  const FIX = 'write an object of names and values like { "x-api-key": "{key}" }, null to leave one out';
  const SECRET = expect.stringContaining("headers.x-tenant: looks like a secret itself; ") as string;
  test.each<[headers: object, path: string, fault: string]>([
    [{ Host: "x" }, ".Host", NOT_SET],
    [{ "X-Goog-Api-Key": "hunter2" }, ".X-Goog-Api-Key", CREDENTIAL],
    [{ "x-tenant": "a\r\nb" }, ".x-tenant", FORM],
    [{ "x y": "1" }, ".[…]", `is not a header name; ${FIX}`],
    [{ "x-tenant": "sk-proj-abcdefghijklmnop" }, ".x-tenant", SECRET],
    [
      { authorization: null },
      "",
      'send no key; name it in one, like { authorization: null, "x-api-key": "{key}" }',
    ],
  ])("%j", (headers, path, fault) => {
    const told = fault === SECRET ? SECRET : `headers${path}: ${fault}`;
    expect(faultsOf({ ...chat, headers })).toEqual([told]);
  });

  test("gemini sends its key in a header of its own", () => {
    const gemini = { kind: "gemini", model: "gemini-2.5-flash" };
    expect(faultsOf({ ...gemini, headers: { "X-Goog-Api-Key": null } })).toHaveLength(1);
    expect(
      faultsOf({ ...gemini, headers: { "X-Goog-Api-Key": null, authorization: "Bearer {key}" } }),
    ).toEqual([]);
    expect(faultsOf({ ...gemini, headers: { authorization: null } })).toEqual([]);
  });

  test("a key of its own that no header sends is refused of http too", () => {
    const headers = { authorization: null };
    expect(faultsOf({ ...http, headers })).toEqual([]);
    expect(faultsOf({ ...http, headers, apiKey: "OTHER_KEY" })).toHaveLength(1);
  });
});

test("a limit on the first token is one of a stream", () => {
  const limits = { firstTokenSlowerThan: "3s", tokensPerSecondBelow: 0.5 };
  expect(faultsOf({ ...chat, stream: true, ...limits })).toEqual([]);
  expect(faultsOf({ ...chat, ...limits })).toEqual([
    "firstTokenSlowerThan: is of a stream; write stream: true beside it, or remove it",
  ]);
});

describe("limits in money", () => {
  const prices = { currency: "USD", output: 0.6, request: 0.001 };
  const half = { currency: "USD", day: 0.5 };
  const NEVER =
    "is never reached: by these prices a request costs nothing; set prices.request if the request has no body, write the real prices, or remove maxCost";
  test.each<[over: Written, fault: string | null]>([
    [{ maxCost: half, prices }, null],
    [{ maxCost: half }, "maxCost: has no prices to be computed from; write prices beside it"],
    [
      { maxCost: { ...half, currency: "EUR" }, prices },
      "maxCost.currency: is not the currency of prices; write USD",
    ],
    [{ maxCost: { ...half, day: 0 }, prices }, "maxCost.day: is too small; write a number above 0, like 0.5"],
    [{ maxCost: half, prices: { currency: "USD", output: 0 } }, `maxCost: ${NEVER}`],
    [
      { maxCost: { ...half, day: 0.0011 }, prices },
      "maxCost.day: is less than one request may cost, 0.001154 USD; write at least 0.001154",
    ],
  ])("%j: %s", (over, fault) => {
    expect(faultsOf({ ...chat, ...over })).toEqual(fault === null ? [] : [fault]);
  });

  test("of a request without a body a price of input tokens limits nothing, and one of requests does", () => {
    const search = { ...http, maxCost: half };
    const input = { currency: "USD", input: 3 };
    expect(faultsOf({ ...search, prices: input })).toEqual([`maxCost: ${NEVER}`]);
    expect(faultsOf({ ...search, prices: { ...input, request: 0.001 } })).toEqual([]);
  });
});

test("prices without a price are refused", () => {
  expect(faultsOf({ ...chat, prices: { currency: "USD" } })).toEqual([
    "prices: has no price; set input, output or request",
  ]);
});

describe("one canary and others", () => {
  test("two of one kind and model need ids", () => {
    const input = withCanaries(chat, { ...chat, stream: true }, http, http);
    expect(allFaultsOf(input)).toEqual([
      "gateways[0].monitors[1].id: is the same as that of gateways[0].monitors[0] (its default, unless you give one); give each its own id",
      "gateways[0].monitors[3].id: is the same as that of gateways[0].monitors[2] (its default, unless you give one); give each its own id",
    ]);
  });

  test("a canary's key is no channel's and no heartbeat's", () => {
    const canaries = withCanaries({ ...look, apiKey: "LOGIN_TOKEN" });
    const input = {
      ...canaries,
      heartbeat: "LOGIN_TOKEN",
      alerts: [{ kind: "ntfy", url: "NTFY_URL", token: "LOGIN_TOKEN" }],
    };
    expect(problemsOf(input)).toEqual([
      "alerts[0].token: is the secret of a gateway's key",
      "heartbeat: is the secret of a gateway's key",
    ]);
  });
});
