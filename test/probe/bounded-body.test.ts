import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";
import { MAX_BODY_BYTES, runExchange, type Fetch } from "../../src/probe/exchange.ts";
import { Permits } from "../../src/domain/permits.ts";
import { type HandClock, handClock } from "./hand-clock.ts";
import { serveHttp } from "./small-server.ts";

import { HEADERS, exchange, observationAt } from "./exchanging.ts";

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

test("a length over the limit that is told beforehand is not read whole either", async () => {
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-length": String(MAX_BODY_BYTES + 1) });
    response.write(Buffer.alloc(MAX_BODY_BYTES + 1, "a"));
  });
  expect(await observationAt(url)).toMatchObject({ bodyEnd: "over_limit" });
});

test("a transfer-encoding overrides the length that is told beside it", async () => {
  const { body } = new Response("x".repeat(MAX_BODY_BYTES + 1));
  const headers = new Headers({ "content-length": "5", "transfer-encoding": "chunked" });
  const arrayBuffer = () => Promise.reject(new Error("read without a limit"));
  const lying: Fetch = async () => ({ status: 200, headers, body, arrayBuffer });
  const seen = await exchange("https://h.example", handClock(), lying);
  expect(seen).toMatchObject({ observation: { type: "answer", bodyEnd: "over_limit" } });
});

test("a body in too many pieces is over the limit, however small they are", async () => {
  let pieces = 0;
  let closed = false;
  const read = async () => {
    pieces += 1;
    return { done: false, value: new Uint8Array([0x20]) };
  };
  const body = { getReader: () => ({ read, cancel: async () => void (closed = true) }) };
  const arrayBuffer = async () => new ArrayBuffer(0);
  const drop: Fetch = async () => ({ status: 200, headers: new Headers(), body, arrayBuffer });
  const seen = await exchange("https://h.example", handClock(), drop);
  expect(seen).toMatchObject({ observation: { type: "answer", bodyEnd: "over_limit" } });
  expect([pieces, closed]).toEqual([65_536, true]);
});

test.each([
  ["utf16le", "with its length told", { "content-length": "32" }],
  ["utf16le", "in chunks", {}],
  ["utf-16be", "with its length told", { "content-length": "32" }],
  ["utf-16be", "in chunks", {}],
])("a byte order mark of %s is believed (%s)", async (encoding, _how, headers) => {
  const bytes = Buffer.from('\uFEFF{"data":["模型"]}', "utf16le");
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.write("");
    response.end(encoding === "utf16le" ? bytes : bytes.swap16());
  });
  expect(await observationAt(url)).toMatchObject({ body: '{"data":["模型"]}', bodyEnd: "complete" });
});

test("large bodies of exchanges that share a turn are read one after the other, small ones at any time", async () => {
  const open: ((text: string) => void)[] = [];
  const serve = (first: number) =>
    serveHttp((_request, response) => {
      response.write(Buffer.alloc(first, "a"));
      open.push((text) => response.end(text));
    });
  const largeBodies = new Permits(1);
  const over: string[] = [];
  const ask = async (name: string, url: string): Promise<void> => {
    const request = { kind: "models", method: "GET", url, headers: HEADERS } as const;
    await runExchange(request, { fetch, clock: handClock(), readFailure: readThrown, largeBodies });
    over.push(name);
  };
  const megabyte = 1024 * 1024;
  await largeBodies.take();
  const large = ask("large", await serve(2 * megabyte));
  const small = ask("small", await serve(10));
  while (open.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const end of open) end("b");
  await small;
  expect(over).toEqual(["small"]);
  largeBodies.give();
  await large;
  expect(over).toEqual(["small", "large"]);
});

describe("what waits for its turn to read a large body", () => {
  const askLarge = async (during: (clock: HandClock) => void) => {
    const clock = handClock();
    const url = await serveHttp((_request, response) => {
      response.end(Buffer.alloc(2 * 1024 * 1024, "a"));
    });
    const largeBodies = new Permits(1);
    await largeBodies.take();
    const request = { kind: "models", method: "GET", url, headers: HEADERS } as const;
    const waits = Promise.withResolvers<void>();
    const take = largeBodies.take.bind(largeBodies);
    largeBodies.take = () => {
      waits.resolve();
      return take();
    };
    const asked = runExchange(request, { fetch, clock, readFailure: readThrown, largeBodies });
    await waits.promise;
    during(clock);
    largeBodies.give();
    return asked;
  };

  test("took no longer for it", async () => {
    const expected = { observation: { type: "answer", bodyEnd: "complete" }, durationMs: 0 };
    expect(await askLarge((clock) => clock.advance(20_000))).toMatchObject(expected);
  });

  test("is not judged where the time limit passed meanwhile", async () => {
    const passed = (clock: HandClock): void => {
      clock.advance(30_000);
      clock.passLimit();
    };
    expect(await askLarge(passed)).toMatchObject({ type: "not_read" });
  });
});

test("the limit counts decoded bytes: a gzip bomb is over it", async () => {
  const bomb = gzipSync(Buffer.alloc(4 * MAX_BODY_BYTES));
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": String(bomb.length) }).end(bomb);
  });
  expect(bomb.length).toBeLessThan(MAX_BODY_BYTES / 100);
  expect(await observationAt(url)).toMatchObject({ bodyEnd: "over_limit" });
});
