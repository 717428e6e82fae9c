/** The steps of action.yml, run by a shell as GitHub runs them, with the commands of this repository. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { serveInTurn, status } from "../probe/small-server.ts";
import { folderOfTest } from "./folder.ts";

const fileOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const ACTION = parse(readFileSync(fileOf("action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
};
const KEY = "sk-of-the-action-0123456789";

async function act(inputs: Readonly<Record<string, string>>) {
  const folder = folderOfTest();
  const at = (name: string) => join(folder, name);
  const files = {
    GITHUB_STEP_SUMMARY: at("summary"),
    GITHUB_OUTPUT: at("output"),
    ARGUMENTS: at("arguments"),
  };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const npx = `#!/bin/sh\necho "$@" > "$ARGUMENTS"\n[ "$2" != gatepulse@9.9.9 ] || exit 1\nshift 2\nexec node ${fileOf("src/commands/main.ts")} "$@"\n`;
  writeFileSync(at("npx"), npx, { mode: 0o755 });
  const [step] = ACTION.runs.steps;
  const given = Object.entries(step?.env ?? {}).map(([name, value]) => [
    name,
    value.replace(
      /^\$\{\{ inputs\.([\w-]+) \}\}$/,
      (_, of: string) => inputs[of] ?? ACTION.inputs[of]?.default ?? "",
    ),
  ]);
  const env = { ...files, ...Object.fromEntries(given), PATH: `${folder}:${process.env["PATH"]}` };
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""];
  const ran = await new Promise<{ code: number; said: string }>((resolve) => {
    execFile("bash", shell, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
  const [summary = "", output, args = ""] = Object.values(files).map((file) => readFileSync(file, "utf8"));
  expect(ran.said + summary + args).not.toContain(KEY);
  return { ...ran, summary, output, args };
}

const HOSTILE = "</details><img src=x> @org #1\n# [x](https://evil.example) `c` ![i](x) " + KEY;

test("a gateway that fails is in the summary, with its words as plain text", async () => {
  const body = JSON.stringify({ error: { message: HOSTILE, code: "insufficient_balance" } });
  const { url, seen } = await serveInTurn(status(402, body, { "content-type": "application/json" }));
  const { code, said, summary, output, args } = await act({ "base-url": url, "api-key": KEY });
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect({ code, output }).toEqual({ code: 0, output: "code=3\n" });
  expect(said).toMatch(/^::stop-commands::(\S+)\n[^]*balance[^]*\n::\1::\n/m);
  expect(args).toMatch(/^--yes gatepulse@0\.3\.0 probe --summary \S+ -- http:\S+\n$/);
  expect(summary).toMatch(/^### Gatepulse: BLOCKED {2}insufficient_balance, your turn\n\nCheck the balance/);
  expect(summary).toContain(`- endpoint: ${url}/v1/models\n`);
  const message = summary.split("\n").find((line) => line.startsWith("- message: "));
  expect(message).toContain(
    String.raw`\</details\>\<img src=x\> ` +
      "@\u200borg #\u200b1 #\u200b \\[x\\](https:\u200b//evil.\u200bexample)",
  );
  expect(message?.slice(2)).not.toMatch(/(?<!\\)[<>`[\]]|@\w/);
});

test("with fail: true the step ends as the command", async () => {
  const { url } = await serveInTurn(status(401, '{"error":{"code":"invalid_api_key"}}'));
  expect(await act({ "base-url": url, "api-key": KEY, fail: "true" })).toMatchObject({ code: 3 });
});

test("a log is explained", async () => {
  const log = join(folderOfTest(), "log");
  writeFileSync(log, 'HTTP/1.1 429 Too Many Requests\nretry-after: 20\n\n{"error":{"message":"slow down"}}');
  const { code, summary } = await act({ log });
  expect({ code, summary }).toEqual({
    code: 0,
    summary: expect.stringMatching(/^### Gatepulse: DEGRADED {2}rate_limited\n/),
  });
});

test("a mistake of the workflow fails the step", async () => {
  expect(await act({ "base-url": "--help me", "api-key": KEY })).toMatchObject({ code: 2, summary: "" });
  expect(await act({ "base-url": "https://api.acme.example" })).toMatchObject({ code: 2, summary: "" });
});

test("a version that npm does not have fails the step", async () => {
  const ran = await act({ "base-url": "https://api.acme.example", "api-key": KEY, version: "9.9.9" });
  expect(ran).toMatchObject({ code: 1, output: "", summary: "" });
});

test("the default is this version", () => {
  const { version } = JSON.parse(readFileSync(fileOf("package.json"), "utf8")) as { version: string };
  expect(ACTION.inputs["version"]?.default).toBe(version);
});
