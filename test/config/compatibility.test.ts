import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../src/local/compatibility.ts";

test("what runs here behaves like what is deployed", async () => {
  const deployed = await readFile(new URL("../../wrangler.toml", import.meta.url), "utf8");
  expect(/^compatibility_date = "(.+)"$/m.exec(deployed)?.[1]).toBe(COMPATIBILITY_DATE);
  expect(JSON.parse(/^compatibility_flags = (.+)$/m.exec(deployed)?.[1] ?? "[]")).toEqual(
    COMPATIBILITY_FLAGS,
  );
});
