import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { nodeFetch } from "../../src/cli/node-io.ts";
import type { Fetch } from "../../src/probe/exchange.ts";
import type { Observation } from "../../src/protocol/observation.ts";
import { exchange, handClock } from "../probe/probing.ts";
import { serveHttp, serveTcp } from "../probe/small-server.ts";

async function observe(url: string, headers: Record<string, string> = {}): Promise<Observation> {
  return (await exchange(url, handClock(), nodeFetch, { headers })).observation;
}

/** Answers each connection with these bytes, and ends it. */
function saying(...parts: readonly (string | Buffer)[]): Promise<string> {
  return serveTcp((socket) => {
    socket.once("data", () => socket.end(Buffer.concat(parts.map((part) => Buffer.from(part)))));
  });
}

const LIST = '{"data":[]}';

test.each([
  ["an unasked 100 Continue", `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${LIST}`],
  ["lines that end with a line feed alone", `HTTP/1.1 200 OK\nContent-Length: 11\n\n${LIST}`],
  ["10,000 headers", `HTTP/1.1 200 OK\r\n${"x: 1\r\n".repeat(10_000)}Content-Length: 11\r\n\r\n${LIST}`],
  ["a header of 60 kB", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(60_000)}\r\nContent-Length: 11\r\n\r\n${LIST}`],
  ["a list of codings that were not applied", `HTTP/1.1 200 OK\r\nContent-Encoding: a, b\r\n\r\n${LIST}`],
])("%s is read, as curl and the Worker's runtime read it", async (_what, answer) => {
  expect(await observe(await saying(answer))).toMatchObject({ type: "answer", status: 200, body: LIST });
});

test("a body in gzip is decoded, and one whose end is missing is a connection that broke off", async () => {
  const whole = gzipSync(LIST);
  const answer = (bytes: Buffer): Promise<string> =>
    saying(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`, bytes);
  expect(await observe(await answer(whole))).toMatchObject({ type: "answer", body: LIST });
  for (const missing of [1, 8, whole.length - 12]) {
    const expected = { type: "network_failure", stage: "connect", status: 200 };
    expect(await observe(await answer(whole.subarray(0, -missing)))).toMatchObject(expected);
  }
});

test.each(["000", "099"])("the status %s is a broken answer", async (status) => {
  expect(await observe(await saying(`HTTP/1.1 ${status} X\r\n\r\n${LIST}`))).toEqual({
    type: "network_failure",
    kind: "models",
    status: null,
    headers: {},
    stage: "connect",
    detail: "the answer's status is below 100",
  });
});

test("a switch of protocols that nobody asked for is an answer with that status", async () => {
  const url = await saying(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  );
  expect(await observe(url)).toMatchObject({ type: "answer", status: 101, body: "" });
});

test("headers of the same name are joined, and no name is special", async () => {
  const url = await saying(
    "HTTP/1.1 200 OK\r\nRetry-After: 1\r\nretry-after: 2\r\n__proto__: x\r\nContent-Length: 0\r\n\r\n",
  );
  const seen = await observe(url);
  const expected = [
    ["retry-after", "1, 2"],
    ["__proto__", "x"],
    ["content-length", "0"],
  ];
  expect(seen.type === "answer" && Object.entries(seen.headers)).toEqual(expected);
});

test("what was asked for is sent, and nothing that names Node", async () => {
  const seen: unknown[] = [];
  const url = await serveHttp((request, response) => {
    seen.push(request.headers);
    response.end(LIST);
  });
  await observe(url, { authorization: "Bearer k", accept: "application/json", "user-agent": "gatepulse/0" });
  expect(seen).toEqual([
    {
      authorization: "Bearer k",
      accept: "application/json",
      "user-agent": "gatepulse/0",
      "accept-encoding": "gzip, br",
      connection: "close",
      host: url.slice("http://".length),
    },
  ]);
});

test("a port that browsers block is asked like any other", async () => {
  const expected = { stage: "connect", detail: "connect ECONNREFUSED 127.0.0.1:9" };
  expect(await observe("http://127.0.0.1:9/v1/models")).toMatchObject(expected);
});

test("the time limit ends a body that does not end", async () => {
  const url = await serveTcp((socket) => {
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"));
  });
  const clock = handClock();
  const limitPassesAfterHeaders: Fetch = async (...args) => {
    const response = await nodeFetch(...args);
    setImmediate(() => clock.passLimit());
    return response;
  };
  const observation = { type: "network_failure", stage: "timeout", status: 200 };
  expect(await exchange(url, clock, limitPassesAfterHeaders)).toMatchObject({ observation });
});
