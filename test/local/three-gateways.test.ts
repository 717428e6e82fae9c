/**
 * A night of a team that runs LiteLLM and one-api behind nginx, and buys from one provider directly. Real Worker, real Ledger,
 * real nginx, real sockets; the clock is the test's. test/vectors/three-gateways.txt has every message of the night.
 */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GatewayInput } from "../../src/config/define-config.ts";
import { refusingUrl } from "../probe/small-server.ts";
import { programPath } from "../programs.ts";
import { readVectors, VECTOR_FILES } from "../vectors/read-vectors.ts";
import { type Program, start } from "./program.ts";
import { ADMIN_TOKEN, passMinutes } from "./support/alerting.ts";
import { monitorOf, statusOf } from "./support/readings.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import { startWorld, type World } from "./support/world.ts";

const NGINX = programPath("nginx");
/** Nothing else of this machine takes ports of this address, so a port that was given up is still free. */
const HOST = "127.0.0.2";
const MODEL = "gpt-4o-mini";
const STARTS = "2026-11-21T03:00:00+08:00";

interface Answer {
  readonly status: number;
  readonly body: string;
}

const LIST: Answer = { status: 200, body: JSON.stringify({ object: "list", data: [{ id: MODEL }] }) };
const PONG: Answer = {
  status: 200,
  body: JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: MODEL,
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "pong" } }],
    usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 },
  }),
};

/** docs.litellm.ai, "Diagnosing Errors - Provider vs Gateway". */
const KEY_REFUSED_BEHIND: Answer = {
  status: 401,
  body: JSON.stringify({
    error: {
      message:
        "litellm.AuthenticationError: OpenAIException - Incorrect API key provided: sk-pr***7aQ2. You can find your API key at https://platform.openai.com/account/api-keys.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_api_key",
    },
  }),
};

/** A server with an answer for each route. It can stop, and start again at the same address. */
class Gateway {
  readonly #answers: Record<string, Answer> = {};
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      const { status, body } = this.#answers[request.url ?? ""] ?? { status: 404, body: "{}" };
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.recover();
  }

  get url(): string {
    return `http://${HOST}:${this.#port}`;
  }

  lists(answer: Answer): void {
    this.#answers["/v1/models"] = answer;
  }

  chats(answer: Answer): void {
    this.#answers["/v1/chat/completions"] = answer;
  }

  recover(): void {
    this.lists(LIST);
    this.chats(PONG);
  }

  async start(): Promise<void> {
    await once(this.#server.listen(this.#port, HOST), "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server.close(), "close");
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

async function startNginx(directory: string, paths: Readonly<Record<string, Gateway>>) {
  const address = await refusingUrl(HOST);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const locations = Object.entries(paths).map(
    ([path, { url }]) => `location /${path}/ { proxy_pass ${url}/; }`,
  );
  await mkdir(join(directory, "nginx"));
  await writeFile(
    join(directory, "nginx.conf"),
    `daemon off; master_process off; pid ${directory}/nginx.pid; error_log stderr notice;
    events {}
    http {
      access_log off; server_tokens off;
      ${temporary.map((name) => `${name}_temp_path ${directory}/nginx/${name};`).join(" ")}
      server { listen ${new URL(address).host}; ${locations.join(" ")} }
    }`,
  );
  const program = start(NGINX ?? "", ["-p", directory, "-c", join(directory, "nginx.conf"), "-e", "stderr"]);
  await program.printed(/\[notice\] .* nginx\//);
  return { program, urlOf: (path: string) => `${address}/${path}` };
}

const NAMES = { litellm: "LiteLLM", "one-api": "one-api", direct: "Direct provider" } as const;
type Name = keyof typeof NAMES;

function configured(id: Name, baseUrl: string, more: Partial<GatewayInput>): GatewayInput {
  const chat = { kind: "chat", model: MODEL, every: "5m", perDay: 288 } as const;
  return { id, name: NAMES[id], baseUrl, apiKey: "KEY", monitors: [{ kind: "models" }, chat], ...more };
}

function vector(id: string): string {
  const found = VECTOR_FILES.flatMap((file) => readVectors(file)).find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no vector ${id}`);
  return found.body;
}

interface Block {
  readonly text?: { readonly text: string };
  readonly elements?: readonly { readonly text: string }[];
}

/** What Slack shows. Retries wait for a random time, so seconds are left out. */
function shown(body: string): string {
  const { blocks } = JSON.parse(body) as { readonly blocks: readonly Block[] };
  return blocks
    .flatMap(({ text, elements = [] }) => (text ? [text] : elements))
    .map(({ text }) => text.replaceAll(/<!date[^|]*\|([^>]*)>/g, "$1"))
    .join("\n")
    .replaceAll(/(?<=\d\d:\d\d):\d\d\b/g, "")
    .replaceAll(/(?<=-\d{8}t\d{4})\d\d(?=z)/g, "..");
}

const directory = await directoryOfFile();

describe.skipIf(NGINX === null)("three gateways at 3 a.m.", () => {
  const gateways = { litellm: new Gateway(), "one-api": new Gateway(), direct: new Gateway() } as const;
  const { litellm, "one-api": oneApi, direct } = gateways;
  const night: string[] = [];
  let receiver: Receiver;
  let nginx: Program;
  let world: World;
  let minute = 0;

  beforeAll(async () => {
    receiver = await startReceiver();
    for (const gateway of Object.values(gateways)) await gateway.start();
    const proxy = await startNginx(directory, { litellm, "one-api": oneApi });
    nginx = proxy.program;
    world = await startWorld({
      stands: true,
      speed: 500,
      startMs: Date.parse(STARTS),
      gateways: [
        configured("litellm", proxy.urlOf("litellm"), { operator: "us" }),
        configured("one-api", proxy.urlOf("one-api"), { operator: "us" }),
        configured("direct", direct.url, { usedBy: "production" }),
      ],
      secrets: { KEY: "a-key-of-the-monitor", ADMIN_TOKEN, SLACK: receiver.url("slack") },
      config: {
        url: "https://status.example",
        timeZone: "Asia/Shanghai",
        alerts: [{ kind: "slack", id: "slack", url: "SLACK" }],
      },
    });
  });

  afterAll(async () => {
    await world?.stop();
    await nginx?.stop();
    for (const gateway of Object.values(gateways)) await gateway.stop();
    await receiver?.stop();
  });

  async function pass(minutes: number): Promise<void> {
    await passMinutes(world, minute, minutes);
    minute += minutes;
  }

  const openIncidents = async () =>
    (await statusOf(world)).incidents.filter(({ resolvedAt }) => resolvedAt === null);

  /** To the only incident that is open. */
  async function order(verb: "acknowledge" | "probe"): Promise<void> {
    const [{ id } = { id: "none" }] = await openIncidents();
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const { status } = await world.post(`/api/v1/admin/incidents/${id}/${verb}`, { by: "Mei" }, headers);
    expect(status).toBe(200);
  }

  async function openNow(): Promise<readonly string[]> {
    const lines = (await openIncidents()).map(async ({ gateway, cause, health, owner, turn, monitors }) => {
      const { diagnosis } = await monitorOf(world, monitors[0] ?? "");
      const retry = diagnosis?.retry.allowed ? "retry" : "no retry";
      return `${gateway}: ${health}, ${cause}, owner ${owner}, turn ${turn}, ${retry}`;
    });
    return Promise.all(lines);
  }

  /** @param open a line for each incident that is open at the end. */
  function step(title: string, play: () => Promise<void>, open: readonly string[]): void {
    test(title, async () => {
      const before = receiver.at("slack").length;
      await play();
      const messages = receiver.at("slack").slice(before);
      night.push([`# ${title}`, ...messages.map(({ body }) => shown(body))].join("\n\n"));
      expect(await openNow()).toEqual(open);
    });
  }

  step("all is well", () => pass(6), []);

  step(
    "OpenAI refuses LiteLLM's key: our turn",
    async () => {
      litellm.chats(KEY_REFUSED_BEHIND);
      await pass(16);
    },
    ["litellm: down, authentication, owner operator, turn us, no retry"],
  );

  step(
    "LiteLLM has a new key",
    async () => {
      litellm.recover();
      await order("probe");
      await pass(7);
    },
    [],
  );

  step(
    "one-api is stopped, and nginx answers in its place: our turn",
    async () => {
      await oneApi.stop();
      await pass(3);
    },
    ["one-api: down, upstream_unavailable, owner operator, turn us, retry"],
  );

  step(
    "one-api runs again, but has no channel for the model",
    async () => {
      await oneApi.start();
      // That of another model, reported with 503.
      const body = vector("second-one-api-01").replace("text-embedding-ada-002", MODEL);
      oneApi.chats({ status: 200, body });
      await pass(16);
    },
    ["one-api: down, upstream_unavailable, owner upstream, turn upstream, no retry"],
  );

  step(
    "one-api has a channel again",
    async () => {
      oneApi.recover();
      await order("probe");
      await pass(7);
    },
    [],
  );

  step(
    "the balance at the provider is used up: our turn, and our calls fail too",
    async () => {
      direct.chats({ status: 402, body: vector("deepseek-02") });
      await pass(16);
    },
    ["direct: blocked, insufficient_balance, owner caller, turn us, no retry"],
  );

  step(
    "Mei acknowledges it; after that, a refused key sends no message",
    async () => {
      await order("acknowledge");
      direct.chats({ status: 401, body: vector("openai-b03") });
      await order("probe");
      await pass(3);
    },
    ["direct: blocked, authentication, owner caller, turn us, no retry"],
  );

  step(
    "it gets worse: the provider itself fails",
    async () => {
      direct.chats({ status: 500, body: vector("openresponses-w51") });
      await order("probe");
      await pass(3);
    },
    ["direct: down, service_misconfigured, owner operator, turn operator, no retry"],
  );

  step(
    "the provider works again, and all is well",
    async () => {
      direct.recover();
      await order("probe");
      await pass(7);
    },
    [],
  );

  test("four failures were four incidents", async () => {
    const { json } = await world.get("/api/v1/incidents");
    const gatewaysOf = json.incidents.map(({ gateway }: { gateway: string }) => gateway);
    expect(gatewaysOf.toReversed()).toEqual(["litellm", "one-api", "one-api", "direct"]);
  });

  test("these are all messages of the night", async () => {
    await expect(`${night.join("\n\n\n")}\n`).toMatchFileSnapshot("../vectors/three-gateways.txt");
  });
});
