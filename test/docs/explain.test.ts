/** The examples of docs/explain.md are what the command prints. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../cli/fake-io.ts";

const TEXT = readFileSync(new URL("../../docs/explain.md", import.meta.url), "utf8");
const EXAMPLES = [
  ...TEXT.matchAll(
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
