/** The examples of docs/plan.md are what the command prints. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../cli/fake-io.ts";
import { folderOfFile } from "../cli/folder.ts";

const TEXT = readFileSync(new URL("../../docs/plan.md", import.meta.url), "utf8");

const folder = folderOfFile();

function block(fence: string): string {
  const start = TEXT.indexOf(`\`\`\`${fence}\n`);
  expect(start, fence).toBeGreaterThan(0);
  const from = start + fence.length + 4;
  return TEXT.slice(from, TEXT.indexOf("```", from));
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
