/** Charts, newest checks, models and freshness in Chinese: no English word is left in them. */
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { CourseStep } from "../../src/domain/course.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { CAUSES, HEALTHS } from "../../src/protocol/diagnosis.ts";
import { chineseReader } from "./chinese-reader.ts";
import { courseTail, probesTail, stepsOf } from "./published-day.ts";
import { gatewayDocument, monitorDocument, NOW_MS, statusDocument, useWorld } from "./published-status.ts";

const world = useWorld();
const { get } = chineseReader(() => world);

const STATUS = statusDocument();
const GATEWAY = "/gateways/acme";

async function shown(path: string, tail: Partial<SnapshotTail>, status = STATUS): Promise<string> {
  return get(path, { status, tail });
}

const STEPS = stepsOf({
  20: { health: "down", cause: "timeout" },
  30: { health: "blocked", cause: "insufficient_balance" },
  47: { health: "degraded", cause: "slow", p50: 2400, p95: 4800 },
});

test("the line of latency is told by its range and what was not up", async () => {
  const text = await shown("/", courseTail(STEPS));
  expect(text).toContain(
    "models 最近 24 小时的延迟：p50 500 ms，p95 900 ms，p99 1200 ms；22:30 至 23:00：故障；03:30 至 04:00：受阻；12:00 至 现在：降级",
  );
});

test("the chart tells its lines, its causes and its table", async () => {
  const text = await shown(GATEWAY, courseTail(STEPS));
  for (const words of [
    "半数响应不超过此值（p50） 95% 的响应不超过此值（p95）".replaceAll(/ ?([（）]) ?/gu, "$1"),
    "异常时段（以半小时计）降级 12:00 至 现在",
    "受阻 03:30 至 04:00：余额已用尽",
    "半小时起点 p50 p95 最差状态 原因",
    "03:30 受阻 余额已用尽",
    "03:00 429 ms 829 ms 正常",
  ])
    expect(text).toContain(words);
  expect(await shown(GATEWAY, courseTail(stepsOf()))).toContain("24 小时内所有检查均正常。");
  const monitor = monitorDocument({ latency: null });
  const unseen = { ...STATUS, gateways: [gatewayDocument({ monitors: [monitor] })] };
  expect(await shown(GATEWAY, {}, unseen)).toContain("延迟，最近 24 小时");
});

test("so do many stretches, and a chart that no longer goes on", async () => {
  const failing: CourseStep = { p50: null, p95: null, health: "down", cause: "timeout" };
  const often = stepsOf(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [2 * n, failing])));
  expect(await shown(GATEWAY, courseTail(often))).toContain("更早还有 1 个时段，见表格。");
  const stale = await get(GATEWAY, {
    status: { ...STATUS, generatedAt: "2026-11-20T12:01:07.000Z" },
    tail: courseTail(STEPS),
    nowMs: NOW_MS + HOUR_MS,
  });
  expect(stale).toContain("12:00 至 12:01：降级");
  expect(stale).not.toContain("现在：");
});

test("every cause and every health has its words in charts and among the newest checks", async () => {
  const causes = CAUSES.filter((cause) => cause !== "ok");
  const steps = causes.map((cause) => ({ health: "down", cause }) as const);
  const half = Math.ceil(steps.length / 2);
  for (const part of [steps.slice(0, half), steps.slice(half)]) {
    await shown(GATEWAY, { ...courseTail(stepsOf(Object.fromEntries(part.entries()))), ...probesTail(part) });
  }
  const healths = HEALTHS.map((health) => ({ health, cause: "ok" }) as const);
  await shown(GATEWAY, {
    ...courseTail(stepsOf(Object.fromEntries(healths.entries()))),
    ...probesTail(healths),
  });
});

test("the newest checks tell attempts, waits and maintenance", async () => {
  const text = await shown(
    GATEWAY,
    probesTail([
      { health: "down", cause: "timeout", latencyMs: null, httpStatus: null, attempts: 3, waitedMs: 7310 },
      { health: "blocked", cause: "authentication", latencyMs: null, httpStatus: null, attempts: 0 },
      { health: "blocked", cause: "insufficient_balance", httpStatus: 402, inMaintenance: true },
    ]),
  );
  for (const words of [
    "时间 结果 原因 延迟 尝试次数 HTTP",
    "11:59 受阻（维护中）余额已用尽 100 ms 1 402",
    "11:58 受阻 未设置可用的密钥 0",
    "3，等待 7 秒",
  ])
    expect(text).toContain(words);
  expect(await shown(GATEWAY, {})).toContain("最近半小时没有已发布的检查结论。");
});

test("models are counted, and their changes told", async () => {
  const at = (minutes: number) => NOW_MS - minutes * MINUTE_MS;
  const notes = [
    { atMs: at(9), count: 42, vanished: [], returned: [] },
    { atMs: at(8), count: 40, vanished: ["gpt-9", "gpt-10"], returned: [] },
    { atMs: at(7), count: 42, vanished: [], returned: ["gpt-9"] },
  ];
  const text = await shown(GATEWAY, { modelNotes: { "acme/models": notes } });
  expect(text).toContain(
    "模型 列表中有 42 个模型。2026-11-20 11:53:00 UTC：42 个模型，比之前多 2 个。恢复：gpt-9。2026-11-20 11:52:00 UTC：40 个模型，比之前少 2 个。消失：gpt-9、gpt-10。",
  );
  const steady = await shown(GATEWAY, { modelNotes: { "acme/models": notes.slice(0, 1) } });
  expect(steady).toContain("自首次查看以来列表没有变化。");
});

test("how fresh a page is", async () => {
  expect(await get("/", { status: STATUS, nowMs: NOW_MS + 59_000 })).toContain(
    "最近检查：不到 1 分钟前（2026-11-20 12:00:00 UTC）。",
  );
  expect(await get("/", { status: STATUS, nowMs: NOW_MS + 2 * MINUTE_MS })).toContain("最近检查：2 分钟前（");
});
