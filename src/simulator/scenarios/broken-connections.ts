/** Connections that break, stay silent, lie about their length or never end; and failures below HTTP, each at its own address. */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import type { Cause } from "../../protocol/diagnosis.ts";
import { modelList } from "../api.ts";
import { type Place, type Row, type Scenario, scenarios } from "../scenario.ts";
import { CLOSE, HANG, RESET, type Step, head, raw, reply, stream, wait, write } from "../wire.ts";

const LIST = JSON.stringify(modelList());
const JSON_TYPE = { "content-type": "application/json" };
const MEBIBYTE = 1024 * 1024;
/** A reset discards what the other side has not read; it has this long to read the headers. */
const READ_MS = 200;

const headWith = (headers: Readonly<Record<string, string>>) =>
  write(head("200 OK", { ...JSON_TYPE, ...headers }));
const headAnd = (length: number, ...steps: readonly Step[]) =>
  raw(headWith({ "content-length": String(length) }), ...steps);
const chunked = (...steps: readonly Step[]) => raw(headWith({ "transfer-encoding": "chunked" }), ...steps);

const HANGS = { hangs: true };
const HALF = write(LIST.slice(0, 100));

/** Otherwise the client, whose answer is complete, sends its next request on this connection and loses it. */
const LAST = { "transfer-encoding": "chunked", connection: "close" };
const CRUMBS = [write("1\r\n \r\n".repeat(10_000)), write("0\r\n\r\n"), wait(READ_MS), CLOSE];

function byteASecond() {
  return headAnd(LIST.length, ...LIST.split("").flatMap((letter) => [wait(1000), write(letter)]));
}

const ROWS: readonly Row[] = [
  ["connection_failed", null, "reset_before_headers", raw(RESET)],
  ["connection_failed", null, "close_before_headers", raw(CLOSE)],
  // The greeting of a mail server.
  ["connection_failed", null, "not_http", raw(write("220 mail.simulator.invalid ready\r\n"), CLOSE)],
  ["connection_failed", 200, "reset_after_headers", headAnd(LIST.length, wait(READ_MS), RESET)],
  ["connection_failed", 200, "reset_in_body", headAnd(LIST.length, HALF, wait(READ_MS), RESET)],
  ["connection_failed", 200, "chunked_cut", chunked(write('5\r\n{"dat\r\n'), CLOSE)],
  ["timeout", null, "no_answer", raw(HANG), HANGS],
  ["timeout", 200, "headers_then_silence", headAnd(LIST.length, HANG), HANGS],
  ["timeout", 200, "silence_in_body", headAnd(LIST.length, HALF, HANG), HANGS],
  ["timeout", 200, "byte_a_second", byteASecond, HANGS],
  [
    "unexpected_response",
    200,
    "body_50mb",
    () => stream(200, manyBytes(50), { ...JSON_TYPE, "content-length": String(50 * MEBIBYTE) }),
  ],
  ["unexpected_response", 200, "body_endless", () => stream(200, manyBytes(Infinity), JSON_TYPE)],
  ["unexpected_response", 200, "crumbs", raw(headWith(LAST), ...CRUMBS)],
  [
    "unexpected_response",
    200,
    "html_50mb",
    () => stream(200, manyBytes(50, "<p>"), { "content-type": "text/html" }),
  ],
  [
    "unexpected_response",
    200,
    "gzip_bomb",
    async () => reply(200, await gzipBomb(), { ...JSON_TYPE, "content-encoding": "gzip" }),
  ],
];

const at = (place: Exclude<Place, "path">, cause: Cause) =>
  scenarios([[cause, null, place, raw()]], { place });

export const BROKEN_CONNECTIONS: readonly Scenario[] = [
  ...scenarios(ROWS),
  ...at("refused", "connection_failed"),
  ...at("unresolvable", "dns_failure"),
  ...at("tls_garbage", "tls_failure"),
  ...at("tls_untrusted", "tls_failure"),
];

/** A JSON object that opens a string and, where there is an end, closes it. */
function* manyBytes(mebibytes: number, start = '{"data":["'): Iterable<Step> {
  const filler = Buffer.alloc(MEBIBYTE, "a");
  const end = '"]}';
  yield write(start);
  for (let index = 0; index < mebibytes - 1; index += 1) yield write(filler);
  yield write(Buffer.alloc(MEBIBYTE - start.length - end.length, "a"));
  yield write(end);
}

const BOMB_MEBIBYTES = 160;
let bomb: Promise<Buffer> | null = null;

/** Made once, a mebibyte at a time. */
function gzipBomb(): Promise<Buffer> {
  const filler = Buffer.alloc(MEBIBYTE, " ");
  const parts = ['{"data":[', ...Array.from({ length: BOMB_MEBIBYTES }, () => filler), "]}"];
  bomb ??= buffer(Readable.from(parts).pipe(createGzip({ level: 9 })));
  return bomb;
}
