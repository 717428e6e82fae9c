/** The streams, the environment and the network of Node. */
import {
  Agent as HttpAgent,
  request as sendHttp,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as sendHttps } from "node:https";
import { Readable, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { systemClock } from "../probe/clock.ts";
import type { Fetch } from "../probe/exchange.ts";
import type { Input, Io, Output } from "./command.ts";
import { terminalPrompts } from "./prompts.ts";

type Answer = Awaited<ReturnType<Fetch>>;

/** Of all headers together; curl takes about as many. */
const MAX_HEADER_BYTES = 256 * 1024;

/** Redirects are never followed. Rejects with Node's own errors, whose `code` says what failed. */
export const nodeFetch: Fetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const isSecure = url.startsWith("https:");
    const options: RequestOptions = {
      method,
      headers: { ...headers, "accept-encoding": "gzip, br" },
      signal,
      insecureHTTPParser: true,
      maxHeaderSize: MAX_HEADER_BYTES,
      agent: oneConnection(isSecure),
    };
    const request = isSecure ? sendHttps(url, options) : sendHttp(url, options);
    request.maxHeadersCount = 0;
    request.on("response", (message) => {
      if ((message.statusCode ?? 0) >= 100) return resolve(responseOf(message));
      message.destroy();
      reject(Object.assign(new Error("the answer's status is below 100"), { code: "HPE_INVALID_STATUS" }));
    });
    // Nobody asked for another protocol; what follows is no answer.
    request.on("upgrade", (message, socket) => {
      socket.destroy();
      resolve(responseOf(message));
    });
    // After the response, its body reports failures.
    request.on("error", reject);
    request.end(body ?? undefined);
  });

/** What a broken answer leaves behind in a connection must not be taken for the next one. */
function oneConnection(isSecure: boolean): HttpAgent {
  const proxyEnv = process.env["NODE_USE_ENV_PROXY"] === "1" ? process.env : undefined;
  const options = { keepAlive: false, proxyEnv };
  return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
}

function responseOf(message: IncomingMessage): Answer {
  const body = Readable.toWeb(decoded(message));
  return {
    status: message.statusCode ?? 0,
    headers: headersOf(message),
    body: { getReader: () => body.getReader() },
  };
}

/** What has other codings, or several, is read as it came. */
function decoded(message: IncomingMessage): Readable {
  const coding = message.headers["content-encoding"]?.trim().toLowerCase();
  if (coding !== "gzip" && coding !== "br") return message;
  // The reader hears of a failure from the last part of the pipeline.
  return pipeline(message, coding === "gzip" ? createGunzip() : createBrotliDecompress(), () => undefined);
}

/** All of them, with lines of the same name joined (RFC 9110, 5.2). */
function headersOf({ headersDistinct }: IncomingMessage): Answer["headers"] {
  return new Map(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(", ")]));
}

export function nodeIo(): Io {
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    stdin: inputOf(process.stdin),
    prompts: process.stdin.isTTY && process.stdout.isTTY ? terminalPrompts : null,
    env: process.env,
    cwd: process.cwd(),
    clock: { ...systemClock(), now: steadyNow() },
    fetch: nodeFetch,
    random: () => Math.random(),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** The time of day at the start plus what has passed since: a clock that is set meanwhile changes no latency. */
function steadyNow(): () => number {
  const startMs = Date.now() - performance.now();
  return () => Math.round(startMs + performance.now());
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // A reader that has gone (`| head`) is no failure of ours.
  stream.on("error", () => undefined);
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY,
  };
}

function inputOf(stream: NodeJS.ReadStream): Input {
  return { isTTY: stream.isTTY, readAll: (maxBytes) => readAll(stream, maxBytes) };
}

/** Null when there is more. Some shells write what they redirect in UTF-16. */
export async function readAll(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  const all = Buffer.concat(chunks);
  return all.toString(all[0] === 0xff && all[1] === 0xfe ? "utf16le" : "utf8");
}
