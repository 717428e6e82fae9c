import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { type GenerationFigures, NO_FIGURES } from "../../src/domain/generation.ts";
import { handleRequest } from "../../src/http/app.ts";
import { every, publishHistory, sampleAt } from "../history/published-history.ts";
import {
  depsOf,
  monitorDocument,
  NOW_MS,
  gatewayDocument,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

async function get(query: string, accept: string): Promise<Response> {
  const url = `https://status.example/api/v1/gateways/acme/monitors/chat/history${query}`;
  const response = await handleRequest(new Request(url, { headers: { accept } }), depsOf(world.kv));
  expect(response.status).toBe(200);
  return response;
}

async function history(query: string) {
  return (await (await get(query, "application/json")).json()) as { points: { generation: unknown }[] };
}

/** A generation each five minutes of the last four hours; the oldest two hours have settled. */
async function publishFourHours(generation: GenerationFigures): Promise<void> {
  const samples = every(5 * MINUTE_MS, NOW_MS - 4 * HOUR_MS, NOW_MS);
  const tail = await publishHistory(world.kv, {
    monitorId: "acme/chat",
    samples: samples.map(({ atMs, latencyMs }) => sampleAt(atMs, { latencyMs, generation })),
    timeZone: "UTC",
    closedMs: NOW_MS - HOUR_MS,
    settledMs: NOW_MS - 2 * HOUR_MS,
  });
  const monitors = [monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o-mini" })];
  await world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }), tail);
}

test("the figures of generations are in every step and form, from segments and snapshot alike", async () => {
  const figures = { ...NO_FIGURES, firstTokenMs: 412, inputTokens: 12, outputTokens: 16, costMicros: 262 };
  await publishFourHours({ ...figures, tokensPerSecond: 19.95 });
  const { costMicros: _, ...told } = figures;
  const probes = await history("");
  expect(probes.points.map(({ generation }) => generation)).toEqual(
    Array.from({ length: 48 }, () => ({ ...told, tokensPerSecond: 19.95, cost: 0.000262 })),
  );
  const three = (of: number) => ({ p50: of, p95: of, p99: of });
  for (const [step, count] of [
    ["1h", 12],
    ["1d", 48],
  ] as const) {
    expect((await history(`?step=${step}`)).points[0]?.generation, step).toEqual({
      firstTokenMs: three(412),
      taskMs: null,
      tokensPerSecond: three(19.95),
      inputTokens: 12 * count,
      outputTokens: 16 * count,
      cost: (262 * count) / 1e6,
    });
  }
  const csv = await get("?step=1h", "text/csv");
  expect((await csv.text()).split("\r\n")[1]).toMatch(
    /,412,412,412,,,,19\.95,19\.95,19\.95,144,192,0\.003144$/,
  );
  const lines = await get("", "application/x-ndjson");
  expect(JSON.parse((await lines.text()).split("\n")[0] ?? "")).toMatchObject({
    generation: { cost: 0.000262 },
  });
});
