import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SCRIPT, SCRIPT_PATH } from "../../src/http/pages/script.ts";
import { STYLESHEET, STYLESHEET_PATH } from "../../src/http/pages/stylesheet.ts";

test.each([
  [STYLESHEET_PATH, STYLESHEET, "css"],
  [SCRIPT_PATH, SCRIPT, "js"],
])("%s is another address whenever what is there changes", (path, text, extension) => {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  expect(path).toBe(`/assets/${hash}.${extension}`);
});
