/**
 * What history keeps of canaries: the same tokens, money and durations in probes, hours, CSV and in the sums of the day; in
 * the minutes of a runtime that is started anew in between. Real Worker, Ledger, KV and sockets.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { simulatorOfFile } from "../probe/simulated.ts";
import { canaryOf, EVERY_KIND, MIDNIGHT_MS, Minutes, minutes, startCanaries } from "./support/canaries.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import type { World } from "./support/world.ts";

const DAY = "from=2026-11-20T00:00:00.000Z&to=2026-11-21T00:00:00.000Z";
const chat = {
  ...EVERY_KIND["chat-stream"],
  every: "1m",
  perDay: 1000,
  prices: { currency: "USD", input: 1000, output: 2000, request: 0.01 },
} as const;
const video = {
  ...EVERY_KIND.video,
  every: "20m",
  perDay: 1000,
  prices: { currency: "USD", request: 0.5 },
} as const;

const simulator = await simulatorOfFile();
const persistDir = await directoryOfFile();
const asked = new Minutes(simulator);
let world: World;

const started = () =>
  startCanaries(
    simulator,
    { g: { plays: ["any_key"], monitors: [chat, video] } },
    { startMs: MIDNIGHT_MS, persistDir },
  );

beforeAll(async () => {
  const twos = minutes(0, 75).map((two) => 2 * two);
  const first = await started();
  await asked.pass(first, twos.slice(0, 41));
  await first.stop();
  world = await started();
  await asked.pass(world, twos.slice(41));
  await world.publish();
  return () => world.stop();
});

interface Point {
  readonly at: string;
  readonly generation: {
    readonly taskMs: number | { readonly p50: number } | null;
    readonly inputTokens: number | null;
    readonly outputTokens: number | null;
    readonly cost: number | null;
  };
}

async function pointsOf(monitor: string, step: string): Promise<readonly Point[]> {
  const { status, json } = await world.get(
    `/api/v1/gateways/g/monitors/${monitor}/history?step=${step}&${DAY}`,
  );
  expect([status, json.next]).toEqual([200, null]);
  return json.points as readonly Point[];
}

async function rowsOf(monitor: string, step: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const path = `/api/v1/gateways/g/monitors/${monitor}/history?step=${step}&${DAY}`;
  const [head = "", ...rows] = (await world.get(path, { accept: "text/csv" })).text.trim().split(/\r?\n/u);
  const names = head.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((value, n) => [names[n] ?? "", value])));
}

/** In whole millionths, so that nothing is rounded in between. */
function sumOf(amounts: readonly (number | string | null | undefined)[]): number {
  return amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount ?? 0) * 1_000_000), 0);
}

const TOKENS_AND_COST = ["inputTokens", "outputTokens", "cost"] as const;
const MONITORS = [
  ["chat-stream", "POST /v1/chat/completions", 0.018],
  ["video", "POST /v1/videos", 0.5],
] as const;

describe.each(MONITORS)("%s", (monitor, what, cost) => {
  test("the day's sums are those of its requests", async () => {
    const sent = asked.of("g", what).length;
    expect(sent).toBeGreaterThan(5);
    const { today } = (await canaryOf(world, `g/${monitor}`)).canary;
    expect([today.requests, sumOf([today.cost])]).toEqual([sent, sent * sumOf([cost])]);
  });

  test.each(["probe", "1h"])("step=%s, as JSON and as CSV, comes to the same", async (step) => {
    const { today } = (await canaryOf(world, `g/${monitor}`)).canary;
    const points = await pointsOf(monitor, step);
    const rows = await rowsOf(monitor, step);
    for (const figure of TOKENS_AND_COST) {
      const told = points.map(({ generation }) => generation[figure]);
      expect([figure, sumOf(told)]).toEqual([figure, sumOf([today[figure]])]);
      expect([figure, sumOf(rows.map((row) => row[figure]))]).toEqual([figure, sumOf(told)]);
    }
  });
});

test("a task's duration is told in whole ticks, from its creation to its end", async () => {
  const probes = await pointsOf("video", "probe");
  // Each tick asks once, and the third question brings the end; ticks are two minutes apart.
  expect(new Set(probes.map(({ generation }) => generation.taskMs))).toEqual(new Set([360_000]));
  const hours = await pointsOf("video", "1h");
  expect(hours.map(({ generation }) => generation.taskMs)).toEqual(
    hours.map(() => ({ p50: 360_000, p95: 360_000, p99: 360_000 })),
  );
});
