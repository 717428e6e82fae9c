/** docs/api.md against what is answered: its examples are those of the description, its columns those of the CSV. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NOTES } from "../../src/explain/pasted.ts";
import { OPENAPI_DOCUMENT } from "../../src/http/openapi-document.ts";
import { probesToCsv, rollupsToCsv } from "../../src/http/points.ts";
import { canaryDocumentSchema, type StatusDocument } from "../../src/history/documents.ts";
import type { HistoryAnswer } from "../../src/http/answers.ts";
import { KINDS } from "../../src/protocol/observation.ts";

const DOCS = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

function documented(what: string): unknown {
  const block = new RegExp(`<!-- example: ${what} -->\n\n\`\`\`json\n([\\s\\S]*?)\n\`\`\``).exec(DOCS)?.[1];
  if (block === undefined) throw new Error(`there is no block ${what}`);
  return JSON.parse(block);
}

function exampleOf(path: string): unknown {
  const { paths } = JSON.parse(OPENAPI_DOCUMENT) as {
    paths: Record<string, { get: { responses: { 200: { content: Record<string, { example: unknown }> } } } }>;
  };
  const example = paths[path]?.get.responses[200].content["application/json"]?.example;
  if (example === undefined) throw new Error(`there is no example of ${path}`);
  return example;
}

test("its canary is that of the description's example", () => {
  const { gateways } = exampleOf("/api/v1/status") as StatusDocument;
  const canary = gateways.flatMap(({ monitors }) => monitors).find(({ id }) => id === "acme/chat")?.canary;
  expect(canary).toBeDefined();
  expect(documented("canary")).toEqual(canary);
});

test("its generation is that of the history's example", () => {
  const { points } = exampleOf("/api/v1/gateways/{gateway}/monitors/{monitor}/history") as HistoryAnswer;
  expect(points.map(({ generation }) => generation)).toEqual([documented("generation")]);
});

test("what is explained there is the description's example, and its answer too", () => {
  const { paths } = JSON.parse(OPENAPI_DOCUMENT) as {
    paths: { "/api/v1/explain": { post: { requestBody: Bodied; responses: { 200: Bodied } } } };
  };
  const { requestBody, responses } = paths["/api/v1/explain"].post;
  expect(documented("explain request")).toEqual(requestBody.content["application/json"].example);
  expect(documented("explanation")).toEqual(responses[200].content["application/json"].example);
});

interface Bodied {
  readonly content: { readonly "application/json": { readonly example: object } };
}

test("every note on what was taken is told, and no other, and so is every kind", () => {
  const [, section = ""] = /## Explain\n([\s\S]*?)\n## /.exec(DOCS) ?? [];
  const [, notes = ""] = /\n\| note[^\n]*\n([\s\S]*?)\n\n/.exec(section) ?? [];
  const told = [...notes.matchAll(/^\| `(\w+)`/gm)].map(([, note]) => note);
  expect(told).toEqual([...NOTES]);
  expect(section).toContain(`(${KINDS.map((kind) => `\`${kind}\``).join(", ")})`);
});

test("every member of a canary is told in the table, and no other", () => {
  const table = /## Canaries[\s\S]*?\n\| member[^\n]*\n([\s\S]*?)\n\n/.exec(DOCS)?.[1] ?? "";
  const told = table
    .split("\n")
    .slice(1)
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  expect(told.toSorted()).toEqual(Object.keys(canaryDocumentSchema._zod.innerType.shape).toSorted());
});

test("the columns of CSV are told in their order", () => {
  const columnsOf = (step: string) => {
    const cell =
      DOCS.split("\n")
        .find((line) => line.startsWith(`| ${step} `))
        ?.split("|")[2] ?? "";
    return [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name).join(",");
  };
  expect(`${columnsOf("`probe`")}\r\n`).toBe(probesToCsv([]));
  expect(`${columnsOf("`1h`, `1d`")}\r\n`).toBe(rollupsToCsv([]));
});
