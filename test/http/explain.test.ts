/** `POST /api/v1/explain`: the verdict on an answer that someone hands over. No secret of it is shown, and its markup is text. */
import { describe, expect, test, vi } from "vitest";
import { ask, BROWSER, LIMIT, post, postForm, postJson } from "./explain-asking.ts";
import * as fc from "fast-check";
import { rounds } from "../extent.ts";
import { readHtml } from "./html.ts";

const LIMITED = {
  status: 429,
  headers: { "Retry-After": "31", "X-Request-ID": ["req_8f2c"] },
  body: '{"error":{"message":"Too many requests","code":"rate_limit_exceeded"}}',
  kind: "chat",
};

test("an answer with its status is judged as the monitor judges it, with a report that has no id", async () => {
  const answer = await postJson(LIMITED);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    diagnosis: {
      ok: false,
      cause: "rate_limited",
      owner: "nobody",
      health: "degraded",
      retry: { allowed: true, afterSeconds: 31, hint: null },
      httpStatus: 429,
      errorCode: "rate_limit_exceeded",
      requestId: "req_8f2c",
      message: "Too many requests",
    },
    report: { id: null, httpStatus: 429, requestId: "req_8f2c", timeZone: "UTC", endpoint: null },
    takenFor: { form: "answer", detail: null, kind: "chat", notes: [] },
  });
});

test("a text is taken as JSON and as it is, with what was asked beside it", async () => {
  const text = '{"code":5000,"message":"internal"}';
  const told = {
    diagnosis: { cause: "business_error", businessCode: 5000, httpStatus: null, retry: { allowed: false } },
    takenFor: { form: "json", kind: "chat", notes: ["status_unknown"] },
  };
  for (const [type, body, query] of [
    ["text/plain", text, "?kind=chat"],
    ["text/plain; charset=UTF-8", `\ufeff${text}`, "?kind=chat"],
    ['TEXT/PLAIN;charset="utf-8"', text, "?kind=chat"],
    ["application/json", JSON.stringify({ text }), "?kind=chat"],
    ["application/json", JSON.stringify({ text, kind: "chat" }), "?kind=task"],
    ["application/json", JSON.stringify({ text, kind: "chat" }), ""],
  ] as const) {
    const answer = await post(type, body, query);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject(told);
  }
});

test.each([
  ["?operator=us", {}, "us"],
  ["", { operator: "us" }, "us"],
  ["?operator=us", { operator: "them" }, "operator"],
  ["", {}, "operator"],
])("of a failure of the gateway, asked with %j and %j, it is %s who acts", async (query, more, turn) => {
  for (const asked of [{ status: 500, body: "{}" }, { text: "HTTP/1.1 500 Error\n\n{}" }]) {
    const answer = await post("application/json", JSON.stringify({ ...asked, ...more }), query);
    expect(await answer.json()).toMatchObject({ diagnosis: { owner: "operator", turn } });
  }
});

test("nobody keeps the answer, and any site may have it, without credentials", async () => {
  const { headers } = await postJson(LIMITED);
  const told = [
    headers.get("cache-control"),
    headers.get("access-control-allow-origin"),
    headers.get("etag"),
  ];
  expect(told).toEqual(["no-store", "*", null]);
  expect(headers.has("access-control-allow-credentials")).toBe(false);
});

test.each(["GET", "HEAD", "PUT", "DELETE", "PATCH", "QUERY"])("%s is no way to ask", async (method) => {
  const answer = await ask("/api/v1/explain", { method });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
});

const ALL_WRONG = '{"status":"x","headers":{"a":1,"b":null},"body":[],"kind":7,"operator":"me"}';

test.each([
  ["no JSON", "{", ["#"]],
  ["nothing", "", ["#"]],
  ["null", "null", ["#"]],
  ["a list", '[{"status":200}]', ["#"]],
  ["neither an answer nor a text", '{"error":{"message":"x"}}', ["#"]],
  ["both", '{"status":200,"text":"x"}', ["#"]],
  ["a blank text", '{"text":" \\n "}', ["#"]],
  ["a text that is none", '{"text":7}', ["#/text"]],
  ["no such kind", '{"text":"x","kind":"video"}', ["#/kind"]],
  ["everything wrong", ALL_WRONG, ["#/status", "#/headers", "#/body", "#/kind", "#/operator"]],
  ["a status out of range", '{"status":99}', ["#/status"]],
  ["half a status", '{"status":200.5}', ["#/status"]],
])("of %s every fault is told with its place", async (_, body, pointers) => {
  const answer = await post("application/json", body);
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
});

test("a text that is blank, or asks for no such kind, is refused too", async () => {
  expect((await post("text/plain", " \r\n\t")).status).toBe(400);
  const answer = await post("text/plain", "x", "?kind=video");
  expect(await answer.json()).toMatchObject({ status: 400, errors: [{ pointer: "#/kind" }] });
  expect((await post("text/plain", "x", "?operator=me")).status).toBe(400);
});

const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/html", ""];

test.each([...FORMS, "application/xml", "application/json, text/plain"])(
  "a body of the type “%s” is not read",
  async (type) => {
    const answer = await post(type, JSON.stringify(LIMITED));
    expect([answer.status, answer.headers.get("accept-post")]).toEqual([415, "application/json, text/plain"]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  },
);

test("262,144 bytes are read, and one more is not, however it comes", async () => {
  const most = "é".repeat(LIMIT / 2);
  expect((await post("text/plain", most)).status).toBe(200);
  const around = JSON.stringify({ text: "" }).length;
  const json = (size: number) => JSON.stringify({ text: "a".repeat(size - around) });
  expect((await post("application/json", json(LIMIT))).status).toBe(200);
  const headers = { "content-type": "text/plain" };
  const streamed = { method: "POST", headers, body: streamOf(`${most}x`), duplex: "half" } as const;
  for (const answer of [
    await post("text/plain", `${most}x`),
    await post("application/json", json(LIMIT + 1)),
    await ask("/api/v1/explain", streamed),
  ]) {
    expect(answer.status).toBe(413);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  }
});

/** Its length is not told beforehand. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 10_000) controller.enqueue(bytes.subarray(at, at + 10_000));
      controller.close();
    },
  });
}

test("nothing is logged of what was sent", async () => {
  const said = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
  await post("text/plain", "HTTP/1.1 500 broken");
  await post("application/json", "{");
  expect(said.flatMap(({ mock }) => mock.calls)).toEqual([]);
  vi.restoreAllMocks();
});

/** By their shapes, each with a part that nothing else has. */
const SECRETS = {
  "a bare key": "sk-Zk3vT9qLw8XbN2mR7cYd5HfJ1gPs6AeUZk3vT9qLw8XbN2m",
  "a user and a password": "https://reader:Zk3vT9qLw8XbN2mR7@gateway.example/v1",
} as const;
const PART = "Zk3vT9";

/** Whether a part of the secret is in a header or in the body. */
async function leaks(answer: Response): Promise<boolean> {
  const told = JSON.stringify([...answer.headers]) + (await answer.text());
  return told.includes(PART);
}

describe.each(Object.entries(SECRETS))("%s", (_, secret) => {
  const error = JSON.stringify({ error: { message: `Refused: ${secret}`, code: "invalid_api_key" } });
  const http = `HTTP/1.1 401 Unauthorized\nx-request-id: req_1\nwww-authenticate: Bearer ${secret}\n\n${error}`;
  const named = { authorization: `Bearer ${secret}`, "x-request-id": secret };
  const saved = { status: 401, headers: { ...named, "set-cookie": [`session=${secret}`] }, body: error };

  test.each([
    ["the body of an answer", saved],
    ["a text", { text: error }],
    ["a text with headers", { text: http }],
    ["words alone", { text: `Error: ${secret}` }],
    ["a kind", { ...saved, kind: secret }],
    ["the kind of a text", { text: "x", kind: secret }],
    ["a status", { status: secret }],
    ["the name of a header", { status: 401, headers: { [secret]: 7 } }],
    ["the name of a member", { [secret]: 1 }],
    ["a member too many", { ...saved, [secret]: secret }],
  ])("does not come back from the API, where it stood in %s", async (_where, body) => {
    expect(await leaks(await postJson(body))).toBe(false);
    expect(await leaks(await post("text/plain", JSON.stringify(body)))).toBe(false);
  });

  test("nor where what was sent is refused", async () => {
    for (const answer of [
      await post("application/json", `{"status":401,"body":"${secret}`),
      await post("text/plain", error, `?kind=${encodeURIComponent(secret)}`),
      await post(`text/${secret.replaceAll(/[^\w-]/gu, "")}`, error),
      await ask("/api/v1/explain", { method: "PUT", headers: { "x-key": secret }, body: secret }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await leaks(answer)).toBe(false);
    }
  });

  test("nor from the page, in either language", async () => {
    for (const query of ["", "?lang=zh"]) {
      const texts = [error, http, JSON.stringify(saved), `Error: ${secret}`];
      const asked = texts.map((text) => [{ text, kind: "chat" }, 200] as const);
      for (const [fields, status] of [...asked, [{ text: error, kind: secret }, 400] as const]) {
        const answer = await postForm(fields, query);
        expect(answer.status).toBe(status);
        expect(await leaks(answer)).toBe(false);
      }
    }
  });
});

const MARKUP = [
  "</textarea><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "<!--",
  "]]>",
  "</pre></main></html>",
  "&lt;b&gt;&amp;#60;",
  "`` ` ``` \n# A heading\n[a](javascript:alert(1))",
];

test("markup is text, wherever it stands", async () => {
  const plain = readHtml(await (await postForm({ text: savedWith("plain") })).text()).tags;
  for (const markup of MARKUP) {
    const html = await (await postForm({ text: savedWith(markup) })).text();
    expect(readHtml(html).tags).toEqual(plain);
    const alone = await (await postForm({ text: markup })).text();
    expect(alone).not.toMatch(/<script|<img|onerror=(?!alert)/u);
    expect(() => readHtml(alone)).not.toThrow();
  }
});

function savedWith(text: string): string {
  const error = { message: `It says ${text}`, type: text, code: text };
  const headers = { "x-request-id": "req_1" };
  return JSON.stringify({ status: 500, headers, body: JSON.stringify({ error }) });
}

const PAIRLESS = ["\ud800", "x\udc00\ud800y"];
const ODD = ["\0", "a\0b", "\u202e\u2066", "\ufeff", "\u0085\u2028", "\x1b[31mred", "\r\r\n", ...PAIRLESS];

test("bytes that are no UTF-8 are read as well as may be as text, and refused as JSON", async () => {
  const bytes = new Uint8Array([...Buffer.from('{"error":{"message":"'), 0xff, 0xc3, ...Buffer.from('("}}')]);
  expect((await post("text/plain", bytes)).status).toBe(200);
  expect((await post("application/json", bytes)).status).toBe(400);
  const form = new TextEncoder().encode("text=%ff%c3%28&kind=");
  const headers = { ...BROWSER, "content-type": "application/x-www-form-urlencoded" };
  expect((await ask("/explain", { method: "POST", headers, body: form })).status).toBe(200);
});

const OF_HTTP = ["HTTP/1.1 ", "200 ", "\r\n", "\n", "data: ", "{", "}", '"', ":", "a", "<", "&"];
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.json(),
  fc.constantFrom(...MARKUP, ...ODD),
  fc.string({ unit: fc.constantFrom(...OF_HTTP), maxLength: 60 }),
);

test("whatever is pasted has an answer as it is described, and a page that is whole", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const api = await post("text/plain", text);
      expect([200, 400]).toContain(api.status);
      const page = await postForm({ text });
      expect([200, 400]).toContain(page.status);
      const html = await page.text();
      expect(html).not.toMatch(/[^\P{Cc}\t\n]/u);
      readHtml(html);
    }),
    { numRuns: rounds(25, 200) },
  );
});

test("any answer is explained or refused", async () => {
  const saved = fc.record(
    {
      status: fc.oneof(fc.integer({ min: 90, max: 1000 }), fc.anything()),
      headers: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.anything()),
      body: fc.oneof(anyText, fc.anything()),
      kind: fc.anything(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(saved, async (body) => {
      const plain = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
      const text = JSON.stringify(body, plain);
      expect([200, 400]).toContain((await post("application/json", text)).status);
    }),
    { numRuns: rounds(25, 200) },
  );
});
