import { inspect } from "node:util";
import { expect, test } from "vitest";
import { serveInTurn, status } from "../../probe/small-server.ts";
import { client, failureOf, gatewayOfFile, HEADERS, KEY, readAll, until } from "./asking.ts";

const { simulator, models, seen } = await gatewayOfFile();

test.each([["any_key"], ["models_no_type"], ["gzip"], ["bom"]])("%s is handed over", async (scenario) => {
  const response = await client().fetch(models(scenario), { headers: HEADERS });
  const list: unknown = JSON.parse((await response.text()).replace("\uFEFF", ""));
  expect(list).toMatchObject({ data: [{ id: "sim-chat-small" }, {}, {}, {}, {}, {}] });
  expect(response).toMatchObject({ status: 200, url: models(scenario), type: "basic", redirected: false });
});

test("a redirect is not followed, whatever is asked for, and no key reaches the other host", async () => {
  const { fetch } = client();
  const error = await failureOf(fetch(models("redirect_307"), { headers: HEADERS, redirect: "follow" }));
  expect(error).toMatchObject({ requests: 1, diagnosis: { cause: "wrong_url" } });
  expect(seen()).toEqual(["GET /redirect_307/v1/models"]);
});

test("a redirect of which a browser tells nothing is a wrong address", async () => {
  const opaque = Object.defineProperties(new Response(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
    ok: { value: false },
  });
  const { fetch } = client({ fetch: () => Promise.resolve(opaque) });
  const expected = { status: null, diagnosis: { cause: "wrong_url" } };
  expect(await failureOf(fetch("https://h.example/v1/models"))).toMatchObject(expected);
});

test("an answer that never comes is a timeout", async () => {
  const { fetch, clock } = client({ timeoutMs: 30_000 });
  const init = { headers: HEADERS, gatepulse: { timeoutMs: 20_000 } };
  const failing = failureOf(fetch(models("no_answer"), init));
  await until(() => simulator.requests.length === 1);
  clock.endLimits();
  expect(await failing).toMatchObject({ status: null, requests: 1, diagnosis: { cause: "timeout" } });
  expect(clock.limits).toEqual([20_000]);
});

test("a body that falls silent is a timeout of an answer whose status is known", async () => {
  const headed = Promise.withResolvers<void>();
  const { fetch, clock } = client({
    fetch: (input, init) => globalThis.fetch(input, init).finally(headed.resolve),
  });
  const failing = failureOf(fetch(models("silence_in_body"), { headers: HEADERS }));
  await headed.promise;
  // A macrotask later the headers were read.
  await new Promise(setImmediate);
  clock.endLimits();
  expect(await failing).toMatchObject({ status: 200, requests: 1, diagnosis: { cause: "timeout" } });
  expect(clock.limits).toEqual([600_000]);
});

test("a status that is no success is given back as it came where that is asked for", async () => {
  const { fetch } = client({ throwHttpErrors: false });
  const response = await fetch(models("unauthorized_invalid"), { headers: HEADERS });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: { code: "invalid_api_key" } });
});

test("a good status with an error is thrown all the same", async () => {
  const { fetch } = client({ throwHttpErrors: false });
  const expected = { status: 200 };
  expect(await failureOf(fetch(models("envelope_5000"), { headers: HEADERS }))).toMatchObject(expected);
});

test.each<[string, Record<string, string>, (readonly string[])?]>([
  ["/v1/models", { authorization: `Bearer ${KEY}` }],
  ["/v1/models", { authorization: KEY }],
  ["/v1/models", { authorization: `Basic ${btoa(`user:${KEY}`)}` }],
  ["/v1/models", { "X-Api-Key": KEY }],
  ["/v1/models", { "cf-aig-authorization": `Bearer ${KEY}` }],
  ["/v1/models", { "x-portkey-api-key": KEY }],
  ["/v1/models", { "Helicone-Auth": `Bearer ${KEY}` }],
  ["/v1/models", { "Ocp-Apim-Subscription-Key": KEY }],
  ["/v1/models", { "X-Auth-Token": KEY }],
  ["/v1/models", { cookie: `lang=en; session=${KEY}` }],
  [`/v1/models?key=${KEY}`, {}],
  [`/v1/models?subscription-key=${KEY}`, {}],
  [`/v1/models?accessToken=${KEY}`, {}],
  [`/v1/models?sig=${KEY}`, {}],
  ["/v1/models", {}, [KEY]],
])("%s with %j is answered with the secret, and no error shows it", async (path, headers, secrets) => {
  const body = JSON.stringify({ error: { message: `no: ${KEY}, ${btoa(KEY)}` } });
  const answer = () => Promise.resolve(new Response(body, { status: 403, headers: { "x-seen": KEY } }));
  const events: unknown[] = [];
  const { fetch } = client({ fetch: answer, secrets, onAttempt: (event) => events.push(event) });
  const error = await failureOf(fetch(`https://h.example${path}`, { headers }));
  const shown = inspect([error, events, error.toJSON()], { depth: 9, showHidden: true });
  expect(shown).not.toContain(KEY);
  expect(shown).not.toContain(btoa(KEY));
});

test("an error has the headers of the answer, without its cookies", async () => {
  const answer = { status: 500, headers: { "x-region": "weur", "set-cookie": "session=1; HttpOnly" } };
  const { fetch } = client({ fetch: () => Promise.resolve(new Response(null, answer)) });
  const error = await failureOf(fetch("https://h.example/v1/models", { headers: HEADERS }));
  expect(error.headers).toEqual({ "x-region": "weur" });
});

test("an idempotency key that comes back as the request id is no secret", async () => {
  const headers = { ...HEADERS, "Idempotency-Key": "order-7788-attempt-1" };
  const answer = { status: 500, headers: { "x-request-id": "order-7788-attempt-1" } };
  const { fetch } = client({ fetch: () => Promise.resolve(new Response("{}", answer)) });
  const error = await failureOf(fetch("https://h.example/v1/models", { headers }));
  expect(error.diagnosis.requestId).toBe("order-7788-attempt-1");
});

test("what the runtime says of a failure is its cause, without the key", async () => {
  const fetch = () => Promise.reject(new TypeError(`cannot send ${KEY}`));
  const error = await failureOf(client({ fetch }).fetch("https://h.example/v1/models", { headers: HEADERS }));
  expect(error.cause).toMatchObject({ message: "TypeError: cannot send [redacted]" });
  expect(error.diagnosis).toMatchObject({ cause: "network_error", message: "cannot send [redacted]" });
});

test("a header that cannot be sent is refused without its value", async () => {
  const headers = { authorization: `Bearer ${KEY}\n${KEY}` };
  await expect(client().fetch("https://h.example/", { headers })).rejects.toThrow(
    "a header has a name or a value that cannot be sent",
  );
});

test("a secret that is not set is told before anything is sent", () => {
  const secrets = [process.env["NO_SUCH_KEY_IS_SET"]] as unknown as string[];
  expect(() => client({ secrets })).toThrow("secrets must be strings, but one of them is undefined");
});

test.each([{ maxAttempts: 0 }, { maxWaitMs: -1 }, { maxConcurrent: Number.NaN }])(
  "%j is refused",
  (options) => {
    expect(() => client(options)).toThrow(TypeError);
  },
);

// Bodies.

/** An answer to a GET of a path. */
function answered(
  path: string,
  body: string | ReadableStream,
  init: ResponseInit,
  options = {},
  method = "GET",
) {
  const fetch = () => Promise.resolve(new Response(body, init));
  return client({ fetch, ...options }).fetch(`https://h.example${path}`, { method });
}

const typed = (type: string): ResponseInit => ({ headers: { "content-type": type } });

test.each(["audio/mpeg", "image/png", "application/octet-stream", "application/x-ndjson"])(
  "%s is passed on unread",
  async (type) => {
    let asked = 0;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          asked += 1;
          controller.enqueue(new Uint8Array([asked]));
          if (asked === 3) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const response = await answered("/v1/audio/speech", body, typed(type), {}, "POST");
    expect(asked).toBe(0);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
  },
);

test.each([
  ["a list", "[1,2]", "application/json"],
  ["words", "a transcript", "text/plain"],
  ["nothing", "", "application/json"],
  ["lines of JSON", '{"a":1}\n{"a":2}\n', "text/plain"],
  ["an object of any shape", '{"id":"file-1","deleted":true}', "application/json"],
])("on a path that nobody knows %s is no failure", async (_name, body, type) => {
  const response = await answered("/v1/files/1", body, typed(type));
  expect(await response.text()).toBe(body);
});

test.each([
  ["a code", '{"code":5000,"message":"internal"}', "application/json", "business_error"],
  ["an error", '{"error":{"message":"broke"}}', "application/json", "api_error"],
  ["a page", "<!doctype html><html><title>Welcome</title></html>", "text/html", "wrong_url"],
])("on a path that nobody knows %s is a failure", async (_name, body, type, cause) => {
  expect(await failureOf(answered("/v1/files/1", body, typed(type)))).toMatchObject({ diagnosis: { cause } });
});

test.each([
  [
    "a batch",
    '{"id":"b1","object":"batch","status":"failed","errors":{"object":"list","data":[{"code":"x"}]}}',
  ],
  [
    "a run",
    '{"id":"r1","object":"thread.run","status":"failed","last_error":{"code":"rate_limit_exceeded"}}',
  ],
  ["a file that is broken", '{"id":"f1","object":"file","status":"error","status_details":"no JSON"}'],
  ["a job", '{"id":"j1","object":"fine_tuning.job","error":{"code":null,"param":null,"message":null}}'],
])("%s is a record that was asked for, and no failure", async (_name, body) => {
  expect(await (await answered("/v1/things/1", body, {})).text()).toBe(body);
});

test.each([
  ["an error", '{"id":"j1","object":"fine_tuning.job","error":{"code":"x","message":"broke"}}'],
  ["a code", '{"id":"j1","object":"job","code":5000,"message":"internal"}'],
  ["no success", '{"id":"j1","object":"job","success":false,"message":"internal"}'],
])("a record with %s is a failure", async (_name, body) => {
  expect(await failureOf(answered("/v1/things/1", body, {}))).toMatchObject({ status: 200 });
});

test("the kind that you give decides, by client, by function or by request", async () => {
  const body = '{"id":"file-1"}';
  const unexpected = { diagnosis: { cause: "unexpected_response" } };
  expect(await failureOf(answered("/x", body, {}, { kind: "models" }))).toMatchObject(unexpected);
  expect(await failureOf(answered("/x", body, {}, { kind: () => "chat" }))).toMatchObject(unexpected);
  const { fetch } = client({ fetch: () => Promise.resolve(new Response(body)) });
  const asked = fetch("https://h.example/x", { gatepulse: { kind: "embeddings" } });
  expect(await failureOf(asked)).toMatchObject(unexpected);
  expect((await answered("/v1/models", body, {}, { kind: null })).status).toBe(200);
});

test.each([
  ["POST", "/v1/chat/completions"],
  ["POST", "/v1/messages"],
  ["POST", "/v1/responses"],
  ["POST", "/v1beta/models/gemini-2.5-flash:generateContent"],
  ["POST", "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"],
  ["POST", "/v1/embeddings"],
  ["POST", "/v1/images/generations"],
  ["POST", "/v1/videos"],
  ["GET", "/v1/videos/video_1"],
  ["GET", "/v1/models"],
])("%s %s is known to bring more than an empty object", async (method, path) => {
  const expected = { diagnosis: { cause: "unexpected_response" } };
  expect(await failureOf(answered(path, "{}", {}, {}, method))).toMatchObject(expected);
});

test.each([
  ["POST", "/v1/threads/t1/messages"],
  ["POST", "/async/chat/completions"],
  ["GET", "/v1beta/models"],
  ["GET", "/v1/videos"],
  ["GET", "/v1/responses/resp_1"],
  ["DELETE", "/v1/videos/video_1"],
  ["GET", "/v1/chat/completions"],
])("of %s %s nothing is known", async (method, path) => {
  expect((await answered(path, "{}", {}, {}, method)).status).toBe(200);
});

test("a task that failed is a failure, and one on its way is none", async () => {
  const pending = '{"id":"v1","status":"queued"}';
  expect(await (await answered("/v1/videos/v1", pending, {})).text()).toBe(pending);
  const failed = '{"id":"v1","status":"FAILED","error":{"message":"blocked"}}';
  const expected = { diagnosis: { cause: "task_failed", taskId: "v1", taskState: "FAILED" } };
  expect(await failureOf(answered("/v1/videos/v1", failed, {}))).toMatchObject(expected);
});

test("HEAD is judged by its status alone", async () => {
  const server = await serveInTurn(status(200, ""), status(404, ""));
  const { fetch } = client();
  expect((await fetch(`${server.url}/v1/models`, { method: "HEAD" })).status).toBe(200);
  const expected = { status: 404 };
  expect(await failureOf(fetch(`${server.url}/v1/models`, { method: "HEAD" }))).toMatchObject(expected);
});

test("a body is read up to the limit, and no further", async () => {
  const list = `{"data":[${'"a",'.repeat(20)}"a"]}`;
  expect((await answered("/v1/models", list, {}, { maxBodyBytes: list.length })).status).toBe(200);
  const over = answered("/v1/models", list, {}, { maxBodyBytes: list.length - 1 });
  expect(await failureOf(over)).toMatchObject({ status: 200, diagnosis: { cause: "unexpected_response" } });
});

test.each([
  ["POST", "/v1/embeddings", '{"data":[{"embedding":[0.25]}]}'],
  ["POST", "/v1/images/generations", '{"data":[{"b64_json":"iVBORw0KGgo="}]}'],
  ["GET", "/v1/files/1/content", '{"any":"thing"}'],
])("%s %s is handed over whole, however long it is", async (method, path, body) => {
  const options = { maxBodyBytes: 10, maxConcurrent: 1 };
  expect(await (await answered(path, body, typed("application/json"), options, method)).text()).toBe(body);
});

test("a page is a page, however long it is", async () => {
  const page = `<!doctype html><html><title>Welcome</title>${" ".repeat(100)}</html>`;
  const over = answered("/v1/embeddings", page, typed("text/html"), { maxBodyBytes: 60 }, "POST");
  expect(await failureOf(over)).toMatchObject({ status: 200 });
});

test.each([
  ["a long answer", "/v1/embeddings", "application/json", '{"data":[', "ECONNRESET", "connection_failed"],
  ["a body that is passed on", "/v1/audio/speech", "audio/mpeg", "AAAAAA", "EPROTO", "tls_failure"],
])("the reader of %s sees that it broke off", async (_what, path, type, text, code, cause) => {
  const piece = new TextEncoder().encode(text);
  const body = new ReadableStream(
    {
      start: (controller) => controller.enqueue(piece),
      pull: (controller) => controller.error(Object.assign(new Error("reset"), { code })),
    },
    { highWaterMark: 0 },
  );
  const response = await answered(path, body, typed(type), { maxBodyBytes: 5 }, "POST");
  const expected = { status: 200, mayHaveBeenAccepted: true, diagnosis: { cause } };
  expect((await readAll(response)).error).toMatchObject(expected);
});

test("an answer that was read can be read once more, cloned, and no third time", async () => {
  const response = await answered("/v1/models", '{"data":[]}', {});
  const copy = response.clone();
  expect(await response.json()).toEqual({ data: [] });
  expect(await copy.json()).toEqual({ data: [] });
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toThrow(TypeError);
});
