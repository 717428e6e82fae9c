import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";
import { type ExchangeRequest, type Fetch, runExchange } from "../../src/probe/exchange.ts";
import { type HandClock, handClock } from "./hand-clock.ts";
import { status } from "./serve-in-turn.ts";
import { serveHttp } from "./small-server.ts";

const STREAM = { kind: "stream", method: "POST", headers: {}, body: "{}", isStreamed: true } as const;
const SSE = { "content-type": "text/event-stream" };
/** When it comes, and what. */
type Piece = readonly [number, string];
const PIECE: Piece = [200, "data: 模\n"];
const BEFORE: Piece = [500, "a"];

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

/** What is observed of pieces that come when they say so. */
async function observed(pieces: readonly Piece[], end: "closes" | "breaks" = "closes") {
  const clock = handClock();
  return (await stream("https://h.example/", {}, clock, piecesAt(clock, pieces, end))).observation;
}

/** A body whose pieces come when the clock says so; then it ends, breaks, or stays open. */
function piecesAt(clock: HandClock, pieces: readonly Piece[], end: "closes" | "breaks"): Fetch {
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
    headers: new Headers(SSE),
    body: { getReader: () => ({ read, cancel: async () => undefined }) },
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

test("the pieces of a stream are noted with the time since the request and the text so far", async () => {
  const [first, second] = [
    { afterMs: 200, length: 8 },
    { afterMs: 900, length: 9 },
  ] as const;
  const answer = { type: "answer", kind: "stream", status: 200, headers: SSE, bodyEnd: "complete" };
  const expected = { ...answer, body: "data: 模\n\n", arrivals: [first, second] };
  expect(await observed([PIECE, [900, "\n"]])).toEqual(expected);
});

test("what came of a stream before it broke is kept", async () => {
  const received = { body: "data: {}\n\n", arrivals: [{ afterMs: 300, length: 10 }] };
  const expected = { type: "network_failure", status: 200, received };
  expect(await observed([[300, "data: {}\n\n"]], "breaks")).toMatchObject(expected);
});

test("so is what came before it fell silent", async () => {
  const clock = handClock();
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: [DONE]\n\n");
  });
  const limitPassesAfterFirstPiece: Fetch = async (input, init) => {
    const answer = await fetch(input, { ...init, body: init.body ?? null });
    const reader = answer.body!.getReader();
    const read = async () => {
      const piece = await reader.read();
      setImmediate(() => clock.passLimit());
      return piece;
    };
    const bounded = { getReader: () => ({ read, cancel: () => reader.cancel() }) };
    return {
      status: answer.status,
      headers: answer.headers,
      body: bounded,
    };
  };
  expect((await stream(url, {}, clock, limitPassesAfterFirstPiece)).observation).toMatchObject({
    type: "network_failure",
    stage: "timeout",
    received: { body: "data: [DONE]\n\n", arrivals: [{ afterMs: 0, length: 14 }] },
  });
});

test("a clock that is set back takes no piece before the one that it follows", async () => {
  const expected = { arrivals: [{ afterMs: 500 }, { afterMs: 500 }, { afterMs: 700 }] };
  expect(await observed([BEFORE, [-4_000, "b"], [700, "c"]])).toMatchObject(expected);
});

test("a stream is read up to 2 MiB", async () => {
  const url = await serveHttp(status(200, "x".repeat(2_097_153), SSE));
  const { observation } = await stream(url);
  expect(observation).toMatchObject({ type: "answer", bodyEnd: "over_limit" });
  expect(observation.type === "answer" && observation.body.length).toBe(2_097_152);
});
