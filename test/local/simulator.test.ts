/** The simulated gateways themselves: addresses, keys, tasks, wires and their end. What scenarios mean is proved by test/probe. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readArguments } from "../../src/local/simulate.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { askRaw, bodyOf, headLines, openRaw } from "./raw-client.ts";
import { freshSimulator } from "./support/playing.ts";

const simulator = await freshSimulator();

interface ServiceRequest {
  /** Null: without a key. */
  readonly key?: string | null;
  /** As it is where it is a string, else as JSON; POST where there is one, else GET. */
  readonly body?: unknown;
}

async function askService(url: string, { key = "sim-key-good", body }: ServiceRequest = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: text }),
  });
  const { status, headers } = answer;
  const read = await answer.text();
  const isJson = headers.get("content-type")?.includes("json") ?? false;
  return { status, headers, text: read, json: isJson ? JSON.parse(read) : null };
}

const models = (base: string, init: RequestInit = {}) =>
  fetch(`${base}/v1/models`, { headers: { authorization: "Bearer sim-key-good" }, ...init });
const statusesOf = async (...bases: readonly string[]) => {
  const seen: number[] = [];
  for (const base of bases) seen.push((await models(base)).status);
  return seen;
};
const command = (order: unknown) => askService(`${simulator.url}/__control`, { body: order });
/** Of the healthy gateway, or of the one that plays a scenario. */
const ask = (path: string, request: ServiceRequest = {}, scenario = "") =>
  askService(`${scenario === "" ? simulator.url : simulator.baseUrl(scenario)}${path}`, request);

test("a scenario that does not exist says so", async () => {
  const answer = await askService(`${simulator.url}/no_such_thing/v1/models`);
  expect([answer.status, answer.json.error.code]).toEqual([404, "unknown_scenario"]);
  expect(() => simulator.baseUrl("no_such_thing")).toThrow("The simulator has no scenario no_such_thing.");
});

describe("named gateways", () => {
  test("one works until an order makes it answer with HTML, and works again", async () => {
    const base = simulator.named("acme");
    expect((await models(base)).headers.get("content-type")).toBe("application/json");
    expect((await command({ for: "acme", scenario: "html_200" })).status).toBe(200);
    expect((await models(base)).headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect((await models(simulator.named("other"))).headers.get("content-type")).toBe("application/json");
    simulator.play("acme", "healthy");
    expect((await models(base)).headers.get("content-type")).toBe("application/json");
  });

  test("a sequence is one scenario a request, the last one for ever", async () => {
    simulator.play("acme", "503_always", "balance_402", "healthy");
    expect(await statusesOf(...Array(4).fill(simulator.named("acme")))).toEqual([503, 402, 200, 200]);
  });

  test("their counters are their own", async () => {
    simulator.play("a", "503_then_200");
    simulator.play("b", "503_then_200");
    const bases = ["a", "b", "a", "b", "a"].map((name) => simulator.named(name));
    expect(await statusesOf(...bases)).toEqual([503, 503, 200, 200, 503]);
  });

  test.each([
    ["not JSON", "{"],
    ["no name", '{"scenario":"healthy"}'],
    ["no scenario", '{"for":"acme"}'],
    ["an unknown scenario", '{"for":"acme","scenario":"nonsense"}'],
    ["a scenario without a path", '{"for":"acme","scenario":"refused"}'],
  ])("an order with %s is refused", async (_fault, body) => {
    expect((await fetch(`${simulator.url}/__control`, { method: "POST", body })).status).toBe(400);
    expect((await models(simulator.named("acme"))).status).toBe(200);
  });
});

describe("what it shows", () => {
  test("names are unique, fit into a path as they are, and hide no address of its own", () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(?!(?:g|v1|api)$)[a-z0-9_]+$/.test(name))).toEqual([]);
  });

  test("the list of scenarios carries expectations and base URLs", async () => {
    const { json: list } = await askService(`${simulator.url}/`);
    expect(list).toHaveLength(SCENARIOS.length);
    expect(list.find((known: { name: string }) => known.name === "rate_limited_31")).toEqual({
      name: "rate_limited_31",
      says: "429 with Retry-After: 31.",
      kind: "models",
      place: "path",
      takes: null,
      outcome: null,
      delayMs: 0,
      baseUrl: `${simulator.url}/rate_limited_31`,
      expect: {
        cause: "rate_limited",
        owner: "nobody",
        health: "degraded",
        attempts: 1,
        httpStatus: 429,
        afterSeconds: 31,
        modelCount: null,
        hangs: false,
      },
    });
  });

  test("a request is recorded as it came", async () => {
    const headers = { authorization: "Bearer planted", accept: "a/b" };
    await models(simulator.baseUrl("html_200"), { headers });
    const from = { method: "GET", path: "/html_200/v1/models", gateway: "html_200", scenario: "html_200" };
    expect(simulator.requests).toMatchObject([{ ...from, headers, body: "" }]);
  });

  test("a redirect leads to another host, which records who follows", async () => {
    const answer = await models(simulator.baseUrl("redirect_301"), { redirect: "manual" });
    expect(answer.headers.get("location")).toBe(`${simulator.elsewhere}/v1/models`);
    expect(simulator.requests.filter((request) => request.gateway === "elsewhere")).toEqual([]);
    const headers = { authorization: "Bearer led-astray" };
    await models(simulator.elsewhere, { headers });
    expect(simulator.requests.at(-1)).toMatchObject({ gateway: "elsewhere", headers });
  });
});

describe("the service", () => {
  test.each([
    [null, 401, "missing_api_key"],
    ["sim-key-nobody", 401, "invalid_api_key"],
    [SIMULATOR_KEYS.revoked, 401, "api_key_revoked"],
    [SIMULATOR_KEYS.emptyBalance, 402, "insufficient_balance"],
    [SIMULATOR_KEYS.spentQuota, 429, "quota_exceeded"],
    [SIMULATOR_KEYS.wrongGroup, 403, "model_group_restricted"],
  ])("the key %s is answered with %i %s", async (key, status, code) => {
    const answer = await ask("/v1/models", { key });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test.each([
    ["/v1/chat/completions", "{", 400, "invalid_json"],
    ["/v1/chat/completions", {}, 400, "missing_model"],
    ["/v1/chat/completions", { model: "acme/sim-chat-small" }, 404, "model_not_found"],
    ["/v1/embeddings", { model: "sim-chat-small", input: "ping" }, 400, "embedding_not_supported"],
    ["/v1/models", {}, 405, "method_not_allowed"],
  ])("%s refuses %j with %i %s", async (path, body, status, code) => {
    const answer = await ask(path, { body });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test.each([
    ["healthy", "/v1/videos", "sim-video", "queued queued running succeeded"],
    ["healthy", "/v1/images/generations", "sim-image-async", "PENDING PENDING RUNNING SUCCEEDED"],
    ["video_expired", "/v1/videos", "sim-video", "queued queued running 404"],
    ["video_job_failed", "/v1/video/generations", "sim-video", "NOT_START NOT_START IN_PROGRESS FAILURE"],
  ])("%s: a task at %s of %s goes through %s", async (scenario, path, model, states) => {
    const { json: created } = await ask(path, { body: { model, prompt: "a cat" } }, scenario);
    const seen: unknown[] = [created.status ?? created.data.status];
    for (let n = 0; n < 3; n += 1) {
      const { status, json } = await ask(`${path}/${created.id ?? created.data.task_id}`, {}, scenario);
      seen.push(status === 200 ? (json.status ?? json.data.status) : status);
    }
    expect(seen.join(" ")).toBe(states);
  });
});

describe("the wire", () => {
  const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 526\r\n\r\n";
  const askWire = (scenario: string, headers = {}) => askRaw(simulator.baseUrl(scenario), { headers });

  test.each([
    ["whole", "k/y+1=%"],
    ["url_encoded", "k%2Fy%2B1%3D%25"],
    ["base64", "ay95KzE9JQ=="],
    ["base64url", "ay95KzE9JQ"],
    ["percent_every_byte", "%6b%2f%79%2b%31%3d%25"],
    ["basic", "Basic dXNlcjprL3krMT0l"],
    ["first_half", "k/y+..."],
    ["last_half", "...+1=%"],
    ["hex", "6b2f792b313d25"],
  ])("the key comes back %s as %s", async (disguise, echoed) => {
    const answer = await askWire(`echo_key_${disguise}`, { authorization: "Bearer k/y+1=%" });
    const message = `The key ${echoed} is not valid; got "authorization: ${echoed}".`;
    expect(JSON.parse(bodyOf(answer)).error.message).toBe(message);
    expect(headLines(answer)).toContain(`server: ${echoed}`);
  });

  test.each([
    ["reset_before_headers", "by a reset", ""],
    ["close_before_headers", "by the server", ""],
    ["reset_after_headers", "by a reset", HEAD],
    ["not_http", "by the server", "220 mail.simulator.invalid ready\r\n"],
  ])("%s ends %s after %j", async (scenario, ended, bytes) => {
    expect(await askWire(scenario)).toEqual({ ended, bytes });
  });

  test.each([
    ["refused", "ECONNREFUSED"],
    ["tls_garbage", "ERR_SSL_WRONG_VERSION_NUMBER"],
    ["tls_untrusted", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("%s fails with %s", async (scenario, code) => {
    const failure: unknown = await fetch(simulator.baseUrl(scenario)).catch((error: unknown) => error);
    expect(((failure as Error).cause as NodeJS.ErrnoException).code).toBe(code);
  });
});

describe("its end", () => {
  const source = (path: string) => fileURLToPath(new URL(`../../src/local/${path}`, import.meta.url));

  test("close ends listeners and connections, also silent ones, and may be called twice", async () => {
    const own = await startSimulator();
    const sockets = ["no_answer", "delay_60000", "body_endless"].map((name) => openRaw(own.baseUrl(name)));
    const ends = sockets.map((socket) => {
      socket.on("error", () => {}).resume();
      return once(socket, "close");
    });
    await expect.poll(() => own.requests.length).toBe(3);
    await Promise.all([own.close(), own.close(), ...ends]);
    for (const url of [own.url, own.elsewhere, own.baseUrl("tls_garbage"), own.baseUrl("tls_untrusted")]) {
      const failure: unknown = await fetch(url).catch((error: unknown) => error);
      expect(((failure as Error).cause as NodeJS.ErrnoException).code).toBe("ECONNREFUSED");
    }
  });

  test("a taken port is an error, and leaves nothing open", async () => {
    const { port } = new URL(simulator.url);
    await expect(startSimulator({ port: Number(port) })).rejects.toThrow("EADDRINUSE");
    const args = [source("simulate.ts"), "--port", port];
    const stderr: unknown = expect.stringMatching(/cannot start: .*EADDRINUSE/);
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ code: 2, stderr });
  });

  test("--list prints every path once, with what the gateway there does, and ends with 0", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [source("simulate.ts"), "--list"]);
    const told = [...stdout.matchAll(/^ {2}\/(\S+) +(.+)$/gm)].map(([, name, says]) => [name, says]);
    const expected = SCENARIOS.filter(({ place }) => place === "path").map(({ name, says }) => [name, says]);
    expect(told.slice(0, expected.length)).toEqual(expected);
    expect(told.at(-1)?.[0]).toMatch(/<n>/);
  });

  test.each([
    [["--port", "8080"], { port: 8080, host: "127.0.0.1" }],
    [["--port", "0", "--host", "::1"], { port: 0, host: "::1" }],
    [[], null],
    [["--port", "65536"], null],
    [["--port", "-1"], null],
    [["--port", "80", "--nonsense"], null],
    [["--list"], "list"],
  ])("the arguments %j mean %j", (args, order) => {
    expect(readArguments(args)).toEqual(order);
  });
});
