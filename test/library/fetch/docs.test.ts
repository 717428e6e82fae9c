import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the list of options names every option, and no other", () => {
  const [, list = ""] = /## Options\n\n[^-]*((?:- .*\n)+)/.exec(read("docs/fetch.md")) ?? [];
  const heads = list.split("\n").map((item) => item.split(": ", 1)[0] ?? "");
  const told = heads.flatMap((head) => [...head.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const [, members = ""] =
    /interface FetchOptions \{\n([^}]+)\}/.exec(read("src/library/fetch/options.ts")) ?? [];
  const known = [...members.matchAll(/readonly (\w+)\?/g)].map(([, name]) => name);
  expect(known.length).toBeGreaterThan(10);
  expect(new Set(told)).toEqual(new Set(known));
  expect(told).toHaveLength(known.length);
});
