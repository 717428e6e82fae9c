/** Agents: the SDK's own client at `/mcp` of a real Worker, and at `gatepulse mcp` over standard input and output. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { ADMIN_TOKEN } from "./support/alerting.ts";
import { startWorld } from "./support/world.ts";

const VIEW_TOKEN = "let-me-see-the-page-0123";
const READS = ["status", "incidents", "incident", "report", "history", "route", "explain"];
const ACTS = ["acknowledge", "silence", "note", "check", "pause", "resume"];

const simulator = await simulatorOfFile();
simulator.play("acme", "balance_402");
const world = await startWorld({
  gateways: ["acme", "beta"].map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" })),
  secrets: { KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN, VIEW_TOKEN },
  config: { parts: { mcp: true }, open: 1 },
});
afterAll(() => world.stop());
await world.tick(world.startMs);
await world.publish();
// Agents take their time, and what is shown stays fresh.
await world.stand();
const page = world.url.href.replace(/\/$/u, "");

type Transport = Parameters<Client["connect"]>[0];

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

function overHttp(token: string): Transport {
  const headers = { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(`${page}/mcp`), { requestInit: { headers } });
}

function overStdio(env: Readonly<Record<string, string>>, ...args: string[]): Transport {
  const { PATH = "" } = process.env;
  return new StdioClientTransport({
    command: "node",
    args: ["bin/gatepulse.js", "mcp", ...args],
    env: { PATH, ...env },
  });
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
async function call(client: Client, name: string, given: Record<string, string> = {}): Promise<any> {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content as { text: string }[];
  const text = first?.text ?? "";
  return isError ? { isError, text } : JSON.parse(text);
}

const PASTED =
  "HTTP/1.1 402 Payment Required\ncontent-type: application/json\n\n" +
  '{"error":{"message":"Insufficient balance","type":"insufficient_balance"}}';

test.each([
  ["at /mcp", () => overHttp(VIEW_TOKEN)],
  ["in gatepulse mcp", () => overStdio({ VIEW_TOKEN }, page)],
])(
  "%s an agent reads what fails, why, whose turn it is, and what an answer means, and can change nothing",
  async (_, transport) => {
    const client = await connected(transport());
    expect(await toolsOf(client)).toEqual(READS);
    const status = await call(client, "status");
    expect(status.gateways).toMatchObject([
      {
        id: "acme",
        failing: [{ id: "acme/models", diagnosis: { cause: "insufficient_balance", owner: "caller" } }],
      },
      { id: "beta", status: "up", failing: [] },
    ]);
    expect(await call(client, "status", { gateway: "beta" })).toMatchObject({
      id: "beta",
      monitors: [{ modelCount: expect.any(Number) }],
    });
    const { incidents } = await call(client, "incidents");
    const [{ id, report }] = incidents;
    expect(await call(client, "incident", { id })).toMatchObject({ id, gateway: "acme" });
    expect(await call(client, "report", { id: report })).toMatchObject({ cause: "insufficient_balance" });
    const { points } = await call(client, "history", { monitor: "acme/models", step: "probe" });
    expect(points).toMatchObject([{ cause: "insufficient_balance" }]);
    expect(await call(client, "route", { model: "sim-chat-small" })).toMatchObject({
      gateways: [],
      unavailable: expect.any(Array),
    });
    expect(await call(client, "explain", { text: PASTED, kind: "chat" })).toMatchObject({
      diagnosis: { cause: "insufficient_balance", retry: { allowed: false } },
    });
  },
);

test("a wrong argument, an unknown id and an unknown tool are errors that say what is wrong", async () => {
  const client = await connected(overHttp(VIEW_TOKEN));
  expect(await call(client, "incident", { id: "../../admin/alerts" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("404"),
  });
  for (const [name, given, why] of [
    ["history", { monitor: "acme/models", step: "2h" }, /step|2h/u],
    ["pause", { subject: "acme" }, /pause/u],
  ] as const) {
    const refused = await call(client, name, given).then(({ text }) => text, String);
    expect(refused).toMatch(why);
  }
});

test.each([
  ["at /mcp", () => overHttp(ADMIN_TOKEN)],
  ["in gatepulse mcp", () => overStdio({ ADMIN_TOKEN, VIEW_TOKEN }, page)],
])("%s an administrator's agent acts too", async (_, transport) => {
  const client = await connected(transport());
  expect(await toolsOf(client)).toEqual([...READS, ...ACTS]);
  const paused = await call(client, "pause", { subject: "beta/models", for: "2h", by: "Anna" });
  expect(paused).toMatchObject({ monitor: "beta/models", pausedBy: "Anna" });
});

test("a wrong token opens nothing, and a browser of another site cannot read the answer", async () => {
  const ask = (authorization: string, method = "POST") =>
    fetch(`${page}/mcp`, {
      method,
      headers: {
        authorization,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      ...(method === "POST" && { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
    });
  expect((await ask("Bearer wrong")).status).toBe(401);
  expect((await ask(`Bearer ${VIEW_TOKEN}`, "GET")).status).toBe(405);
  const answer = await ask(`Bearer ${VIEW_TOKEN}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
});

test("nothing is logged", () => {
  expect(world.logs.filter((line) => !/^\s*$/u.test(line))).toEqual([]);
});
