/** The program itself, as a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { spread } from "../extent.ts";
import { folderOfTest } from "./folder.ts";

const MAIN = fileURLToPath(new URL("../../src/commands/main.ts", import.meta.url));

const simulator = await simulatorOfFile();

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function gatepulse(args: readonly string[], env: Record<string, string> = {}, stdin = ""): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, ...env } });
    const ended = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (ended.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (ended.stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...ended }));
    child.stdin.end(stdin);
  });
}

test("a body without end is given up, and the program ends", async () => {
  const ended = await gatepulse(["probe", simulator.baseUrl("body_endless"), "--json"], {
    GATEWAY_API_KEY: "k-0123456789",
  });
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ attempts: [{ error: { code: "body_over_limit" } }] });
});

const HAS_CURL = spawnSync("curl", ["--version"]).status === 0;

/** Without curl on the machine there is nothing to pipe. */
describe.runIf(HAS_CURL)("what curl -i prints, piped into explain", () => {
  async function curl(scenario: string): Promise<string> {
    const child = spawn("curl", [
      "-si",
      "--max-time",
      "20",
      `${simulator.baseUrl(scenario)}/v1/models`,
      "-H",
      `Authorization: Bearer ${SIMULATOR_KEYS.good}`,
    ]);
    let printed = "";
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) printed += chunk.toString();
    return printed;
  }

  const answers = [
    ["balance_402", 3, "insufficient_balance", 402],
    ["healthy", 0, "ok", 200],
  ] as const;
  test.each(answers)("%s: exit code %d", async (scenario, code, cause, httpStatus) => {
    const ended = await gatepulse(["explain", "--kind", "models", "--json"], {}, await curl(scenario));
    expect([ended.code, ended.stderr]).toEqual([code, ""]);
    const expected = { takenFor: { form: "http", kind: "models" }, diagnosis: { cause, httpStatus } };
    expect(JSON.parse(ended.stdout)).toMatchObject(expected);
  });
});

const FAULTY: readonly (readonly [string, string])[] = [
  ["export default { a: b c };", "SyntaxError at line 1, column 23: Expected ',', got 'ident'"],
  ['export default {\n  a: "x\n};', "SyntaxError at line 2, column 6: Unterminated string constant"],
  [
    "enum A { B }\nexport default {};",
    "SyntaxError at line 1, column 1: TypeScript enum is not supported in strip-only mode",
  ],
];

test.each(spread(FAULTY, 2))("check of the file %j says what is wrong, and where", async (text, words) => {
  const file = join(folderOfTest(), "c.ts");
  writeFileSync(file, text);
  expect(await gatepulse(["check", file])).toEqual({
    code: 2,
    stdout: "",
    stderr: `gatepulse check: ${file} cannot be loaded (${words})\nSee gatepulse check --help.\n`,
  });
});
