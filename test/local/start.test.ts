import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type StatusDocument, statusSchema } from "../../src/history/documents.ts";
import { readOrder } from "../../src/local/start.ts";
import { addressOf, eventually, type Program, start } from "./program.ts";
import { fetchDescribed } from "./support/described-fetch.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const directory = await directoryOfFile();

function monitor(...args: string[]): Program {
  return start("node", ["src/local/start.ts", "--port", "0", ...args]);
}

async function statusOf(address: string): Promise<StatusDocument | null> {
  const answer = await fetchDescribed(`${address}/api/v1/status`);
  return answer.ok ? statusSchema().parse(await answer.json()) : null;
}

describe("without a configuration of one's own", () => {
  let program: Program;
  let address: string;
  beforeAll(async () => {
    program = monitor("--tick", "1", "--persist", join(directory, "demo"));
    address = await addressOf(program);
    return async () => expect(await program.stop()).toBe(0);
  });

  test("it watches a simulated gateway, says so, and is true", async () => {
    const complete = (seen: StatusDocument | null): boolean =>
      seen?.gateways.every((of) => of.status !== "unknown") ?? false;
    const status = await eventually(() => statusOf(address), complete);
    const causes = status?.gateways.map((of) => [of.id, of.status, of.monitors[0]?.diagnosis?.cause]);
    expect(causes).toEqual([
      ["healthy", "up", "ok"],
      ["listed-only", "down", "ok"],
      ["empty-account", "blocked", "insufficient_balance"],
      ["error-in-200", "down", "business_error"],
      ["wrong-address", "blocked", "wrong_url"],
      ["rate-limited", "degraded", "rate_limited"],
      ["upstream-out", "down", "upstream_unavailable"],
    ]);
    expect(await (await fetchDescribed(`${address}/`)).text()).toContain("simulated on this machine");
  });
});

test.concurrent("a configuration with faults is refused with all of them, and no secret in the text", async () => {
  const file = join(directory, "faulty.json");
  const gateway = { id: "A B", baseUrl: "https://api.example/v1", apiKey: "sk-abcdefghijklmnopqrstuvwxyz" };
  await writeFile(file, JSON.stringify({ title: "Faulty", gateways: [gateway] }));
  const program = monitor("--config", file);
  expect(await program.ended()).toBe(2);
  expect(program.output()).toContain("gateways[0].baseUrl");
  expect(program.output()).toContain("gateways[0].id");
  expect(program.output()).not.toContain("abcdefghijklm");
});

test.concurrent("a wrong argument is refused with what is wrong, and the usage", async () => {
  const program = monitor("--prot", "3");
  expect(await program.ended()).toBe(2);
  const problem = "unknown option; known here: --config, --port, --host, --tick, --persist, --help";
  expect(program.output()).toContain(`Gatepulse cannot start: ${problem}.\n\nusage: npm start`);
});

test("what is given is taken, and paths begin at the working directory", () => {
  const args = ["--config", "a.json", "--port=0", "--host", "::1", "--tick", "1", "--persist", "b"];
  expect(readOrder(args)).toEqual({
    type: "start",
    order: { configFile: resolve("a.json"), port: 0, host: "::1", tickSeconds: 1, persistDir: resolve("b") },
  });
});

test("without arguments it is the project's own configuration, once a minute, for this machine", () => {
  expect(readOrder([])).toEqual({
    type: "start",
    order: {
      configFile: resolve("gatepulse.config.ts"),
      port: 8787,
      host: "127.0.0.1",
      tickSeconds: 60,
      persistDir: resolve(".gatepulse"),
    },
  });
});

test.each([[["--help"]], [["-h"]], [["--port", "1", "--help"]]])("%j is help", (args) => {
  expect(readOrder(args)).toEqual({ type: "help" });
});

const UNKNOWN = "unknown option; known here: --config, --port, --host, --tick, --persist, --help";
const LACKING = "an option lacks its value, or has one it does not take";

test.each([
  [["--prot", "3"], UNKNOWN],
  [["-p"], UNKNOWN],
  [["--toString=x"], UNKNOWN],
  [["--port"], LACKING],
  [["--port", "--tick", "5"], LACKING],
  [["--help=yes"], LACKING],
  [["3000"], "one argument belongs to no option: write its option before it"],
  [["--", "--port"], "one argument belongs to no option: write its option before it"],
  [["--port", "65536"], "--port is not a whole number from 0 to 65535: write one, such as --port 8787"],
  [["--port="], "--port is not a whole number from 0 to 65535: write one, such as --port 8787"],
  [["--tick", "0"], "--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60"],
  [["--tick", "1.5"], "--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60"],
] as const)("%j is refused: %s", (args, problem) => {
  expect(readOrder(args)).toEqual({ type: "refused", problem });
});

test.each([
  [["--port", "sk-0123456789abcdef"]],
  [["sk-0123456789abcdef"]],
  [["--key=sk-0123456789abcdef"]],
  [["--key", "sk-0123456789abcdef"]],
])("a key that is typed where it does not belong is not printed: %j", (args) => {
  expect(readOrder(args)).toMatchObject({ type: "refused" });
  expect(JSON.stringify(readOrder(args))).not.toContain("0123456789");
});
