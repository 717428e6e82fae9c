/** docs/api.md against what is answered: its examples are those of the description, its columns those of the CSV. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NOTES } from "../../src/explain/pasted.ts";
import type { HistoryAnswer } from "../../src/http/answers.ts";
import { pointsToCsv } from "../../src/http/history.ts";
import { canaryDocumentSchema, type StatusDocument } from "../../src/history/documents.ts";
import { KINDS } from "../../src/protocol/observation.ts";
import { DESCRIPTION } from "./description.ts";

const DOCS = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

function documented(what: string): unknown {
  const block = new RegExp(`<!-- example: ${what} -->\n\n\`\`\`json\n([\\s\\S]*?)\n\`\`\``).exec(DOCS)?.[1];
  if (block === undefined) throw new Error(`there is no block ${what}`);
  return JSON.parse(block);
}

function namesIn(cell = ""): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

const { paths } = DESCRIPTION;

/** Of an answer, or of what is sent. */
function exampleOf({ content }: { content: Record<string, { example: unknown }> }): unknown {
  const example = content["application/json"]?.example;
  if (example === undefined) throw new Error("there is no example");
  return example;
}

test("its canary, its generation and what is explained are the description's examples", () => {
  const { gateways } = exampleOf(paths["/api/v1/status"].get.responses[200]) as StatusDocument;
  const canary = gateways.flatMap(({ monitors }) => monitors).find(({ id }) => id === "acme/chat")?.canary;
  expect(documented("canary")).toEqual(canary);
  const history = paths["/api/v1/gateways/{gateway}/monitors/{monitor}/history"].get.responses[200];
  const { points } = exampleOf(history) as HistoryAnswer;
  expect(points.map(({ generation }) => generation)).toEqual([documented("generation")]);
  const { requestBody, responses } = paths["/api/v1/explain"].post;
  expect(documented("explain request")).toEqual(exampleOf(requestBody));
  expect(documented("explanation")).toEqual(exampleOf(responses[200]));
});

test("every note on what was taken is told, and no other, and so is every kind", () => {
  const [, section = ""] = /## Explain\n([\s\S]*?)\n## /.exec(DOCS) ?? [];
  const [, notes = ""] = /\n\| note[^\n]*\n([\s\S]*?)\n\n/.exec(section) ?? [];
  const told = [...notes.matchAll(/^\| `(\w+)`/gm)].map(([, note]) => note);
  expect(told).toEqual([...NOTES]);
  expect(section).toContain(`(${KINDS.map((kind) => `\`${kind}\``).join(", ")})`);
});

test("every member of a canary is told in the table, and no other", () => {
  const table = /## Canaries[\s\S]*?\n\| member[^\n]*\n([\s\S]*?)\n\n/.exec(DOCS)?.[1] ?? "";
  const [, ...rows] = table.split("\n");
  const told = rows.flatMap((row) => namesIn(row.split("|")[1]));
  expect(told.toSorted()).toEqual(Object.keys(canaryDocumentSchema._zod.innerType.shape).toSorted());
});

test("the columns of CSV are told in their order", () => {
  const columnsOf = (step: string) => {
    const row = DOCS.split("\n").find((line) => line.startsWith(`| ${step} `)) ?? "";
    return namesIn(row.split("|")[2]).join(",");
  };
  expect(`${columnsOf("`probe`")}\r\n`).toBe(pointsToCsv("probe", []));
  expect(`${columnsOf("`1h`, `1d`")}\r\n`).toBe(pointsToCsv("1h", []));
});
