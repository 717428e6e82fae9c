/** A clone of 0.2.0 with what it recorded, and the project that the packed package makes of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package/root.ts";
import { addressOf } from "../local/program.ts";
import { cloneFiles, writeClone } from "../project/clone.ts";
import { startStory } from "../stored/runtime.ts";
import type { Left } from "../stored/stored.ts";
import { DEPLOYS } from "../stored/story.ts";
import { newMachine, packed } from "./machine.ts";

const { stored, answers } = JSON.parse(
  gunzipSync(readFileSync(packagePath("test/fixtures/stored/0.2.0.json.gz"))).toString(),
) as Left;

test("history and incidents of a clone of 0.2.0 are on the page of its project", async () => {
  const config = DEPLOYS.at(-1)?.config;
  if (config === undefined) throw new Error("nothing was deployed");
  const machine = await newMachine({ node: 24, manager: "npm" }, {});
  const clone = join(machine.directory, "clone");
  const project = join(machine.directory, "status");
  const { ".gatepulse/kv/blob": _, ...files } = cloneFiles();
  const source = `import { defineConfig } from "./src/config/define-config.ts";\nexport default defineConfig(${JSON.stringify(config)});\n`;
  writeClone(clone, { ...files, "gatepulse.config.ts": source });
  const story = await startStory(config, join(clone, ".gatepulse"));
  await story.ask({ do: "putBack", stored });
  await story.stop();

  const tarball = await packed();
  const init = ["gatepulse", "init", "--from", clone, project, "--package", tarball];
  await machine.run("npx", ["--yes", "--package", tarball, "--", ...init]);
  await machine.run("npm", ["install"], project);
  const program = machine.start("npx", ["gatepulse", "start", "--port", "0"], project);
  const address = await addressOf(program);
  const after = await (await fetch(`${address}${INCIDENTS}`)).text();
  await program.stop();
  const before = idsOf(answers[INCIDENTS]?.text ?? "");
  expect(before.length).toBeGreaterThan(0);
  expect(idsOf(after)).toEqual(expect.arrayContaining(before));
});

const INCIDENTS = "/api/v1/incidents";

function idsOf(answer: string): string[] {
  return (JSON.parse(answer) as { incidents: readonly { id: string }[] }).incidents.map(({ id }) => id);
}
