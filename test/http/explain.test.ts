/** `POST /api/v1/explain`: the verdict on an answer that someone hands over. */
import { expect, test, vi } from "vitest";
import { ask, LIMIT, post, postJson } from "./explain-asking.ts";

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
