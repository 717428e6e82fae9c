import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readArguments } from "../../src/local/simulate.ts";
import { addressOf } from "../../src/simulator/read-request.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { MAX_REQUESTS, type RecordedRequest, Recorder } from "../../src/simulator/recorder.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { openRaw } from "./raw-client.ts";
import { askService } from "./service-client.ts";
import { freshSimulator } from "./support/playing.ts";

const simulator = await freshSimulator();

const models = (base: string, init: RequestInit = {}) =>
  fetch(`${base}/v1/models`, { headers: { authorization: "Bearer sim-key-good" }, ...init });
const statusesOf = async (...bases: readonly string[]) => {
  const seen: number[] = [];
  for (const base of bases) seen.push((await models(base)).status);
  return seen;
};
const command = (order: unknown) => askService(`${simulator.url}/__control`, { body: order });

describe("addresses", () => {
  test.each([
    ["/v1/models", { type: "gateway", name: "healthy", scenario: "healthy", path: "/v1/models" }],
    ["/api/tokens?x=1", { type: "gateway", name: "healthy", scenario: "healthy", path: "/api/tokens" }],
    ["/html_200/v1/models", { type: "gateway", name: "html_200", scenario: "html_200", path: "/v1/models" }],
    ["/g/a%20b/v1/models", { type: "gateway", name: "g/a b", scenario: "healthy", path: "/v1/models" }],
    ["http://host/504/v1/models", { type: "gateway", name: "504", scenario: "504", path: "/v1/models" }],
    ["/", { type: "own", path: "/" }],
    ["/__scenarios", { type: "own", path: "/__scenarios" }],
  ])("%s", (target, address) => {
    expect(addressOf(target)).toEqual(address);
  });

  test("a scenario that does not exist says so", async () => {
    const answer = await askService(`${simulator.url}/no_such_thing/v1/models`);
    expect(answer.status).toBe(404);
    expect(answer.json.error.code).toBe("unknown_scenario");
    expect(() => simulator.baseUrl("no_such_thing")).toThrow("The simulator has no scenario no_such_thing.");
  });
});

describe("named gateways", () => {
  test("one works until it is told to answer with HTML, and works again", async () => {
    const base = simulator.named("acme");
    expect((await models(base)).headers.get("content-type")).toBe("application/json");
    expect((await command({ for: "acme", scenario: "html_200" })).status).toBe(200);
    expect((await models(base)).headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect((await models(simulator.named("other"))).headers.get("content-type")).toBe("application/json");
    simulator.play("acme", "healthy");
    expect((await models(base)).headers.get("content-type")).toBe("application/json");
  });

  test("a sequence is one scenario a request, the last one for ever", async () => {
    await command({ for: "acme", sequence: ["503_always", "balance_402", "healthy"] });
    expect(await statusesOf(...Array(4).fill(simulator.named("acme")))).toEqual([503, 402, 200, 200]);
  });

  test("their counters are their own", async () => {
    simulator.play("a", "503_then_200");
    simulator.play("b", "503_then_200");
    const bases = ["a", "b", "a", "b", "a"].map((name) => simulator.named(name));
    expect(await statusesOf(...bases)).toEqual([503, 503, 200, 200, 503]);
  });

  test("503 four times is four times, and then it works", async () => {
    const bases = Array(6).fill(simulator.baseUrl("503_four_times"));
    expect(await statusesOf(...bases)).toEqual([503, 503, 503, 503, 200, 200]);
  });

  test("tasks outlive a change of scenario", async () => {
    const base = simulator.named("acme");
    const headers = { authorization: "Bearer sim-key-good" };
    const body = JSON.stringify({ model: "sim-video" });
    await fetch(`${base}/v1/videos`, { method: "POST", headers, body });
    simulator.play("acme", "any_key");
    expect((await fetch(`${base}/v1/videos/video_sim_000001`, { headers })).status).toBe(200);
  });

  test.each([
    ["not JSON", "{"],
    ["no name", '{"scenario":"healthy"}'],
    ["no scenario", '{"for":"acme"}'],
    ["an unknown scenario", '{"for":"acme","scenario":"nonsense"}'],
    ["a scenario without a path", '{"for":"acme","scenario":"refused"}'],
    ["an empty sequence", '{"for":"acme","sequence":[]}'],
  ])("an order with %s is refused", async (_fault, body) => {
    expect((await fetch(`${simulator.url}/__control`, { method: "POST", body })).status).toBe(400);
    expect((await models(simulator.named("acme"))).status).toBe(200);
  });

  test("a wrong name throws in the program", () => {
    expect(() => simulator.play("acme", "nonsense")).toThrow("There is no scenario nonsense for a gateway.");
  });
});

describe("what it shows", () => {
  test("names are unique, fit into a path as they are, and hide no address of its own", () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(?!(?:g|v1|api)$)[a-z0-9_]+$/.test(name))).toEqual([]);
  });

  test("the list of scenarios carries expectations and base URLs", async () => {
    const { json: list } = await askService(`${simulator.url}/__scenarios`);
    expect(list).toHaveLength(SCENARIOS.length);
    expect(list.find((known: { name: string }) => known.name === "rate_limited_31")).toEqual({
      name: "rate_limited_31",
      says: "429 with Retry-After: 31.",
      kind: "models",
      place: "path",
      takes: null,
      outcome: null,
      note: null,
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

  test("the page names every scenario", async () => {
    const page = await (await fetch(`${simulator.url}/`)).text();
    for (const { name } of SCENARIOS) expect(page).toContain(`<tr id="${name}">`);
  });

  test("a request is recorded as it came, and can be forgotten", async () => {
    const headers = { authorization: "Bearer planted", accept: "a/b" };
    await models(simulator.baseUrl("html_200"), { headers });
    const from = { method: "GET", path: "/html_200/v1/models", gateway: "html_200", scenario: "html_200" };
    expect(simulator.requests).toMatchObject([{ ...from, headers, body: "" }]);
    expect(await (await fetch(`${simulator.url}/__requests`)).json()).toHaveLength(1);
    expect((await fetch(`${simulator.url}/__requests`, { method: "DELETE" })).status).toBe(204);
    expect(simulator.requests).toEqual([]);
  });

  test("no more than 10,000 requests are kept, the newest", () => {
    const recorder = new Recorder();
    const asked = { at: 0, method: "GET", path: "/", gateway: "g", scenario: null, headers: {} };
    const request: RecordedRequest = { ...asked, body: "x".repeat(5000), requestId: "" };
    for (let at = 0; at < MAX_REQUESTS + 5; at += 1) recorder.record({ ...request, at });
    expect([recorder.requests.length, recorder.requests[0]?.at]).toEqual([10_000, 5]);
    expect(recorder.requests[0]?.body).toHaveLength(2000);
  });

  test.each([301, 302, 303, 307, 308])(
    "%i leads to another host, which records who follows",
    async (status) => {
      const base = simulator.baseUrl(`redirect_${status}`);
      const answer = await models(base, { redirect: "manual" });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("location")).toBe(`${simulator.elsewhere}/v1/models`);
      expect(simulator.requests.filter((request) => request.gateway === "elsewhere")).toEqual([]);
      const headers = { authorization: "Bearer led-astray" };
      await models(simulator.elsewhere, { headers });
      expect(simulator.requests.at(-1)).toMatchObject({ gateway: "elsewhere", headers });
    },
  );

  test("a delayed answer is overtaken by one that was asked for later", async () => {
    const order: string[] = [];
    const delayed = models(simulator.baseUrl("delay_300")).then(() => order.push("delayed"));
    await expect.poll(() => simulator.requests.length).toBe(1);
    await models(simulator.url).then(() => order.push("at once"));
    await delayed;
    expect(order).toEqual(["at once", "delayed"]);
  });

  test("a list is as long as its name says", async () => {
    expect((await askService(`${simulator.baseUrl("models_3")}/v1/models`)).json.data).toHaveLength(3);
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

  test("a program that closed its simulator ends by itself", async () => {
    const program = `
      const { startSimulator } = await import(${JSON.stringify(source("../simulator/simulator.ts"))});
      const { connect } = await import("node:net");
      const simulator = await startSimulator();
      connect(simulator.port, "127.0.0.1").on("error", () => {}).write("GET /byte_a_second/v1/models HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n");
      while (simulator.requests.length === 0) await new Promise(setImmediate);
      await simulator.close();
      console.log("closed");`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    expect((await run).stdout).toBe("closed\n");
  });

  test("a taken port is an error, and leaves nothing open", async () => {
    await expect(startSimulator({ port: simulator.port })).rejects.toThrow("EADDRINUSE");
    const args = [source("simulate.ts"), "--port", String(simulator.port)];
    const stderr: unknown = expect.stringMatching(/cannot start: .*EADDRINUSE/);
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ code: 2, stderr });
  });

  test("the command runs until SIGTERM and ends with 0", async () => {
    const child = spawn(process.execPath, [source("simulate.ts"), "--port", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const base = /http:\/\/127\.0\.0\.1:\d+/.exec(line.toString())![0];
    expect((await models(base)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
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
