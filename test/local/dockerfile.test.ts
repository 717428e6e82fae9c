/** The Dockerfile of a project: what it starts and how it asks for its health, without Docker. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package/root.ts";
import { renderProject } from "../../src/project/project.ts";
import { eventually, start } from "./program.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const directory = await directoryOfFile();
const answers = { name: "status", gatepulse: "0.3.0", manager: { name: "npm" }, secrets: [] } as const;
const dockerfile = renderProject(answers).get("Dockerfile") ?? "";

/** The program and the arguments of an instruction. */
function wordsOf(instruction: RegExp): readonly string[] {
  return JSON.parse(instruction.exec(dockerfile)?.[1] ?? "[]") as string[];
}

test("the command starts a monitor in a new directory, and its health check fails when it has ended", async () => {
  const gateways = [{ id: "acme", baseUrl: "http://127.0.0.1:9", apiKey: "ACME_API_KEY" }];
  const config = `export default ${JSON.stringify({ title: "Ours", gateways })};\n`;
  await writeFile(join(directory, "gatepulse.config.ts"), config);
  const [program, ...args] = wordsOf(/^CMD (.*)$/m);
  expect(program).toBe("node_modules/.bin/gatepulse");
  const own = args.map((word) => (word === "/data" ? join(directory, "data") : word));
  const monitor = start("node", [packagePath("bin/gatepulse.js"), ...own, "--port", "0"], {
    cwd: directory,
    env: { ACME_API_KEY: "a key" },
  });
  const [, port = ""] = await monitor.printed(/http:\/\/0\.0\.0\.0:(\d+)\//);
  const [node = "", ...check] = wordsOf(/^HEALTHCHECK .*?CMD (.*)$/m).map((word) =>
    word.replace("8787", port),
  );
  const health = () => start(node, check, { cwd: directory }).ended();
  expect(await eventually(health, (code) => code === 0)).toBe(0);
  expect(await monitor.stop()).toBe(0);
  expect(await health()).toBe(1);
});

test("it runs as a user without rights, with its state in a volume, and without the secrets of this machine", () => {
  const lines = dockerfile.split("\n");
  expect(lines.indexOf("USER node")).toBeLessThan(lines.indexOf("RUN npm ci"));
  expect(lines).toContain("VOLUME /data");
  expect(renderProject(answers).get(".dockerignore")).toContain(".dev.vars\n");
});
