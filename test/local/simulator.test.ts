/** The simulated gateways themselves: addresses, keys, tasks, wires and their end. What scenarios mean is proved by test/probe. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { askRaw, bodyOf, headLines, openRaw } from "./raw-client.ts";
import { freshSimulator } from "./support/playing.ts";

const simulator = await freshSimulator();

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${simulator.url}${path}`, init);
  return { status: answer.status, json: JSON.parse(await answer.text()) };
};
const models = (base: string, init: RequestInit = {}) =>
  fetch(`${base}/v1/models`, { headers: { authorization: "Bearer sim-key-good" }, ...init });
const statusesOf = async (...bases: readonly string[]) => {
  const seen: number[] = [];
  for (const base of bases) seen.push((await models(base)).status);
  return seen;
};
const command = (order: string) => ask("/__control", { method: "POST", body: order });

test("a scenario that does not exist says so", async () => {
  const answer = await ask("/no_such_thing/v1/models");
  expect([answer.status, answer.json.error.code]).toEqual([404, "unknown_scenario"]);
  expect(() => simulator.baseUrl("no_such_thing")).toThrow("The simulator has no scenario no_such_thing.");
});

describe("named gateways", () => {
  test("one works until an order makes it answer with HTML, and works again", async () => {
    const base = simulator.named("acme");
    expect((await models(base)).headers.get("content-type")).toBe("application/json");
    expect((await command('{"for":"acme","scenario":"html_200"}')).status).toBe(200);
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

  test("an order that makes no sense is refused, and changes nothing", async () => {
    for (const body of ["{", '{"for":"acme"}', '{"for":"acme","scenario":"refused"}']) {
      expect((await command(body)).status).toBe(400);
    }
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
    const { json: list } = await ask("/");
    expect(list).toHaveLength(SCENARIOS.length);
    expect(list).toContainEqual(
      expect.objectContaining({
        name: "rate_limited_31",
        baseUrl: `${simulator.url}/rate_limited_31`,
        expect: expect.objectContaining({ cause: "rate_limited", afterSeconds: 31 }),
      }),
    );
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

test.each([
  ["whole", "k/y+1=%"],
  ["url_encoded", "k%2Fy%2B1%3D%25"],
  ["base64", "ay95KzE9JQ=="],
  ["basic", "Basic dXNlcjprL3krMT0l"],
  ["first_half", "k/y+..."],
])("the key comes back %s as %s", async (disguise, echoed) => {
  const headers = { authorization: "Bearer k/y+1=%" };
  const answer = await askRaw(simulator.baseUrl(`echo_key_${disguise}`), { headers });
  const message = `The key ${echoed} is not valid; got "authorization: ${echoed}".`;
  expect(JSON.parse(bodyOf(answer)).error.message).toBe(message);
  expect(headLines(answer)).toContain(`server: ${echoed}`);
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

  test.each<[string[]]>([[[]], [["--port", "65536"]], [["--port", "0", "0.0.0.0"]], [["--ports", "0"]]])(
    "%j are no arguments for it: it prints its usage, and ends with 2",
    async (args) => {
      const stderr: unknown = expect.stringMatching(/^usage: npm run simulate -- --port N/);
      const run = promisify(execFile)(process.execPath, [source("simulate.ts"), ...args]);
      await expect(run).rejects.toMatchObject({ code: 2, stderr });
    },
  );
});
