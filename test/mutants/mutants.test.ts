import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readMutants } from "./mutants.ts";

const ROOT = new URL("../../", import.meta.url);

test("each small fault names a text that its file has exactly once", async () => {
  const wrong = (await readMutants()).filter(
    ({ file, from }) => readFileSync(new URL(file, ROOT), "utf8").split(from).length !== 2,
  );
  expect(wrong).toEqual([]);
});
