import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/library/fetch/index.ts";
import { SCENARIOS } from "../../../src/simulator/catalog.ts";
import { TEXT_ROUTES } from "../../../src/simulator/api.ts";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { serveHttp } from "../../probe/small-server.ts";
import {
  client,
  HEADERS,
  post,
  readAll,
  STREAMED_CHAT,
  STREAMED_MESSAGE,
  TEXT_PATHS,
  until,
} from "./asking.ts";

const EVENTS = { "content-type": "text/event-stream" };

const word = (text: string) => `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;

/** A server that writes what the test says, when it says so. */
async function handServer(headers: Record<string, string> = EVENTS) {
  const opened = Promise.withResolvers<ServerResponse>();
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, headers).flushHeaders();
    opened.resolve(response);
  });
  return { url: `${url}/v1/chat/completions`, opened: opened.promise };
}

test("each piece is handed over when it comes", async () => {
  const { url, opened } = await handServer();
  const reader = (await client().fetch(url, post(STREAMED_CHAT))).body!.getReader();
  const response = await opened;
  for (const text of ["a", "b"]) {
    response.write(word(text));
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(word(text));
  }
  response.end("data: [DONE]\n\n");
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: [DONE]\n\n");
  expect((await reader.read()).done).toBe(true);
});

test("an error after words of another event in one piece is told after the piece", async () => {
  const { url, opened } = await handServer();
  const reader = (await client().fetch(url, post(STREAMED_CHAT))).body!.getReader();
  const response = await opened;
  const piece = `${word("a")}data: {"error":{"message":"no more","code":"upstream"}}\n\n`;
  response.write(piece);
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(piece);
  const expected = { diagnosis: { cause: "stream_error", message: "no more" }, mayHaveBeenAccepted: true };
  await expect(reader.read()).rejects.toMatchObject(expected);
  await until(() => response.destroyed);
});

test("what has its end mark is whole, whatever becomes of the connection", async () => {
  const { url, opened } = await handServer();
  const reader = (await client().fetch(url, post(STREAMED_CHAT))).body!.getReader();
  const response = await opened;
  response.write(`${word("a")}data: [DONE]\n\n`);
  await reader.read();
  response.socket?.resetAndDestroy();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

test("a reader that cancels ends the connection", async () => {
  const { url, opened } = await handServer();
  const stream = await client().fetch(url, post(STREAMED_CHAT));
  const response = await opened;
  await stream.body?.cancel();
  await until(() => response.destroyed);
});

test("a signal that aborts in the stream ends it with its own reason", async () => {
  const { url, opened } = await handServer();
  const control = new AbortController();
  const stream = await client().fetch(url, post(STREAMED_CHAT, { signal: control.signal }));
  const reader = stream.body!.getReader();
  const response = await opened;
  response.write(word("a"));
  await reader.read();
  const reason = new Error("enough");
  control.abort(reason);
  await expect(reader.read()).rejects.toBe(reason);
  await until(() => response.destroyed);
});

/** So many bytes, made when they are asked for. */
function source(total: number, piece: Uint8Array<ArrayBuffer>) {
  const state = { made: 0 };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => {
        if (state.made >= total) return controller.close();
        state.made += piece.byteLength;
        controller.enqueue(piece.slice());
      },
    },
    { highWaterMark: 0 },
  );
  return { state, body };
}

test("nothing is read ahead of the reader", async () => {
  const { state, body } = source(1e9, new TextEncoder().encode(word("a")));
  const { fetch } = client({ fetch: () => Promise.resolve(new Response(body, { headers: EVENTS })) });
  const reader = (await fetch("https://h.example/v1/chat/completions", { method: "POST" })).body!.getReader();
  expect(state.made).toBe(0);
  await reader.read();
  await reader.read();
  expect(state.made).toBe(2 * word("a").length);
  await reader.cancel();
});

test("on a path that nobody knows an end without a mark is an end, and an error is one", async () => {
  const bodies = [word("a"), 'event: error\ndata: {"error":{"message":"broke"}}\n\n'];
  const fetch = () => Promise.resolve(new Response(bodies.shift(), { headers: EVENTS }));
  const { fetch: ask } = client({ fetch });
  const whole = await readAll(await ask("https://h.example/v1/other", { method: "POST" }));
  expect(whole).toEqual({ text: word("a"), error: null });
  const broken = await readAll(await ask("https://h.example/v1/other", { method: "POST" }));
  expect(broken.error).toMatchObject({ diagnosis: { cause: "stream_error", message: "broke" } });
});

test("a stream that does not say that it is one is passed on as it comes", async () => {
  const { url, opened } = await handServer({ "content-type": "text/plain" });
  const asked = client().fetch(url, post(STREAMED_CHAT));
  const response = await opened;
  response.write(word("a"));
  const reader = (await asked).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(word("a"));
  response.end();
  await expect(reader.read()).rejects.toMatchObject({ diagnosis: { cause: "stream_dropped" } });
});

test("the answer to a stream is as it was sent", async () => {
  const { url, opened } = await handServer({ ...EVENTS, "x-request-id": "req_1" });
  const response = await client().fetch(url, post(STREAMED_CHAT));
  (await opened).end(`${word("a")}data: [DONE]\n\n`);
  const copy = response.clone();
  expect([response, copy]).toMatchObject([
    { url, status: 200, ok: true, type: "basic", bodyUsed: false },
    { url, status: 200, ok: true, type: "basic", bodyUsed: false },
  ]);
  expect(response.headers.get("x-request-id")).toBe("req_1");
  expect(await copy.text()).toBe(await response.text());
});

// Every stream of the simulated gateway, judged by what the scenarios say of themselves.

const simulator = await simulatorOfFile();
/** No failures for a reader: a stream that says nothing, and an answer that is no stream. */
const READABLE = new Set([
  "stream_empty",
  "stream_as_json",
  "stream_done_without_empty_line",
  "stream_stop_without_done",
]);

const STREAMS = SCENARIOS.filter(({ kind, expect: { hangs }, name }) => {
  const isEndless = name === "stream_trickle" || name === "stream_endless" || name.includes("open_after");
  return kind === "stream" && !hangs && !isEndless;
});
const ROUNDS = STREAMS.flatMap(({ name, expect: { cause } }) =>
  TEXT_ROUTES.map((route) => {
    // A chat that finished is whole without its mark; the other protocols have one mark alone.
    const isRead = READABLE.has(name) && (route === "chat" || name !== "stream_stop_without_done");
    return { name, route, cause: isRead ? "ok" : cause };
  }),
);

test.each(ROUNDS)("$name: $route", async ({ name, route, cause: wanted }) => {
  const url = simulator.baseUrl(name) + TEXT_PATHS[route];
  const { fetch } = client();
  const { error } = await readAll(await fetch(url, post(STREAMED_MESSAGE)));
  const cause = error instanceof GatewayError ? error.diagnosis.cause : error === null ? "ok" : "odd";
  expect(cause).toBe(wanted);
});

test.each(["chat", "messages", "responses"] as const)(
  "%s: the connection stays open for as long as the gateway likes, and its place is free at the end mark",
  async (route) => {
    const url = simulator.baseUrl("stream_open_after_done") + TEXT_PATHS[route];
    const { fetch } = client({ maxConcurrent: 1 });
    const stream = await fetch(url, post(STREAMED_MESSAGE));
    const reader = stream.body!.getReader();
    let text = "";
    while (!/(?:\[DONE\]|"message_stop"\}|"response\.completed".*)\n\n/.test(text)) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    const next = await fetch(`${simulator.baseUrl("any_key")}/v1/models`, { headers: HEADERS });
    expect(next.status).toBe(200);
    await reader.cancel();
  },
);
