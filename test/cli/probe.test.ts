import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { simulatorOfFile } from "../probe/simulated.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { type Ran, runCli, type World } from "./fake-io.ts";
import { rounds } from "../extent.ts";

const simulator = await simulatorOfFile();
beforeEach(() => simulator.clear());

const ENV = { GATEWAY_API_KEY: SIMULATOR_KEYS.good };

function probe(scenario: string, args: readonly string[] = [], world: Partial<World> = {}): Promise<Ran> {
  return runCli(["probe", simulator.baseUrl(scenario), ...args], { env: ENV, ...world });
}

test("probe --json of a good gateway prints one object and ends with 0", async () => {
  const { code, stdout, stderr } = await probe("healthy", ["--json"]);
  expect(code).toBe(0);
  expect(stderr).toBe("");
  expect(stdout.endsWith("}\n")).toBe(true);
  expect(JSON.parse(stdout)).toMatchObject({
    startedAt: "1970-01-01T00:16:40.000Z",
    durationMs: 0,
    endpoint: `${simulator.url}/healthy/v1/models`,
    attempts: [{ httpStatus: 200, error: null, durationMs: 0, retryAfter: null, waitedMs: 0 }],
    diagnosis: { ok: true, cause: "ok", owner: "nobody" },
    report: null,
  });
  const expected = "startedAt durationMs endpoint attempts modelCount diagnosis report".split(" ");
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(expected);
});

test("probe --json of a failing gateway has a report with the zone of this machine", async () => {
  const { stdout } = await probe("balance_402", ["--json"]);
  const endpoint = `${simulator.url}/balance_402/v1/models`;
  expect(JSON.parse(stdout)).toMatchObject({
    modelCount: null,
    diagnosis: { cause: "insufficient_balance", docs: expect.stringMatching(/#insufficient_balance$/) },
    report: {
      id: null,
      schemaVersion: 1,
      endpoint,
      requestedAt: "1970-01-01T08:16:40.000+08:00",
      timeZone: "Asia/Shanghai",
      httpStatus: 402,
      errorCode: "insufficient_balance",
      retried: false,
      attempts: 1,
      reproduce: `curl -gsSi --max-time 30 -H "Authorization: Bearer $GATEWAY_API_KEY" -H 'Accept: application/json' --url '${endpoint}'`,
    },
  });
});

test.each([
  ["healthy", 0],
  ["html_502", 1],
  ["reset_before_headers", 1],
  ["tls_untrusted", 1],
  ["unresolvable", 1],
  ["unauthorized_invalid", 3],
  ["balance_402", 3],
  ["rate_limited", 4],
])("%s ends with %d", async (scenario, code) => {
  expect((await probe(scenario)).code).toBe(code);
});

test("with --operator us the operator's turn is yours, with the same exit code", async () => {
  const { code, stdout } = await probe("html_500", ["--operator", "us", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).diagnosis).toMatchObject({ owner: "operator", turn: "us" });
});

test("a wait over 30 s is not waited: run later", async () => {
  const { code, stdout, clock } = await probe("rate_limited_31");
  expect(code).toBe(4);
  expect(clock.waits).toEqual([]);
  expect(stdout).toContain("Run later: the gateway asks to wait 31 s.\n");
});

test("the key comes from the default variable, from a named one, or from standard input", async () => {
  const sent = (): unknown => simulator.requests.at(-1)?.headers["authorization"];
  await probe("any_key", [], { env: { GATEWAY_API_KEY: "key-one" } });
  expect(sent()).toBe("Bearer key-one");
  await probe("any_key", ["--key-env", "OTHER"], { env: { GATEWAY_API_KEY: "key-one", OTHER: "key-two" } });
  expect(sent()).toBe("Bearer key-two");
  const failed = await probe("balance_402", ["--key-env", "OTHER"], { env: { OTHER: SIMULATOR_KEYS.good } });
  expect(failed.stdout).toContain('-H "Authorization: Bearer $OTHER"');
  await probe("any_key", [], { env: {}, stdin: "key-three\r\n" });
  expect(sent()).toBe("Bearer key-three");
});

test.each<[string, Partial<World>, readonly string[]]>([
  ["no variable and a terminal", { env: {}, stdin: null }, []],
  ["no variable and empty input", { env: {}, stdin: "" }, []],
  ["an empty variable and a terminal", { env: { GATEWAY_API_KEY: " " }, stdin: null }, []],
  ["a named variable that is not set", { env: {}, stdin: "key" }, ["--key-env", "NOPE"]],
  ["an input that is too long for a key", { env: {}, stdin: "k".repeat(70_000) }, []],
])("without a key (%s) nothing is sent and the exit code is 2", async (_why, world, args) => {
  const { code, stdout, stderr } = await probe("any_key", args, world);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^gatepulse probe: .*\nSee gatepulse probe --help\.\n$/);
  expect(simulator.requests).toHaveLength(0);
});

test.each([
  [["https://api.example.com/v1"], "contains /v1"],
  [["http://api.example.com"], "--insecure-http"],
  [["api.example.com"], "is not a web address"],
  [[], "baseUrl is missing"],
  [["https://api.example.com", "sk-secret-0123456789"], "give at most one baseUrl"],
  [["https://api.example.com", "--key=sk-secret-0123456789"], "unknown option"],
  [["https://api.example.com", "--key-env"], "option"],
  [["https://api.example.com", "--operator", "sk-secret-0123456789"], "--operator is one of us"],
  [["https://api.example.com", "--key-env", "sk-secret-0123456789"], "never the key itself"],
])("%j is wrong usage: exit code 2, and the words do not repeat it", async (args, words) => {
  const { code, stdout, stderr } = await runCli(["probe", ...args], { env: ENV });
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(words);
  expect(stderr).not.toContain("sk-secret");
});

test("a key that cannot be sent is the caller's: exit code 3, and nothing is sent", async () => {
  const { code, stdout } = await probe("any_key", [], { env: { GATEWAY_API_KEY: "sk-1\nX: y" } });
  expect(code).toBe(3);
  expect(stdout).toContain("GATEWAY_API_KEY cannot be sent");
  expect(simulator.requests).toHaveLength(0);
});

test("on a pipe the text is plain and the advice is on its own line", async () => {
  const { stdout, stderr } = await probe("503_four_times");
  expect(stderr).toBe("");
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toContain("DOWN  upstream_unavailable, the provider's turn\n");
  const expected = "attempts    4 (503, 503, 503, 503); the last took 0 ms; waited 7.0 s between them\n";
  expect(stdout).toContain(expected);
  expect(stdout).toMatch(/\n\nThe gateway got no answer[^\n]*\n/);
});

test("an attempt that broke off after its headers shows its status and what broke", async () => {
  const words = "attempts  1 (200 connection_failed); the last took 0 ms\n";
  expect((await probe("reset_in_body")).stdout).toContain(words);
  expect((await probe("refused")).stdout).toContain("1 (connection_failed);");
});

test("on a terminal there is colour, and a line for each step, also with --json", async () => {
  const { stdout, stderr } = await probe("503_four_times", [], { isTTY: true });
  expect(stdout).toContain("\u001b[31mDOWN\u001b[0m");
  expect(stderr).toContain("Attempt 1 of 4: waiting for the answer …");
  expect(stderr).toContain("The answer was 503; attempt 2 of 4 in 1.0 s …");
  expect(stderr).toContain("Attempt 4 of 4: waiting for the answer …");
  const json = await probe("html_500", ["--json"], { isTTY: true });
  expect(json.stderr).toBe("Attempt 1 of 4: waiting for the answer …\n");
});

test("nothing that a gateway says steers the terminal", async () => {
  const { stdout } = await probe("message_controls", [], { isTTY: true, env: { ...ENV, NO_COLOR: "1" } });
  // oxlint-disable-next-line no-control-regex -- the claim is that there are none
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
});

test("a random key that the gateway echoes is nowhere in the output, and neither is it in the address", async () => {
  const echoes = [
    "echo_key_in_envelope",
    "echo_key_in_page",
    "echo_key_in_location",
    "echo_key_in_request_id",
  ];
  const key = fc.stringMatching(/^[A-Za-z0-9_-]{16,48}$/);
  await fc.assert(
    fc.asyncProperty(key, fc.constantFrom(...echoes), fc.boolean(), async (secret, scenario, json) => {
      const { stdout, stderr } = await runCli(
        ["probe", `${simulator.baseUrl(scenario)}/${secret}`, ...(json ? ["--json"] : [])],
        { env: { GATEWAY_API_KEY: secret } },
      );
      expect(stdout.length).toBeGreaterThan(100);
      for (let start = 0; start + 12 <= secret.length; start += 1) {
        expect(stdout + stderr).not.toContain(secret.slice(start, start + 12));
      }
    }),
    { numRuns: rounds(6, 40) },
  );
});
