import { join } from "node:path";
import { expect, test } from "vitest";
import { writeProblem } from "../../src/local/persist-dir.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

test("a directory is made with all above it, and one that is there is used", async ({ onTestFinished }) => {
  const directory = join(await temporaryDirectory(onTestFinished), "a/b/c");
  expect(await writeProblem(directory)).toBeNull();
  expect(await writeProblem(directory)).toBeNull();
});

test.skipIf(process.platform !== "linux")(
  "where no directory can be made, that is said, and nothing is tried for ever",
  async () => {
    expect(await writeProblem("/proc/nope/deep")).toMatch(
      /^nothing can be written to \/proc\/nope\/deep \(ENOENT.*\)\. Make room there, or let this user write there/,
    );
  },
);
