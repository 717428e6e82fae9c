/** Which arguments `npm start` takes, and what it says of the others. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readOrder } from "../../src/local/start-order.ts";

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
