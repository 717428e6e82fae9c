/** docs/rules.md explains every rule that a diagnosis can name. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CAUSE_TABLE } from "../../src/protocol/diagnosis.ts";

const PROTOCOL = new URL("../../src/protocol/", import.meta.url);

/** Numbers of sections in the sources that speak of rules; those in comments stand in no quotes. */
function rulesInSources(): readonly string[] {
  const names = readdirSync(PROTOCOL).filter((name) => name.endsWith(".ts"));
  const sources = names.map((name) => readFileSync(new URL(name, PROTOCOL), "utf8"));
  const speaking = sources.filter((source) => /\brule\b/.test(source));
  return speaking.flatMap((source) => [...source.matchAll(/"(\d(?:\.\d+)*)"/g)].map(([, rule = ""]) => rule));
}

function rulesInDocument(): readonly string[] {
  const text = readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8");
  return [...text.matchAll(/^- `([\d.]+)`: [A-Z].{30,}\.$/gm)].map(([, rule = ""]) => rule);
}

test("docs/rules.md lists each rule of the sources once, in order, and no other", () => {
  expect(rulesInDocument()).toEqual([...new Set(rulesInSources())].sort());
});

test("the sources' rules are those of the cause table, and the one for a key that is not sent", () => {
  const inTable = Object.values(CAUSE_TABLE).flatMap(({ rule }) => (rule === null ? [] : [rule]));
  expect([...new Set(rulesInSources())].sort()).toEqual([...new Set([...inTable, "5"])].sort());
});
