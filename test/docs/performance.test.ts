/** docs/performance.md shows what docs/performance.json has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withTable } from "../bench/performance-document.ts";

const DOCUMENT = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
const PARTS = JSON.parse(readFileSync(new URL("../../docs/performance.json", import.meta.url), "utf8"));

test("the table has 24 figures, those of the last runs", async () => {
  expect(await withTable(DOCUMENT, PARTS)).toBe(DOCUMENT);
  expect(DOCUMENT.match(/^\| /gmu)).toHaveLength(24 + 2);
});

test("a figure that breaks its limit says so", async () => {
  const rows = PARTS.probe.rows.map((row: object) => ({ ...row, figure: 9, floor: 1 }));
  const slow = { ...PARTS, probe: { ...PARTS.probe, rows } };
  expect(await withTable(DOCUMENT, slow)).toMatch(/^\| CPU per probe;.* 9 µs \| +9\.00 \| +<= 2 FAILS \|$/mu);
});

test("a row that is no longer measured cannot be shown", async () => {
  const without = { ...PARTS, memory: { ...PARTS.memory, rows: [] } };
  await expect(withTable(DOCUMENT, without)).rejects.toThrow("memory has not exactly one such row");
});
