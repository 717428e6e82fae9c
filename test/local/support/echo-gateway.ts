/** A gateway that repeats the key it was sent, at `/<place>/<writing>` of an answer where a monitor reads. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { GatewayInput } from "../../../src/config/define-config.ts";

export type MonitorInput = NonNullable<GatewayInput["monitors"]>[number];

/** The key as it came, each character a byte. */
export const WRITINGS: Readonly<Record<string, (key: string) => string>> = {
  whole: (key) => key,
  first_12: (key) => key.slice(0, 12),
  in_a_query: (key) => `https://gateway.example/v1/models?key=${encodeURIComponent(key)}&x=1`,
  base64: (key) => Buffer.from(key, "latin1").toString("base64"),
  hex: (key) => Buffer.from(key, "latin1").toString("hex"),
  json_in_a_string: (key) => JSON.stringify({ error: { message: key } }),
};

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** @param method GET where a list is read, a task is asked about, or a console. */
type Place = (text: string, method: string) => Reply;

/** Events of a stream, one a chunk: JSON, or the words behind `data:` as they are. */
class Frames {
  readonly all: readonly unknown[];

  constructor(...all: readonly unknown[]) {
    this.all = all;
  }
}

const MESSAGE_LIMIT = 300;
const good = (body: unknown): Reply => ({ status: 200, body });
const failure = (status: number, error: unknown, headers = {}): Reply => ({
  status,
  headers,
  body: { error },
});
const plain = { message: "No.", type: "authentication_error", code: "invalid_api_key" };

const LISTS: Readonly<Record<string, Place>> = {
  message: (text) => failure(401, { ...plain, message: text }),
  message_across_the_limit: (text) => {
    const before = "x".repeat(MESSAGE_LIMIT - Math.ceil(text.length / 2));
    return failure(401, { ...plain, message: `${before} ${text}` });
  },
  request_id_header: (text) => failure(401, plain, { "x-request-id": text }),
  model_ids: (text) => good({ data: [{ id: text }, { id: `ft:${text}:1` }], request_id: text }),
  envelope: (text) => good({ code: 5000, message: text, data: text, request_id: text }),
  page: (text) => ({
    status: 200,
    headers: { "content-type": "text/html" },
    body: `<!doctype html><title>${text}</title><h1>${text}</h1><p>${text}</p>`,
  }),
};

/** Nothing is due twice. */
const every = "24h";
const chat: MonitorInput = { kind: "chat", id: "canary", model: "m", every };
const stream: MonitorInput = { ...chat, stream: true };
const video: MonitorInput = { kind: "video", id: "canary", model: "m", deadline: "2m", every };
const account: MonitorInput = { kind: "console", id: "canary", warnBelow: 5, every };
const named: MonitorInput = {
  ...chat,
  headers: { authorization: null, "x-api-key": "{key}", "x-also": "key {key}" },
};
const streamed = (...frames: readonly unknown[]) => good(new Frames(...frames));
const said = (content: unknown) => ({ choices: [{ index: 0, delta: { content } }] });
const errorOf = (text: string) => ({ error: { message: text, type: text, code: text, request_id: text } });
const quota = (value: unknown) => good({ code: 0, message: "", data: { quota: value } });
/** The digits as a number, as a figure would stand there. */
const figure = (text: string) => (/^\d{1,15}$/u.test(text) ? Number(text) : text);

/** A creation that succeeds, and then the answer about the task. */
function task(answer: (text: string) => Reply): Place {
  return (text, method) => (method === "POST" ? good({ id: "task_1", status: "queued" }) : answer(text));
}

const CANARIES: Readonly<Record<string, readonly [MonitorInput, Place]>> = {
  chat_ids: [
    chat,
    (text) =>
      good({
        id: text,
        model: text,
        system_fingerprint: text,
        choices: [{ message: { role: "assistant", content: text } }],
        usage: { prompt_tokens: text, completion_tokens: text },
      }),
  ],
  other_headers: [named, (text) => ({ status: 403, body: errorOf(text) })],
  stream_error: [stream, (text) => streamed(said("po"), errorOf(text))],
  stream_cut: [stream, (text) => streamed(said("po"), said(text))],
  task_reason: [
    video,
    task((text) => good({ id: "task_1", status: "failed", fail_reason: text, ...errorOf(text) })),
  ],
  console_words: [account, (text) => good({ code: 0, message: text, data: { quota: 1, name: text } })],
  figure_of_balance: [account, (text) => quota(figure(text))],
  figure_of_tokens: [
    chat,
    (text) =>
      good({
        choices: [{ message: { role: "assistant", content: "pong" } }],
        usage: { prompt_tokens: figure(text), completion_tokens: figure(text) },
      }),
  ],
};

/** By the name of the place: what it answers, and the monitor that reads there. */
const PLACES: Readonly<Record<string, readonly [MonitorInput, Place]>> = {
  ...Object.fromEntries(Object.entries(LISTS).map(([name, place]) => [name, [{ kind: "models" }, place]])),
  ...CANARIES,
};

/** The monitor that reads at each place. */
export const MONITORS: Readonly<Record<string, MonitorInput>> = Object.fromEntries(
  Object.entries(PLACES).map(([name, [monitor]]) => [name, monitor]),
);

export type EchoGateway = Awaited<ReturnType<typeof startEchoGateway>>;

export async function startEchoGateway() {
  let isWell = false;
  const keys: string[] = [];
  const server = createServer((request, response) => {
    const sent = String(request.headers["x-api-key"] ?? request.headers.authorization ?? "");
    const key = sent.replace(/^Bearer /, "");
    keys.push(key);
    send(response, isWell ? WELL : replyTo(request, key));
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

function replyTo(request: IncomingMessage, key: string): Reply {
  const [, place = "", writing = ""] = (request.url ?? "").split("/");
  const [, reply] = PLACES[place] ?? [];
  const write = WRITINGS[writing];
  if (!reply || !write) throw new Error(`there is no ${place}/${writing}`);
  return reply(write(key), request.method ?? "GET");
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  // oxlint-disable-next-line no-control-regex -- what no header may hold
  const safe = (value: string) => value.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, "");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, safe(value));
  if (body instanceof Frames) {
    response.writeHead(status, { "content-type": "text/event-stream" });
    for (const frame of body.all) response.write(`data: ${textOf(frame).replaceAll(/[\r\n]/gu, " ")}\n\n`);
    response.end();
    return;
  }
  if (typeof body !== "string") response.setHeader("content-type", "application/json");
  response.writeHead(status).end(textOf(body));
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
