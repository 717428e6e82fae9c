import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "./fake-io.ts";

test("--version prints the package's version", async () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(await runCli(["--version"])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each([["--help"], ["-h"], ["help"]])("%s prints the usage", async (arg) => {
  const { code, stdout } = await runCli([arg]);
  expect(code).toBe(0);
  expect(stdout).toContain("probe    checks a gateway once");
  expect(stdout).toContain("Exit codes");
});

test.each([["probe"], ["explain"], ["check"], ["plan"], ["start"], ["build"], ["deploy"], ["admin"]])(
  "%s --help prints the command's usage",
  async (command) => {
    const { code, stdout } = await runCli([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: gatepulse ${command} `));
    // Projects do not have this folder.
    expect(stdout).not.toMatch(/(?<![\w/])docs\//);
  },
);

test("no command is wrong usage", async () => {
  const { code, stdout, stderr } = await runCli([]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Usage");
});

test("the usage of explain says what a task and a stream are", async () => {
  const { stdout } = await runCli(["explain", "--help"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "stream. A task is its creation or its record, and a stream an event stream -",
  );
});

test("internal options are not in the usage", async () => {
  expect((await runCli(["upgrade", "--help"])).stdout).not.toContain("--package");
});

test.each([["porbe"], ["--json"], ["toString"], ["__proto__"], ["sk-secret-0123456789"]])(
  "%s is no command, and is not repeated",
  async (command) => {
    const { code, stderr } = await runCli([command]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown command");
    expect(stderr).not.toContain("secret-01");
  },
);
