import { once } from "node:events";
import { expect, test } from "vitest";
import type { Fetch } from "../../src/probe/exchange.ts";
import { type End, exchange, handClock, observationAt, type Piece, piecesAt } from "./probing.ts";
import { serveHttp, serveTcp, status } from "./small-server.ts";

test("an answer is seen with its status, its headers in lower case, and its text", async () => {
  const given = { "X-Request-ID": "req_1", "Retry-After": " 7 ", "content-type": "application/json" };
  const headers = { "x-request-id": "req_1", "content-type": "application/json" };
  const answer = { type: "answer", kind: "models", status: 503, body: '{"a":"é模"}', bodyEnd: "complete" };
  const observation = { ...answer, headers };
  const expected = { durationMs: 0, startedAtMs: 1_000_000, retryAfter: "7", observation };
  const clock = handClock();
  const url = await serveHttp(status(503, '{"a":"é模"}', given));
  expect(await exchange(url, clock)).toMatchObject(expected);
  // For headers and body together.
  expect(clock.limits).toEqual([30_000]);
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
  expect(await exchange(url, clock)).toMatchObject({ durationMs });
});

test("a header named __proto__ is a header", async () => {
  const url = await serveTcp((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n__proto__: x\r\ncontent-length: 2\r\n\r\n{}"));
  });
  const seen = await observationAt(url);
  expect(seen.type === "answer" && Object.hasOwn(seen.headers, "__proto__")).toBe(true);
});

const MAX_BODY_BYTES = 4 * 1024 * 1024;

test("a character cut by the borders of chunks is whole again", async () => {
  const url = await serveHttp((_request, response) => {
    const bytes = Buffer.from('"🙂"');
    let sent = 0;
    const next = (): void => {
      if (sent === bytes.length) response.end();
      else response.write(bytes.subarray(sent, ++sent), () => setImmediate(next));
    };
    next();
  });
  expect(await observationAt(url)).toMatchObject({ body: '"🙂"' });
});

test("a body of exactly the limit is complete; a byte more is over it, and the rest is not fetched", async () => {
  const serveBytes = async (bytes: number, gone: () => void = () => undefined): Promise<string> =>
    serveHttp((request, response) => {
      request.socket.once("close", gone);
      response.write(Buffer.alloc(bytes, "a"));
      if (bytes <= MAX_BODY_BYTES) response.end();
    });
  expect(await observationAt(await serveBytes(MAX_BODY_BYTES))).toMatchObject({ bodyEnd: "complete" });
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const over = await observationAt(await serveBytes(MAX_BODY_BYTES + 1, close));
  expect(over).toMatchObject({ type: "answer", status: 200, bodyEnd: "over_limit" });
  expect(over.type === "answer" && over.body.length).toBe(MAX_BODY_BYTES);
  await closed;
});

test("a body in too many pieces is over the limit, however small they are", async () => {
  let pieces = 0;
  let closed = false;
  const read = async () => {
    pieces += 1;
    return { done: false, value: new Uint8Array([0x20]) };
  };
  const body = { getReader: () => ({ read, cancel: async () => void (closed = true) }) };
  const drop: Fetch = async () => ({ status: 200, headers: new Headers(), body });
  const seen = await exchange("https://h.example", handClock(), drop);
  expect(seen).toMatchObject({ observation: { type: "answer", bodyEnd: "over_limit" } });
  expect([pieces, closed]).toEqual([65_536, true]);
});

const SSE = { "content-type": "text/event-stream" };
const STREAM = { kind: "stream", method: "POST", body: "{}", isStreamed: true } as const;
const PIECE: Piece = [200, "data: 模\n"];
const BEFORE: Piece = [500, "a"];

/** What is observed of pieces that come when they say so. */
async function observed(pieces: readonly Piece[], end: End = "closes") {
  const clock = handClock();
  return (await exchange("https://h.example/", clock, piecesAt(clock, pieces, end), STREAM)).observation;
}

test("the pieces of a stream are noted with the time since the request and the text so far", async () => {
  const [first, second] = [
    { afterMs: 200, length: 8 },
    { afterMs: 900, length: 9 },
  ] as const;
  const answer = { type: "answer", kind: "stream", status: 200, headers: SSE, bodyEnd: "complete" };
  const expected = { ...answer, body: "data: 模\n\n", arrivals: [first, second], endedMs: 900 };
  expect(await observed([PIECE, [900, "\n"]])).toEqual(expected);
});

test.each([
  ["breaks", "unknown"],
  ["falls silent", "timeout"],
] as const)("what came of a stream before it %s is kept", async (end, stage) => {
  const received = { body: "data: {}\n\n", arrivals: [{ afterMs: 300, length: 10 }] };
  const expected = { type: "network_failure", stage, status: 200, received };
  expect(await observed([[300, "data: {}\n\n"]], end)).toMatchObject(expected);
});

test("a clock that is set back takes no piece before the one that it follows", async () => {
  const expected = { arrivals: [{ afterMs: 500 }, { afterMs: 500 }, { afterMs: 700 }] };
  expect(await observed([BEFORE, [-4_000, "b"], [700, "c"]])).toMatchObject(expected);
});
