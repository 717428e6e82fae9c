/** Connections that break, stay silent, lie about their length or never end. */
import { createGzip } from "node:zlib";
import { modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";
import { CLOSE, HANG, RESET, type Step, head, raw, reply, stream, wait, write } from "../wire.ts";

const LIST = JSON.stringify(modelList());
const JSON_TYPE = { "content-type": "application/json" };
const MEBIBYTE = 1024 * 1024;
const HANGS = { hangs: true };
/** A reset discards what the other side has not read: so long it has for the headers. */
const READ_MS = 200;

const headAnd = (length: number, ...steps: readonly Step[]) =>
  raw(write(head("200 OK", { ...JSON_TYPE, "content-length": String(length) })), ...steps);

const BREAKS: readonly Scenario[] = [
  scenario(
    "reset_before_headers",
    "A TCP reset instead of an answer.",
    raw(RESET),
    expects("connection_failed", null),
  ),
  scenario(
    "close_before_headers",
    "The connection ends without an answer.",
    raw(CLOSE),
    expects("connection_failed", null),
  ),
  scenario(
    "reset_after_headers",
    "Headers, and then a TCP reset.",
    headAnd(LIST.length, wait(READ_MS), RESET),
    expects("connection_failed", 200),
  ),
  scenario(
    "reset_in_body",
    "Half of the body, and then a TCP reset.",
    headAnd(LIST.length, write(LIST.slice(0, 100)), wait(READ_MS), RESET),
    expects("connection_failed", 200),
  ),
  scenario(
    "length_too_long",
    "The body ends before its Content-Length.",
    headAnd(LIST.length + 100, write(LIST), CLOSE),
    expects("connection_failed", 200),
  ),
  scenario(
    "length_too_short",
    "A Content-Length that cuts the list in the middle.",
    raw(
      write(
        head("200 OK", { ...JSON_TYPE, "content-length": "100", connection: "close" }) + LIST.slice(0, 100),
      ),
      wait(READ_MS),
      write(LIST.slice(100)),
      CLOSE,
    ),
    expects("unexpected_response", 200),
  ),
  scenario(
    "chunked_garbage",
    "A chunked body whose chunk sizes are garbage.",
    raw(
      write(head("200 OK", { ...JSON_TYPE, "transfer-encoding": "chunked" })),
      wait(READ_MS),
      write("zz-no-size\r\n{}\r\n"),
      CLOSE,
    ),
    expects("connection_failed", 200),
  ),
  scenario(
    "chunked_cut",
    "A chunked body without its last chunk.",
    raw(
      write(head("200 OK", { ...JSON_TYPE, "transfer-encoding": "chunked" })),
      write('5\r\n{"dat\r\n'),
      CLOSE,
    ),
    expects("connection_failed", 200),
  ),
  scenario(
    "not_http",
    "The greeting of a mail server instead of HTTP.",
    raw(write("220 mail.simulator.invalid ready\r\n"), CLOSE),
    expects("connection_failed", null),
    { note: "The design names no garbage; the edge reports it as 520, which is connection_failed." },
  ),
];

const SILENCES: readonly Scenario[] = [
  scenario(
    "no_answer",
    "Nothing at all, and the connection stays open.",
    raw(HANG),
    expects("timeout", null, HANGS),
  ),
  scenario(
    "headers_then_silence",
    "Headers, and then nothing.",
    headAnd(LIST.length, HANG),
    expects("timeout", 200, HANGS),
  ),
  scenario(
    "silence_in_body",
    "Half of the body, and then nothing.",
    headAnd(LIST.length, write(LIST.slice(0, 100)), HANG),
    expects("timeout", 200, HANGS),
  ),
  scenario(
    "byte_a_second",
    "A good list, one byte a second.",
    () => raw(...trickle()),
    expects("timeout", 200, HANGS),
  ),
  scenario(
    "header_a_second",
    "One more header every second, without end.",
    () => ({ type: "raw", steps: endlessHeaders() }),
    expects("timeout", null, HANGS),
  ),
];

const FLOODS: readonly Scenario[] = [
  scenario(
    "body_50mb",
    "50 MiB of JSON that is one long string.",
    () => stream(200, manyBytes(50), { ...JSON_TYPE, "content-length": String(50 * MEBIBYTE) }),
    expects("unexpected_response", 200),
  ),
  scenario(
    "body_endless",
    "JSON without end.",
    () => stream(200, manyBytes(Infinity), JSON_TYPE),
    expects("unexpected_response", 200),
  ),
  scenario(
    "crumbs",
    "Ten thousand chunks of one byte each.",
    raw(
      // Else the client, whose answer is whole, sends its next request here and loses it.
      write(head("200 OK", { ...JSON_TYPE, "transfer-encoding": "chunked", connection: "close" })),
      write("1\r\n \r\n".repeat(10_000)),
      write("0\r\n\r\n"),
      wait(READ_MS),
      CLOSE,
    ),
    expects("unexpected_response", 200),
  ),
  scenario(
    "html_50mb",
    "50 MiB of a page.",
    () => stream(200, manyBytes(50, "<p>"), { "content-type": "text/html" }),
    expects("unexpected_response", 200),
    { note: "A body over the limit is unexpected_response, whatever it is; that it is no JSON comes after." },
  ),
  scenario(
    "gzip_bomb",
    "About 160 kB of gzip that hold 160 MiB.",
    async () => reply(200, await gzipBomb(), { ...JSON_TYPE, "content-encoding": "gzip" }),
    expects("unexpected_response", 200),
  ),
];

export const BROKEN_CONNECTIONS: readonly Scenario[] = [...BREAKS, ...SILENCES, ...FLOODS];

function trickle(): readonly Step[] {
  const bytes = LIST.split("").flatMap((letter) => [wait(1000), write(letter)]);
  return [write(head("200 OK", { ...JSON_TYPE, "content-length": String(LIST.length) })), ...bytes];
}

function* endlessHeaders(): Iterable<Step> {
  yield write("HTTP/1.1 200 OK\r\n");
  for (let index = 0; ; index += 1) {
    yield wait(1000);
    yield write(`x-${index}: 1\r\n`);
  }
}

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
  bomb ??= compress();
  return bomb;
}

async function compress(): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const filler = Buffer.alloc(MEBIBYTE, " ");
  const feed = (left: number): void => {
    if (left === 0) gzip.end("]}");
    else gzip.write(filler, () => feed(left - 1));
  };
  gzip.write('{"data":[');
  feed(BOMB_MEBIBYTES);
  const parts: Buffer[] = [];
  for await (const part of gzip) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
