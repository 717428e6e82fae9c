/** The settings of released versions are those of this one. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { knownKeys } from "./parsed.ts";

const DIRECTORY = fileURLToPath(new URL("../fixtures/config-keys/", import.meta.url));

type Level = Parameters<typeof knownKeys>[0];

describe.each(readdirSync(DIRECTORY))("the settings in %s", (file) => {
  const lines = readFileSync(`${DIRECTORY}${file}`, "utf8").trim().split("\n");
  test.each(lines)("%s: each is still one", (line) => {
    const [place = "", keys = ""] = line.split(": ");
    const [level, kind] = place.split(" ") as [Level, string?];
    const known = knownKeys(level, kind);
    expect(keys.split(" ").filter((key) => !known.includes(key))).toEqual([]);
  });
});
