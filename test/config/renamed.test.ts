/** The settings of released versions, and what they are called now. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { faultsOfIssues, RENAMED } from "../../src/config/faults.ts";
import { knownKeys } from "./parsed.ts";

const DIRECTORY = fileURLToPath(new URL("../fixtures/config-keys/", import.meta.url));

type Level = Parameters<typeof knownKeys>[0];

const PATHS: Readonly<Record<Level, string>> = {
  root: "",
  gateway: "gateways.",
  monitor: "gateways.monitors.",
  pointers: "gateways.monitors.pointers.",
  prices: "gateways.monitors.prices.",
  theme: "theme.",
  parts: "parts.",
  maintenance: "maintenance.",
  recurring: "maintenance.",
  channel: "alerts.",
  only: "alerts.only.",
};

describe.each(readdirSync(DIRECTORY))("the settings in %s", (file) => {
  const lines = readFileSync(`${DIRECTORY}${file}`, "utf8").trim().split("\n");
  test.each(lines)("%s: each is still one, or its new name is known", (line) => {
    const [place = "", keys = ""] = line.split(": ");
    const [level, kind] = place.split(" ") as [Level, string?];
    const known = knownKeys(level, kind);
    const lost = keys.split(" ").filter((key) => {
      const now = RENAMED[PATHS[level] + key] ?? key;
      return !known.includes(now);
    });
    expect(lost).toEqual([]);
  });
});

test("a setting with another name now says which", () => {
  const schema = z.strictObject({ gateways: z.array(z.strictObject({ id: z.string() })) });
  const parsed = z.safeParse(schema, { gateways: [{ id: "a", name: "b", label: "c" }] });
  const renamed = { "gateways.name": "title" };
  expect(faultsOfIssues(parsed.error?.issues ?? [], renamed)).toMatchObject([
    { path: ["gateways", 0, "name"], problem: "has another name now", fix: "write title" },
    { path: ["gateways", 0, "label"], problem: "is not a known setting" },
  ]);
});
