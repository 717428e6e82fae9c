import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { changelogEntries, entriesBetween, compareVersions } from "../../src/package/versions.ts";
import { VERSION } from "../../src/probe/version.ts";

const CHANGELOG = readFileSync(fileURLToPath(new URL("../../CHANGELOG.md", import.meta.url)), "utf8");
const entries = changelogEntries(CHANGELOG);
const versions = entries.map(({ version }) => version);

test("the newest entry is that of this version", () => expect(versions[0]).toBe(VERSION));

test("entries are those of versions, the newest first", () => {
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  expect(versions.toSorted(compareVersions).reverse()).toEqual(versions);
});

test.each(entries)("the entry of $version begins with what to do to upgrade", ({ text }) => {
  expect(text).toMatch(/^To upgrade\b/);
});

test("between two versions are the entries after the first, up to the second", () => {
  const between = (from: string, to: string) =>
    entriesBetween(CHANGELOG, from, to).map(({ version }) => version);
  expect(between("0.1.0", "0.3.0")).toEqual(["0.3.0", "0.2.0"]);
  expect(between("0.2.0", "0.2.0")).toEqual([]);
});

describe("versions are compared", () => {
  test.each([
    ["0.9.0", "0.10.0", -1],
    ["1.0.0-rc.2", "1.0.0", -1],
    ["1.0.0-rc.2", "1.0.0-rc.10", -1],
    ["1.0.0", "1.0.0", 0],
    ["2.0.0", "1.9.9", 1],
  ])("%s and %s", (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign);
    expect(Math.sign(compareVersions(other, one))).toBe(sign === 0 ? 0 : -sign);
  });
});
