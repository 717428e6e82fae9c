import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SCRIPT_PATH, STYLESHEET_PATH } from "../../src/http/pages/static-paths.ts";

test.each([
  ["style.css", STYLESHEET_PATH, "css"],
  ["script.js", SCRIPT_PATH, "js"],
])("%s has another address whenever its contents change", (name, path, extension) => {
  const hash = createHash("sha256")
    .update(readFileSync(`src/http/assets/${name}`))
    .digest("hex");
  expect(path).toBe(`/assets/${hash.slice(0, 16)}.${extension}`);
});
