/** The examples of docs/plan.md and docs/explain.md are what the commands print. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../cli/fake-io.ts";
import { folderOfFile } from "../cli/folder.ts";

const PLAN = readFileSync(new URL("../../docs/plan.md", import.meta.url), "utf8");

const folder = folderOfFile();

function block(fence: string): string {
  const start = PLAN.indexOf(`\`\`\`${fence}\n`);
  expect(start, fence).toBeGreaterThan(0);
  const from = start + fence.length + 4;
  return PLAN.slice(from, PLAN.indexOf("```", from));
}

test("the example's configuration uses what the page says", async () => {
  writeFileSync(join(folder, "gatepulse.config.json"), block("json configuration"));
  const args = "plan gatepulse.config.json --views 2000 --incidents 3";
  const ran = await runCli(args.split(" "), { cwd: folder });
  expect(ran).toMatchObject({ code: 0, stderr: "", stdout: block(`text output of gatepulse ${args}`) });
});

test("fifty gateways in a tick are too much, as the page says", async () => {
  const gateways = Array.from({ length: 50 }, (_, index) => ({
    id: `g${index}`,
    baseUrl: "https://gateway.example",
    apiKey: "GATEWAY_API_KEY",
  }));
  const config = { title: "t", maxProbesPerTick: 50, gateways };
  writeFileSync(join(folder, "fifty.config.json"), JSON.stringify(config));
  const { code, stdout } = await runCli(["plan", "fifty.config.json"], { cwd: folder });
  const words = block("text first lines for fifty gateways");
  expect([code, stdout.slice(0, words.length)]).toEqual([0, words]);
});

const EXPLAIN = readFileSync(new URL("../../docs/explain.md", import.meta.url), "utf8");
const EXAMPLES = [
  ...EXPLAIN.matchAll(
    /^### (.+)\n[^]*?^```text input\n([^]*?)^```\n\n```text output(.*), exit code (\d)\n([^]*?)^```$/gm,
  ),
].map(([, title = "", input = "", args = "", code = "", output = ""]) => ({
  title,
  input,
  args,
  code,
  output,
}));

test("every form has an example", () => {
  expect(EXAMPLES.map(({ output }) => /^taken for {2,}(.+?)(?: \(.*)?$/m.exec(output)?.[1])).toEqual(
    (
      "an HTTP answer|an error that a client printed|an error that a client printed|" +
      "an answer saved as JSON|a JSON body alone|the transcript of an event stream|" +
      "the record of a task|an exchange of a HAR file"
    ).split("|"),
  );
});

test.each(EXAMPLES)("$title", async ({ input, args, code, output }) => {
  const ran = await runCli(["explain", ...args.split(" ").filter((word) => word !== "")], { stdin: input });
  expect(ran.stderr).toBe("");
  expect(ran.stdout.slice(0, output.length)).toBe(output);
  expect(ran.code).toBe(Number(code));
});
