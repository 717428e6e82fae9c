import { expect, test } from "vitest";
import { NO_FIGURES } from "../../src/domain/probe-outcome.ts";
import { rollUp } from "../../src/domain/rollup.ts";
import { probePoint, rollupPoint } from "../../src/http/visible.ts";
import { csvField, pointsToCsv } from "../../src/http/history.ts";
import { sampleAt } from "../history/published-history.ts";

const AT_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

const FIGURES = {
  firstTokenMs: 412,
  taskMs: null,
  tokensPerSecond: 19.95,
  inputTokens: 12,
  outputTokens: 16,
};
const GENERATED = sampleAt(AT_MS, { latencyMs: 1214, generation: { ...FIGURES, costMicros: 262 } });

test("a probe is a line with a header above it, ended by CRLF", () => {
  const failed = { health: "blocked", cause: "authentication", latencyMs: null } as const;
  const points = [sampleAt(AT_MS), sampleAt(AT_MS + 60_000, failed)].map((one) => probePoint(one, false));
  expect(pointsToCsv("probe", points)).toBe(
    "at,health,cause,latencyMs,attempts,waitedMs,httpStatus,inMaintenance,firstTokenMs,taskMs,tokensPerSecond,inputTokens,outputTokens,cost\r\n" +
      "2026-11-20T12:00:00.000Z,up,ok,100,1,0,200,false,,,,,,\r\n" +
      "2026-11-20T12:01:00.000Z,blocked,authentication,,1,0,200,false,,,,,,\r\n",
  );
});

test("a generation tells its figures, its cost in the configured currency", () => {
  const point = probePoint(GENERATED, false);
  expect(point.generation).toEqual({ ...FIGURES, cost: 0.000262 });
  const row = "2026-11-20T12:00:00.000Z,up,ok,1214,1,0,200,false,412,,19.95,12,16,0.000262";
  expect(pointsToCsv("probe", [point]).split("\r\n")[1]).toBe(row);
});

test("so does an hour of generations, with percentiles and sums", () => {
  const slow = { ...GENERATED.generation, firstTokenMs: 900, tokensPerSecond: 8.5 };
  const samples = [GENERATED, { ...GENERATED, generation: { ...NO_FIGURES, ...slow } }];
  const point = rollupPoint(rollUp(AT_MS, samples), false);
  expect(point.generation).toEqual({
    firstTokenMs: { p50: 412, p95: 900, p99: 900 },
    taskMs: null,
    tokensPerSecond: { p50: 19.95, p95: 8.5, p99: 8.5 },
    inputTokens: 24,
    outputTokens: 32,
    cost: 0.000524,
  });
  const [, row] = pointsToCsv("1h", [point]).split("\r\n");
  expect(row?.split(",").slice(15).join(",")).toBe("412,900,900,,,,19.95,8.5,8.5,24,32,0.000524");
});

test("a cost that nobody told is no zero, and a zero is one", () => {
  const told = (costMicros: number | null) => sampleAt(AT_MS, { generation: { ...NO_FIGURES, costMicros } });
  const costs = [null, 0].map((micros) => probePoint(told(micros), false).generation?.cost);
  expect(costs).toEqual([null, 0]);
  const sums = [null, 0].map((micros) => rollupPoint(rollUp(AT_MS, [told(micros)]), false).generation?.cost);
  expect(sums).toEqual([null, 0]);
});

test("a roll-up has its counts and percentiles in columns of their own", () => {
  const samples = [100, 200, 300].map((latencyMs, index) => sampleAt(AT_MS + index, { latencyMs }));
  const down = sampleAt(AT_MS + 9, { health: "down", cause: "timeout", latencyMs: 30_000 });
  const point = rollupPoint(rollUp(AT_MS, [...samples, down]), false);
  expect(point).toEqual({
    at: "2026-11-20T12:00:00.000Z",
    health: "down",
    cause: "timeout",
    latencyMs: 200,
    attempts: 4,
    counts: { up: 3, degraded: 0, down: 1, blocked: 0, unknown: 0, maintenance: 0 },
    uptime: 0.75,
    latency: { p50: 200, p95: 300, p99: 300 },
    generation: null,
  });
  expect(pointsToCsv("1h", [point])).toBe(
    "at,health,cause,latencyMs,attempts,up,degraded,down,blocked,unknown,maintenance,uptime,p50Ms,p95Ms,p99Ms," +
      "firstTokenP50Ms,firstTokenP95Ms,firstTokenP99Ms,taskP50Ms,taskP95Ms,taskP99Ms," +
      "tokensPerSecondP50,tokensPerSecondP95,tokensPerSecondP99,inputTokens,outputTokens,cost\r\n" +
      "2026-11-20T12:00:00.000Z,down,timeout,200,4,3,0,1,0,0,0,0.75,200,300,300,,,,,,,,,,,,\r\n",
  );
});

test.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["＝1", "'＝1"],
  ['say "hi", you', '"say ""hi"", you"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ["two\r\nlines", '"two\r\nlines"'],
])("the text %j is written as %j, and no spreadsheet runs it", (text, written) => {
  expect(csvField(text)).toBe(written);
});
