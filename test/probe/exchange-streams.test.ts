import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";
import { type ExchangeRequest, type Fetch, MAX_STREAM_BYTES, runExchange } from "../../src/probe/exchange.ts";
import { Permits } from "../../src/probe/permits.ts";
import { type HandClock, handClock } from "./hand-clock.ts";
import { serveHttp } from "./small-server.ts";

const STREAM = { kind: "stream", method: "POST", headers: {}, body: "{}", isStreamed: true } as const;

async function stream(
  url: string,
  over: Partial<ExchangeRequest> = {},
  clock = handClock(),
  send: Fetch = fetch,
) {
  const seen = await runExchange(
    { ...STREAM, url, ...over },
    { fetch: send, clock, readFailure: readThrown },
  );
  if (seen.type !== "observed") throw new Error(seen.type);
  return seen;
}

/** A body whose pieces come when the clock says so; then it ends, breaks, or stays open. */
function piecesAt(
  clock: HandClock,
  pieces: readonly (readonly [number, string])[],
  end: "closes" | "breaks",
): Fetch {
  const [...left] = pieces;
  let nowMs = 0;
  const read = async () => {
    const next = left.shift();
    if (next === undefined && end === "breaks") throw new TypeError("terminated");
    if (next === undefined) return { done: true };
    clock.advance(next[0] - nowMs);
    [nowMs] = next;
    return { done: false, value: new TextEncoder().encode(next[1]) };
  };
  return async () => ({
    status: 200,
    headers: new Headers({ "content-type": "text/event-stream" }),
    body: { getReader: () => ({ read, cancel: async () => undefined }) },
    arrayBuffer: async () => new ArrayBuffer(0),
  });
}

test("a body is posted as it is", async () => {
  const seen: string[] = [];
  const url = await serveHttp((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => seen.push(`${request.method} ${text}`));
    request.on("end", () => response.end("{}"));
  });
  await stream(url, { kind: "chat", body: '{"model":"模"}', isStreamed: false });
  expect(seen).toEqual(['POST {"model":"模"}']);
});

test("a redirect of a posted body is seen and not followed", async () => {
  const reached: string[] = [];
  const url = await serveHttp((request, response) => {
    reached.push(request.url ?? "");
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect((await stream(`${url}/v1/videos`)).observation).toMatchObject({ type: "answer", status: 307 });
  expect(reached).toEqual(["/v1/videos"]);
});

test("a request has a time limit of its own, and takes no longer by its own figure", async () => {
  const clock = handClock();
  const url = await serveHttp((_request, response) => {
    clock.advance(999_000);
    response.end("{}");
  });
  expect(await stream(url, { timeoutMs: 120_000 }, clock)).toMatchObject({ durationMs: 120_000 });
  expect(clock.limits).toEqual([120_000]);
});

test("the pieces of a stream are noted with the time since the request and the text so far", async () => {
  const clock = handClock();
  const send = piecesAt(
    clock,
    [
      [200, "data: 模\n"],
      [900, "\n"],
    ],
    "closes",
  );
  expect((await stream("https://h.example/", {}, clock, send)).observation).toEqual({
    type: "answer",
    kind: "stream",
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: "data: 模\n\n",
    bodyEnd: "complete",
    arrivals: [
      { afterMs: 200, length: 8 },
      { afterMs: 900, length: 9 },
    ],
  });
});

test("what came of a stream before it broke is kept", async () => {
  const clock = handClock();
  const send = piecesAt(clock, [[300, "data: {}\n\n"]], "breaks");
  expect((await stream("https://h.example/", {}, clock, send)).observation).toMatchObject({
    type: "network_failure",
    status: 200,
    received: { body: "data: {}\n\n", arrivals: [{ afterMs: 300, length: 10 }] },
  });
});

test("so is what came before it fell silent", async () => {
  const clock = handClock();
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: [DONE]\n\n");
  });
  const limitPassesAfterFirstPiece: Fetch = async (input, init) => {
    const { status, headers, body } = await fetch(input, { ...init, body: init.body ?? null });
    const reader = body!.getReader();
    const read = async () => {
      const piece = await reader.read();
      setImmediate(() => clock.passLimit());
      return piece;
    };
    const bounded = { getReader: () => ({ read, cancel: () => reader.cancel() }) };
    return { status, headers, body: bounded, arrayBuffer: async () => new ArrayBuffer(0) };
  };
  expect((await stream(url, {}, clock, limitPassesAfterFirstPiece)).observation).toMatchObject({
    type: "network_failure",
    stage: "timeout",
    received: { body: "data: [DONE]\n\n", arrivals: [{ afterMs: 0, length: 14 }] },
  });
});

test("a clock that is set back takes no piece before the one that it follows", async () => {
  const clock = handClock();
  const send = piecesAt(
    clock,
    [
      [500, "a"],
      [-4_000, "b"],
      [700, "c"],
    ],
    "closes",
  );
  const expected = { arrivals: [{ afterMs: 500 }, { afterMs: 500 }, { afterMs: 700 }] };
  expect((await stream("https://h.example/", {}, clock, send)).observation).toMatchObject(expected);
});

test("a stream is read up to 2 MiB", async () => {
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("x".repeat(MAX_STREAM_BYTES + 1));
  });
  const { observation } = await stream(url);
  expect(observation).toMatchObject({ type: "answer", bodyEnd: "over_limit" });
  expect(observation.type === "answer" && observation.body.length).toBe(2_097_152);
});

test("a large stream waits for no turn of the large bodies", async () => {
  const taken = new Permits(1);
  await taken.take();
  const url = await serveHttp((_request, response) => void response.end("x".repeat(1_500_000)));
  const seen = await runExchange(
    { ...STREAM, url },
    { fetch, clock: handClock(), readFailure: readThrown, largeBodies: taken },
  );
  expect(seen).toMatchObject({ type: "observed", observation: { bodyEnd: "complete" } });
});

test("what the platform refuses after the headers came was sent", async () => {
  const clock = handClock();
  const seen = await runExchange(
    { ...STREAM, url: "https://h.example/" },
    { fetch: piecesAt(clock, [], "breaks"), clock, readFailure: () => ({ type: "subrequest_limit" }) },
  );
  expect(seen).toEqual({ type: "not_read", startedAtMs: 1_000_000, durationMs: 0 });
});
