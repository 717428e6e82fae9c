import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { Fetch } from "../../src/probe/exchange.ts";
import { exchange, observationAt } from "./exchanging.ts";
import { handClock } from "./hand-clock.ts";
import { status } from "./serve-in-turn.ts";
import { refusingUrl, serveHttp, serveTcp } from "./small-server.ts";

test("an answer is seen with its status, its headers in lower case, and its text", async () => {
  const given = { "X-Request-ID": "req_1", "Retry-After": " 7 ", "content-type": "application/json" };
  const headers = { "x-request-id": "req_1", "content-type": "application/json" };
  const answer = { type: "answer", kind: "models", status: 503, body: '{"a":"é模"}', bodyEnd: "complete" };
  const observation = { ...answer, headers };
  const observed = { type: "observed", durationMs: 0, startedAtMs: 1_000_000, retryAfter: "7", observation };
  expect(await exchange(await serveHttp(status(503, '{"a":"é模"}', given)))).toMatchObject(observed);
});

test("one limit of 30 s is set for headers and body together", async () => {
  const clock = handClock();
  await exchange(await serveHttp(status(200)), clock);
  expect(clock.limits).toEqual([30_000]);
});

test.each([204, 304])("a %d has an empty body", async (code) => {
  const expected = { type: "answer", status: code, body: "", bodyEnd: "complete" };
  expect(await observationAt(await serveHttp(status(code, "")))).toMatchObject(expected);
});

test("a byte order mark and a wrong charset around JSON are dropped", async () => {
  const url = await serveHttp(status(200, "\ufeff{}", { "content-type": "application/json; charset=gbk" }));
  expect(await observationAt(url)).toMatchObject({ type: "answer", body: "{}" });
});

test("garbage under gzip is a broken connection with its status", async () => {
  const url = await serveHttp(status(200, "not gzip", { "content-encoding": "gzip" }));
  expect(await observationAt(url)).toMatchObject({ type: "network_failure", stage: "connect", status: 200 });
});

const FAILED = { type: "network_failure", stage: "connect" };

test("a refused connection and a name that does not resolve are seen as such", async () => {
  const detail = expect.stringContaining("ECONNREFUSED");
  const refused = { ...FAILED, status: null, headers: {}, detail };
  expect(await observationAt(await refusingUrl())).toMatchObject(refused);
  const unresolved = { stage: "dns", status: null };
  expect(await observationAt("http://gateway.invalid/v1/models")).toMatchObject(unresolved);
});

test.each([
  ["reset", (socket: Socket) => socket.resetAndDestroy()],
  ["closed", (socket: Socket) => socket.end()],
  ["answered with bytes that are no HTTP", (socket: Socket) => socket.end("garbage\r\n\r\n")],
])("a connection that is %s before headers is a failure without a status", async (_how, breakOff) => {
  const url = await serveTcp((socket) => void socket.once("data", () => breakOff(socket)));
  expect(await observationAt(url)).toMatchObject({ ...FAILED, status: null });
});

test.each([
  ["reset", "content-length: 100\r\n", true],
  ["closed", "content-length: 100\r\n", false],
  ["reset", "transfer-encoding: chunked\r\n", true],
  ["closed", "transfer-encoding: chunked\r\n", false],
])(
  "a connection that is %s after headers (%j) keeps the status and the headers",
  async (_how, framing, isReset) => {
    let answered: () => void = () => undefined;
    const url = await serveTcp((socket) => {
      socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nx-request-id: r1\r\n${framing}\r\n`));
      answered = () => (isReset ? socket.resetAndDestroy() : socket.end());
    });
    const breakOffAfterHeaders: Fetch = async (input, init) => {
      const response = await fetch(input, init);
      answered();
      return response;
    };
    const observation = { ...FAILED, status: 200, headers: { "x-request-id": "r1" } };
    expect(await exchange(url, handClock(), breakOffAfterHeaders)).toMatchObject({ observation });
  },
);

test("no answer within the limit is a timeout without a status", async () => {
  const clock = handClock();
  const url = await serveHttp(() => {
    clock.advance(30_000);
    clock.passLimit();
  });
  const observation = { type: "network_failure", stage: "timeout", status: null };
  expect(await exchange(url, clock)).toMatchObject({ durationMs: 30_000, observation });
});

test("headers and then silence is a timeout with the status, and the connection is given up", async () => {
  const clock = handClock();
  let closed: Promise<unknown> = Promise.resolve();
  const url = await serveHttp((request, response) => {
    closed = once(request.socket, "close");
    response.writeHead(200, { "x-request-id": "r1" });
    response.write('{"data"');
  });
  const limitPassesAfterHeaders: Fetch = async (input, init) => {
    const response = await fetch(input, init);
    setImmediate(() => clock.passLimit());
    return response;
  };
  const late = { type: "network_failure", stage: "timeout", status: 200 };
  const observation = { ...late, headers: { "x-request-id": "r1" } };
  expect(await exchange(url, clock, limitPassesAfterHeaders)).toMatchObject({ observation });
  await closed;
});

test.each([
  [-3_600_000, 0],
  [3_600_000, 30_000],
])("a clock that jumps by %d ms makes no duration that could not be", async (jumpMs, durationMs) => {
  const clock = handClock();
  const url = await serveHttp((_request, response) => {
    clock.advance(jumpMs);
    response.end("{}");
  });
  expect(await exchange(url, clock)).toMatchObject({ type: "observed", durationMs });
});

test("a header named __proto__ is a header", async () => {
  const url = await serveTcp((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n__proto__: x\r\ncontent-length: 2\r\n\r\n{}"));
  });
  const seen = await observationAt(url);
  expect(seen.type === "answer" && Object.hasOwn(seen.headers, "__proto__")).toBe(true);
});
