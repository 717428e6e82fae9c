import { expect, test } from "vitest";
import { serveInTurn, status } from "../../probe/small-server.ts";
import { client, failureOf, readAll } from "./asking.ts";

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

test("the kind that is told decides, by client, by function or by request", async () => {
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
  ["POST", "/api/paas/v4/async/chat/completions"],
  ["GET", "/v1beta/models"],
  ["GET", "/v1/videos"],
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
  ["POST", "/v1/chat/completions", '{"choices":[{"message":{"content":"a"}}]}'],
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
  ["a long answer", "/v1/embeddings", "application/json", '{"data":['],
  ["a body that is passed on", "/v1/audio/speech", "audio/mpeg", "AAAAAA"],
])("the break of %s is told to its reader", async (_what, path, type, text) => {
  const piece = new TextEncoder().encode(text);
  const body = new ReadableStream(
    {
      start: (controller) => controller.enqueue(piece),
      pull: (controller) => controller.error(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
    },
    { highWaterMark: 0 },
  );
  const response = await answered(path, body, typed(type), { maxBodyBytes: 5 }, "POST");
  const expected = { status: 200, mayHaveBeenAccepted: true, diagnosis: { cause: "connection_failed" } };
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
