/**
 * A gateway that repeats the key it was sent, at every place of an answer where a monitor reads and in every writing
 * that a careless server might choose. The address says which: `/<place>/<writing>`.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";

/** The key as it came, each character a byte. */
export const WRITINGS: Readonly<Record<string, (key: string) => string>> = {
  whole: (key) => key,
  bearer: (key) => `Authorization: Bearer ${key}`,
  first_12: (key) => key.slice(0, 12),
  last_12: (key) => key.slice(-12),
  middle_12: (key) => key.slice(Math.floor(key.length / 2) - 6, Math.floor(key.length / 2) + 6),
  all_but_the_ends: (key) => `***${key.slice(2, -2)}***`,
  in_quotes: (key) => `got "${key}"`,
  in_a_query: (key) => `https://gateway.example/v1/models?key=${encodeURIComponent(key)}&x=1`,
  url_encoded: (key) => encodeURIComponent(key),
  url_encoded_twice: (key) => encodeURIComponent(encodeURIComponent(key)),
  percent_every_byte: (key) => eachLetter(key, (letter) => `%${hexOf(letter)}`),
  base64: (key) => Buffer.from(key, "latin1").toString("base64"),
  base64_of_utf8: (key) => Buffer.from(key, "utf8").toString("base64"),
  base64url: (key) => Buffer.from(key, "latin1").toString("base64url"),
  base64_shifted_by_1: (key) => Buffer.from(`x${key}`, "latin1").toString("base64"),
  base64_shifted_by_2: (key) => Buffer.from(`xy${key}`, "latin1").toString("base64"),
  basic: (key) => `Basic ${Buffer.from(`user:${key}`, "latin1").toString("base64")}`,
  hex: (key) => eachLetter(key, hexOf),
  hex_upper: (key) => eachLetter(key, hexOf).toUpperCase(),
  json_in_a_string: (key) => JSON.stringify({ error: { message: key } }),
  html_entities: (key) => eachLetter(key, (letter) => `&#${letter.charCodeAt(0)};`),
  /** Written as escapes into the JSON itself; as letters where the place is no JSON. */
  json_escapes: (key) => eachLetter(key, (letter) => `${ESCAPE}${letter}`),
  half_in_json_escapes: (key) =>
    eachLetter(key, (letter, n) => (n % 2 === 0 ? `${ESCAPE}${letter}` : letter)),
};

/** Marks the letter behind it as one to be escaped. */
const ESCAPE = "\u0001";

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Events of a stream, one a chunk: JSON, or the words behind `data:` as they are. */
export class Frames {
  readonly all: readonly unknown[];

  constructor(...all: readonly unknown[]) {
    this.all = all;
  }
}

/** @param method GET where a task is asked about, or a console. */
export type Place = (text: string, method: string) => Reply;

const MESSAGE_LIMIT = 300;
const before = (text: string, length: number): string => `${"x".repeat(Math.max(0, length))} ${text}`;
const failure = (status: number, error: unknown, headers = {}): Reply => ({
  status,
  headers,
  body: { error },
});
const plain = { message: "No.", type: "authentication_error", code: "invalid_api_key" };

export const PLACES: Readonly<Record<string, Place>> = {
  message: (text) => failure(401, { ...plain, message: text }),
  message_across_the_limit: (text) =>
    failure(401, { ...plain, message: before(text, MESSAGE_LIMIT - Math.ceil(text.length / 2)) }),
  message_ending_at_the_limit: (text) =>
    failure(401, { ...plain, message: before(text, MESSAGE_LIMIT - 13) }),
  message_behind_8_kilobytes: (text) => failure(401, { ...plain, message: before(text, 8180) }),
  message_of_500: (text) => failure(500, { ...plain, message: text, code: "it_failed" }),
  type: (text) => failure(401, { ...plain, type: text }),
  code: (text) => failure(403, { ...plain, code: text }),
  code_with_words: (text) => failure(403, { ...plain, code: `bad_key_${text}` }),
  request_id_header: (text) => failure(401, plain, { "x-request-id": text }),
  request_id_on_top: (text) => ({ status: 401, body: { error: plain, request_id: text } }),
  request_id_in_error: (text) => failure(401, { ...plain, request_id: `req_${text}` }),
  other_headers: (text) =>
    failure(401, plain, {
      "www-authenticate": `Bearer realm="${text}"`,
      server: text,
      "set-cookie": `k=${text}`,
    }),
  retry_after: (text) => failure(429, { ...plain, code: "rate_limit" }, { "retry-after": text }),
  location: (text) => ({ status: 302, headers: { location: `https://other.invalid/?k=${text}` }, body: "" }),
  model_ids: (text) => ({
    status: 200,
    body: { data: [{ id: text }, { id: `ft:${text}:1` }], request_id: text },
  }),
  envelope: (text) => ({ status: 200, body: { code: 5000, message: text, data: text, request_id: text } }),
  string_code: (text) => ({ status: 200, body: { code: text, message: "No." } }),
  success_false: (text) => ({ status: 200, body: { success: false, message: text } }),
  error_string: (text) => ({ status: 200, body: { error: text } }),
  error_nested: (text) => ({ status: 200, body: { error: { error: { message: text, code: text } } } }),
  error_array: (text) => ({ status: 400, body: { error: [{ message: text }] } }),
  page: (text) => page(200, text),
  page_title_of_404: (text) => page(404, text),
  plain_text: (text) => ({
    status: 401,
    headers: { "content-type": "text/plain" },
    body: `The key ${text} is bad`,
  }),
};

function page(status: number, text: string): Reply {
  const html = `<!doctype html><title>${text}</title><h1>${text}</h1><p>${text}</p>`;
  return { status, headers: { "content-type": "text/html" }, body: html };
}

export type EchoGateway = Awaited<ReturnType<typeof startEchoGateway>>;

export async function startEchoGateway(places: Readonly<Record<string, Place>>) {
  let isWell = false;
  const keys: string[] = [];
  const server = createServer((request, response) => {
    const sent = String(request.headers["x-api-key"] ?? request.headers.authorization ?? "");
    const key = sent.replace(/^Bearer /, "");
    keys.push(key);
    send(response, isWell ? WELL : replyTo(request, key, places));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (place: string, writing: string) => `http://127.0.0.1:${port}/${place}/${writing}`,
    /** From now on every address answers with a good list, and repeats nothing. */
    recover: () => void (isWell = true),
    /** The keys that came, in order, each character a byte. */
    keys: keys as readonly string[],
    stop: async () => {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}

/** A list, and a chat, and whatever else is asked for. */
const WELL: Reply = {
  status: 200,
  body: {
    data: [{ id: "a-model", embedding: [1], url: "https://files.invalid/1" }],
    choices: [{ message: { content: "pong" } }],
    status: "ok",
  },
};

function replyTo(request: IncomingMessage, key: string, places: Readonly<Record<string, Place>>): Reply {
  const [, place = "", writing = ""] = (request.url ?? "").split("/");
  const reply = places[place];
  const write = WRITINGS[writing];
  if (!reply || !write) throw new Error(`there is no ${place}/${writing}`);
  return reply(write(key), request.method ?? "GET");
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, headerSafe(value));
  if (body instanceof Frames) {
    response.setHeader("content-type", "text/event-stream");
    response.writeHead(status);
    for (const frame of body.all) response.write(`data: ${textOf(frame).replaceAll(/[\r\n]/gu, " ")}\n\n`);
    response.end();
    return;
  }
  if (typeof body !== "string") response.setHeader("content-type", "application/json");
  response.writeHead(status).end(textOf(body));
}

function textOf(body: unknown): string {
  if (typeof body === "string") return body.replaceAll(ESCAPE, "");
  return JSON.stringify(body).replace(ESCAPED_IN_JSON, escapeOf);
}

// oxlint-disable-next-line no-control-regex -- the mark, as JSON.stringify writes it
const ESCAPED_IN_JSON = /\\u0001(\\.|.)/g;

function escapeOf(_marked: string, letter: string): string {
  return `\\u${letter
    .charCodeAt(letter.length - 1)
    .toString(16)
    .padStart(4, "0")}`;
}

function headerSafe(value: string): string {
  // oxlint-disable-next-line no-control-regex -- what no header may hold
  return value.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, "");
}

/** Each is one unit: the key came as bytes. */
function eachLetter(key: string, write: (letter: string, n: number) => string): string {
  return key
    .split("")
    .map((letter, n) => write(letter, n))
    .join("");
}

function hexOf(letter: string): string {
  return letter.charCodeAt(0).toString(16).padStart(2, "0");
}
