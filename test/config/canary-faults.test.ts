import { describe, expect, test } from "vitest";
import { EXERCISES } from "../../src/protocol/audit.ts";
import { parseConfig } from "../../src/config/load.ts";
import { faultsOf, LEAST, withCanaries } from "./canaries.ts";
import { faultsOf as allFaultsOf, problemsOf } from "./parsed.ts";

type Written = Readonly<Record<string, unknown>>;

const OTHERS =
  "Otherwise use models, messages, responses, gemini, embeddings, image, video, console, http or audit";
const PER_DAY = "write a whole number from 1 to 10000, without quotes";
const TIMEOUT = 'is out of range; write a duration from "1s" to "4m", like "90s"';
const DEADLINE = 'is out of range; write a duration from "1m" to "24h", like "20m"';
const EXPECTED = 'write an object of JSON pointers and values like { "/status": "ok" }';
const POINTER = "is not a JSON pointer; write a JSON pointer like /data/0/id";
const PREFIXED = "remove everything up to the last slash, or set vendorPrefix: true on the gateway";
const QUESTIONS = EXERCISES.map(({ name }) => name);
const { chat, image, video, console: look, http } = LEAST;
const LOOK = { kind: "http", path: "/x" };

test.each<[written: Written, setting: string, fault: string]>([
  [{ kind: "chaat" }, "kind", `is not a kind of monitor; did you mean chat? ${OTHERS}`],
  [{ kind: "chat" }, "model", "is missing; write the model's id as the gateway lists it, like gpt-4o"],
  [{ ...chat, model: "openai/gpt-4o" }, "model", `has a vendor prefix; ${PREFIXED}`],
  [{ kind: "http", expect: { "/ok": 1 } }, "path", "is missing; write a path like /v1/chat/completions"],
  [LOOK, "expect", `is missing; ${EXPECTED}`],
  [{ ...LOOK, expect: {} }, "expect", `is empty; ${EXPECTED}`],
  [{ ...LOOK, expect: { status: "ok" } }, "expect.status", POINTER],
  [{ ...http, method: "PUT" }, "method", "is not a method of canaries; use GET or POST"],
  [{ ...http, method: "GET", body: {} }, "body", 'is not sent with GET; remove it, or write method: "POST"'],
  [{ ...chat, perDay: 0 }, "perDay", `is too small; ${PER_DAY}`],
  [{ ...chat, timeout: "5m" }, "timeout", TIMEOUT],
  [{ ...video, deadline: "59s" }, "deadline", DEADLINE],
  [
    { ...chat, every: "90s" },
    "every",
    'is not in whole minutes; write whole minutes from "1m" to "24h", like "5m"',
  ],
  [
    { ...look, warnBelow: "5" },
    "warnBelow",
    "is not a number; write a number from 0 to 1000000000, without quotes",
  ],
  [
    { ...chat, usedBy: "production" },
    "usedBy",
    "says whose key it is, but the canary has no key of its own; write it at the gateway, or add apiKey",
  ],
  [
    { ...chat, apiKey: "ADMIN_TOKEN" },
    "apiKey",
    "is a name that Gatepulse uses; choose another name, like ACME_CANARY_KEY",
  ],
  [
    { ...LEAST.audit, every: "1h" },
    "every",
    'is out of range; write whole minutes from "2h" to "24h", like "2h"',
  ],
  [{ ...LEAST.audit, without: QUESTIONS }, "without", "leaves no question; leave one at least"],
  [
    { ...LEAST.audit, reference: "acme" },
    "reference",
    "is not another gateway with an audit of the same questions; remove it: there are none",
  ],
])("%j: %s %s", (written, setting, fault) => {
  expect(faultsOf(written)).toEqual([`${setting}: ${fault}`]);
});

test("a reference is another gateway with an audit of the same questions, and all is in one shard", () => {
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
        gateway("less", { ...LEAST.audit, without: ["tool_call"] }),
      ],
      ...more,
    });
  const AT = "gateways[0].monitors[0].reference";
  expect(faultsWith("direct")).toEqual([]);
  for (const id of ["other", "less"])
    expect(faultsWith(id)).toEqual([
      `${AT}: is not another gateway with an audit of the same questions; use direct`,
    ]);
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
    ["a list", [], "is not an object"],
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
    [{ ...chat, path: 5 }, "path", "is not text; write a path like /v1/chat/completions"],
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
    [{ "x-a": 1 }, ".x-a", `is not text; ${FIX}`],
    [["x-a"], "", `is not an object; ${FIX}`],
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
    [{ maxCost: { currency: "USD" }, prices }, "maxCost.day: is missing; write a number above 0, like 0.5"],
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

describe("pointers and prices", () => {
  const CURRENCY = "write 3 to 8 letters, like USD";
  test.each<[more: Written, setting: string, fault: string]>([
    [{ pointers: { tex: "/x" } }, "pointers.tex", "is not a known setting; did you mean text?"],
    [
      { pointers: { balance: "/x" } },
      "pointers.balance",
      "is not a known setting; remove it; allowed here: text, end, inputTokens, outputTokens",
    ],
    [{ pointers: { text: "data" } }, "pointers.text", POINTER],
    [{ pointers: [] }, "pointers", 'is not an object; write an object like { text: "/data/x" }'],
    [{ prices: { input: 1 } }, "prices.currency", `is missing; ${CURRENCY}`],
    [{ prices: { currency: "$", input: 1 } }, "prices.currency", `has the wrong form; ${CURRENCY}`],
    [{ prices: { currency: "USD" } }, "prices", "has no price; set input, output or request"],
    [
      { prices: { currency: "USD", input: -1 } },
      "prices.input",
      "is too small; write a number from 0 to 1000000, without quotes",
    ],
  ])("%j: %s %s", (more, setting, fault) => {
    expect(faultsOf({ ...chat, ...more })).toEqual([`${setting}: ${fault}`]);
  });
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
