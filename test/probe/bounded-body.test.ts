import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Fetch } from "../../src/probe/exchange.ts";
import { exchange, observationAt } from "./exchanging.ts";
import { handClock } from "./hand-clock.ts";
import { serveHttp } from "./small-server.ts";

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

test.each(["utf16le", "utf-16be"])("a byte order mark of %s is believed", async (encoding) => {
  const bytes = Buffer.from('\uFEFF{"data":["模型"]}', "utf16le");
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(encoding === "utf16le" ? bytes : bytes.swap16());
  });
  expect(await observationAt(url)).toMatchObject({ body: '{"data":["模型"]}', bodyEnd: "complete" });
});

test("the limit counts decoded bytes: a gzip bomb is over it", async () => {
  const bomb = gzipSync(Buffer.alloc(4 * MAX_BODY_BYTES));
  const url = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-length": String(bomb.length) }).end(bomb);
  });
  expect(bomb.length).toBeLessThan(MAX_BODY_BYTES / 100);
  expect(await observationAt(url)).toMatchObject({ bodyEnd: "over_limit" });
});
