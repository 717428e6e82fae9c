/** How `gatepulse start` takes its arguments; test/local/start.test.ts runs it. */
import { expect, test } from "vitest";
import { runCli } from "./fake-io.ts";

const UNKNOWN =
  "unknown option; the options are: --config, --port, --host, --tick, --persist, --simulator-port, --help, --lang";
const LACKING = "an option is missing its value, or takes none";

test.each([
  [["--prot", "3"], UNKNOWN],
  [["-p"], UNKNOWN],
  [["--toString=x"], UNKNOWN],
  [["--port"], LACKING],
  [["--port", "--tick", "5"], LACKING],
  [["--help=yes"], LACKING],
  [["a.json", "b.json"], "give at most one FILE"],
  [["nowhere.json"], "nowhere.json is missing; npx gatepulse init creates a project with one"],
  [["--port", "65536"], "--port is not a whole number from 0 to 65535: write one, such as --port 8787"],
  [["--port="], "--port is not a whole number from 0 to 65535: write one, such as --port 8787"],
  [
    ["--simulator-port", "any"],
    "--simulator-port is not a whole number from 0 to 65535: write one, such as --simulator-port 8789",
  ],
  [["--tick", "0"], "--tick is not a whole number from 1 to 3600: write one, such as --tick 60"],
  [["--tick", "1.5"], "--tick is not a whole number from 1 to 3600: write one, such as --tick 60"],
] as const)("start %j is refused: %s", async (args, problem) => {
  expect(await runCli(["start", ...args])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `gatepulse start: ${problem}\nSee gatepulse start --help.\n`,
  });
});

test.each([
  [["--port", "sk-0123456789abcdef"]],
  [["--key=sk-0123456789abcdef"]],
  [["--key", "sk-0123456789abcdef"]],
])("a key that is typed where it does not belong is not printed: %j", async (args) => {
  const { code, stderr } = await runCli(["start", ...args]);
  expect(code).toBe(2);
  expect(stderr).not.toContain("0123456789");
});
