import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { faultsOf, LEAST, withCanaries } from "./canaries.ts";
import { faultsOf as allFaultsOf, problemsOf } from "./parsed.ts";

type Written = Readonly<Record<string, unknown>>;

describe("settings", () => {
  test.each<[Written, string]>([
    [{ kind: "chaat" }, "kind: is none of the known values; did you mean chat?"],
    [
      { kind: "banana" },
      "kind: is none of the known values; write one of: models, chat, messages, embeddings, image, video, console, http",
    ],
    [{ ...LEAST.chat, strem: true }, "strem: is no known setting; did you mean stream?"],
    [{ ...LEAST.chat, warnBelow: 5 }, "warnBelow: is no setting of this kind; remove it: it is for console"],
    [
      { ...LEAST.chat, expect: ["gpt-4o"] },
      "expect: is no setting of this kind; remove it: it is for models, http",
    ],
    [
      { kind: "models", stream: true },
      "stream: is no setting of this kind; remove it: it is for chat, messages",
    ],
    [
      { ...LEAST.video, retry: true },
      "retry: is no setting of this kind; remove it: what may create a task is sent once and never again",
    ],
    [
      { ...LEAST.image, retry: false },
      "retry: is no setting of this kind; remove it: what may create a task is sent once and never again",
    ],
    [{ kind: "chat" }, "model: is missing; write the model's id as the gateway lists it, like gpt-4o"],
    [
      { ...LEAST.chat, model: "openai/gpt-4o" },
      "model: carries a vendor prefix; remove all up to the last slash, or set vendorPrefix: true on the gateway",
    ],
    [{ kind: "http", expect: { "/ok": 1 } }, "path: is missing; write a path like /v1/chat/completions"],
    [
      { kind: "http", path: "/x" },
      'expect: is missing; write an object of JSON pointers and values like { "/status": "ok" }',
    ],
    [
      { kind: "http", path: "/x", expect: {} },
      'expect: is empty; write an object of JSON pointers and values like { "/status": "ok" }',
    ],
    [
      { kind: "http", path: "/x", expect: { status: "ok" } },
      "expect.status: is no JSON pointer; write a JSON pointer like /data/0/id",
    ],
    [{ ...LEAST.http, method: "PUT" }, 'method: is none of the known values; write "GET" or "POST"'],
    [
      { ...LEAST.http, method: "GET", body: {} },
      'body: is not sent with GET; remove it, or write method: "POST"',
    ],
    [
      { ...LEAST.chat, perDay: 0 },
      "perDay: is too small; write a whole number from 1 to 10000, without quotes",
    ],
    [
      { ...LEAST.chat, perDay: 10_001 },
      "perDay: is too big; write a whole number from 1 to 10000, without quotes",
    ],
    [
      { ...LEAST.chat, timeout: "5m" },
      'timeout: is out of range; write a duration from "1s" to "4m", like "90s"',
    ],
    [
      { ...LEAST.chat, timeout: "999ms" },
      'timeout: is out of range; write a duration from "1s" to "4m", like "90s"',
    ],
    [
      { ...LEAST.video, deadline: "59s" },
      'deadline: is out of range; write a duration from "1m" to "24h", like "20m"',
    ],
    [
      { ...LEAST.video, deadline: "25h" },
      'deadline: is out of range; write a duration from "1m" to "24h", like "20m"',
    ],
    [
      { ...LEAST.chat, deadline: "5m" },
      "deadline: is no setting of this kind; remove it: it is for image, video",
    ],
    [
      { ...LEAST.chat, every: "90s" },
      'every: is not in whole minutes; write whole minutes from "1m" to "24h", like "5m"',
    ],
    [
      { ...LEAST.console, warnBelow: "5" },
      "warnBelow: is not a number; write a number from 0 to 1000000000, without quotes",
    ],
    [
      { ...LEAST.chat, apiKey: "ADMIN_TOKEN" },
      "apiKey: is a name that Gatepulse uses itself; give it a name of its own, like ACME_CANARY_KEY",
    ],
  ])("%j", (written, fault) => {
    expect(faultsOf(written)).toEqual([fault]);
  });
});

describe("bodies", () => {
  const MEND = "write an object like { max_tokens: 64 }; it is laid over the usual body, null removes";
  const cycle: Record<string, unknown> = {};
  cycle["self"] = { cycle };
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`);

  test.each<[string, unknown, string]>([
    ["a list", [], `body: is not an object; ${MEND}`],
    ["text", "{}", `body: is not an object; ${MEND}`],
    ["a function", { a: () => 1 }, `body: holds what JSON cannot say; ${MEND}`],
    ["what is undefined", { a: undefined }, `body: holds what JSON cannot say; ${MEND}`],
    ["NaN", { a: [Number.NaN] }, `body: holds what JSON cannot say; ${MEND}`],
    ["a date", { a: new Date(0) }, `body: holds what JSON cannot say; ${MEND}`],
    ["a BigInt", { a: 1n }, `body: holds what JSON cannot say; ${MEND}`],
    ["a cycle", cycle, `body: is nested too deeply, or holds itself; ${MEND}`],
    ["33 levels", deep, `body: is nested too deeply, or holds itself; ${MEND}`],
    ["long text", { a: "-".repeat(16_384) }, `body: is longer than 16,384 characters as JSON; ${MEND}`],
    [
      "a stream",
      { stream: true },
      "body.stream: is not decided by the body; write stream: true beside body, not in it",
    ],
    [
      "no stream",
      { stream: null },
      "body.stream: is not decided by the body; write stream: true beside body, not in it",
    ],
    [
      "a model",
      { model: "gpt-4o" },
      "body.model: is not decided by the body; write model beside body, not in it",
    ],
  ])("%s", (_what, body, fault) => {
    expect(faultsOf({ ...LEAST.chat, body })).toEqual([fault]);
  });

  test("the key is sent in headers alone", () => {
    const fault = "body: names the key, which only headers do; remove {key}";
    expect(faultsOf({ ...LEAST.chat, body: { a: [{ b: "k={key}" }] } })).toEqual([fault]);
    expect(faultsOf({ ...LEAST.http, body: "{key}" })).toEqual([fault]);
  });

  test("what is never streamed has no stream to write", () => {
    expect(faultsOf({ ...LEAST.image, body: { stream: true } })).toEqual([
      "body.stream: is not decided by the body; remove it",
    ]);
  });

  test("a secret is found however deep it lies, and not repeated", () => {
    const body = { a: [{ b: { c: { d: [{ e: { f: { g: "sk-proj-abcdefghijklmnop" } } }] } } }] };
    const input = withCanaries({ ...LEAST.chat, body });
    expect(problemsOf(input)).toEqual([
      "gateways[0].monitors[0].body.a[0].b.c.d[0].e.f.g: looks like a secret itself",
    ]);
    expect(JSON.stringify(parseConfig(input))).not.toContain("sk-proj");
  });

  test("a picture in one is no secret", () => {
    const url = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk`;
    const messages = [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }];
    expect(faultsOf({ ...LEAST.chat, body: { messages } })).toEqual([]);
    expect(faultsOf({ ...LEAST.chat, body: { messages: url.replace("data:", "") } })).toHaveLength(1);
  });
});

describe("pointers and prices", () => {
  test.each<[Written, string]>([
    [{ pointers: { tex: "/x" } }, "pointers.tex: is no known setting; did you mean text?"],
    [
      { pointers: { balance: "/x" } },
      "pointers.balance: is no known setting; remove it; known here: text, end, inputTokens, outputTokens",
    ],
    [
      { pointers: { text: "data" } },
      "pointers.text: is no JSON pointer; write a JSON pointer like /data/0/id",
    ],
    [
      { pointers: { text: "/a~2" } },
      "pointers.text: is no JSON pointer; write a JSON pointer like /data/0/id",
    ],
    [
      { pointers: { end: "/done" } },
      "pointers.end: is of streams, and this is none; remove it, or write stream: true beside pointers",
    ],
    [{ pointers: [] }, 'pointers: is not an object; write an object like { text: "/data/x" }'],
    [{ prices: { input: 1 } }, "prices.currency: is missing; write 3 to 8 letters, like USD"],
    [
      { prices: { currency: "$", input: 1 } },
      "prices.currency: has the wrong form; write 3 to 8 letters, like USD",
    ],
    [{ prices: { currency: "USD" } }, "prices: has no price; name input, output or request"],
    [{ prices: { currency: "USD", inptu: 1 } }, "prices.inptu: is no known setting; did you mean input?"],
    [
      { prices: { currency: "USD", input: -1 } },
      "prices.input: is too small; write a number from 0 to 1000000, without quotes",
    ],
  ])("%j", (more, fault) => {
    expect(faultsOf({ ...LEAST.chat, ...more })).toEqual([fault]);
  });

  test("the end of a stream may be told of one that is streamed", () => {
    expect(faultsOf({ ...LEAST.chat, stream: true, pointers: { end: "/done" } })).toEqual([]);
  });
});

describe("one canary and others", () => {
  test("two of one kind and model need ids", () => {
    const input = withCanaries(LEAST.chat, { ...LEAST.chat, stream: true }, LEAST.http, LEAST.http);
    expect(allFaultsOf(input)).toEqual([
      "gateways[0].monitors[1].id: is the same as that of gateways[0].monitors[0] (its kind and model, unless you give one); give each an id of its own",
      "gateways[0].monitors[3].id: is the same as that of gateways[0].monitors[2] (its kind, unless you give one); give each an id of its own",
    ]);
  });

  test("an id that somebody wrote may be the usual one of another", () => {
    const parsed = parseConfig(withCanaries(LEAST.chat, { ...LEAST.http, id: "chat-gpt-4o-mini" }));
    expect(parsed.ok ? [] : parsed.faults.map(({ path }) => path)).toEqual(["gateways[0].monitors[1].id"]);
  });

  test("nobody carries on the usual id of a canary that is still there", () => {
    const input = withCanaries(LEAST.chat, { ...LEAST.http, formerly: "chat-gpt-4o-mini" });
    expect(problemsOf(input)).toEqual([
      "gateways[0].monitors[1].formerly: is the id of a monitor of this configuration",
    ]);
    const changed = { ...LEAST.chat, model: "gpt-4.1-mini", formerly: "chat-gpt-4o-mini" };
    expect(parseConfig(withCanaries(changed)).ok).toBe(true);
  });

  test("a canary's key is no channel's and no heartbeat's", () => {
    const canaries = withCanaries({ ...LEAST.console, apiKey: "LOGIN_TOKEN" });
    const input = {
      ...canaries,
      heartbeat: "LOGIN_TOKEN",
      alerts: [{ kind: "ntfy", url: "NTFY_URL", token: "LOGIN_TOKEN" }],
    };
    expect(problemsOf(input)).toEqual([
      "alerts[0].token: names the secret that holds a gateway's key",
      "heartbeat: names the secret that holds a gateway's key",
    ]);
  });
});
