/** The table of probes of what generates. */
import { expect, test } from "vitest";
import { canaryColumns } from "../../src/http/pages/canary-columns.ts";
import { EN } from "../../src/http/pages/words/en.ts";
import type { ProbePoint } from "../../src/http/points.ts";
import { plainSpaces } from "./html.ts";

const UNTOLD = {
  firstTokenMs: null,
  taskMs: null,
  tokensPerSecond: null,
  inputTokens: null,
  outputTokens: null,
  cost: null,
};

function point(generation: ProbePoint["generation"]): ProbePoint {
  return {
    at: "2026-11-20T11:59:00.000Z",
    health: "up",
    cause: "ok",
    latencyMs: 812,
    attempts: 1,
    waitedMs: 0,
    httpStatus: 200,
    inMaintenance: false,
    generation,
  };
}

function columnsOf(...generations: ProbePoint["generation"][]): Record<string, string[]> {
  const columns = canaryColumns(generations.map(point), EN);
  const cellsOf = ({ cell }: (typeof columns)[number]) =>
    generations.map((generation) => (generation === null ? "-" : plainSpaces(cell(generation))));
  return Object.fromEntries(columns.map((column) => [column.name, cellsOf(column)]));
}

test("without any figure there is no column for it", () => {
  expect(columnsOf(null, UNTOLD)).toEqual({});
});

test("those of streams tell first token, speed and tokens, and what one of them did not tell is left empty", () => {
  const stream = { ...UNTOLD, firstTokenMs: 412, tokensPerSecond: 41.27, inputTokens: 9, outputTokens: 16 };
  expect(columnsOf(stream, null, { ...UNTOLD, outputTokens: 5 })).toEqual({
    "First token": ["412 ms", "-", ""],
    "Tokens/s": ["41.3", "-", ""],
    "Tokens in, out": ["9, 16", "-", "none, 5"],
  });
});

test("those of tasks tell their duration", () => {
  expect(columnsOf({ ...UNTOLD, taskMs: 180_000 }, { ...UNTOLD, taskMs: 650 })).toEqual({
    Task: ["3 min", "650 ms"],
  });
});
