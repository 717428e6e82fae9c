/** Pages in Chinese: no English word is left in them but where it is said to be English, or is a name. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { worstHealth } from "../../src/domain/health.ts";
import type { GatewayDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { summaryOf } from "../../src/history/standing.ts";
import { causeRow } from "../../src/protocol/causes.ts";
import { type Cause, CAUSES, type Diagnosis } from "../../src/protocol/diagnosis.ts";
import { chineseReader } from "./chinese-reader.ts";
import {
  BALANCE_GONE,
  daysOf,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();
const { get } = chineseReader(() => world);
const STALE_MS = NOW_MS + HOUR_MS;

function diagnosisOf(cause: Cause): Diagnosis {
  const at = { layer: "http", httpStatus: 500, businessCode: null, retryAllowed: true, key: null } as const;
  const { owner, health, ok, advice } = causeRow(cause, at);
  return { ...BALANCE_GONE, cause, owner, health, ok, advice, message: "Something broke in here" };
}

function monitorOf(cause: Cause, more: Partial<MonitorDocument> = {}): MonitorDocument {
  const diagnosis = diagnosisOf(cause);
  const { health } = diagnosis;
  return monitorDocument({ status: health, lastStatus: health, diagnosis, ...more });
}

function statusOf(monitors: MonitorDocument[], more: Partial<StatusDocument> = {}): StatusDocument {
  const healths = monitors.map(({ status }) => status);
  const gateway: GatewayDocument = gatewayDocument({ status: worstHealth(healths), monitors });
  return statusDocument({
    status: worstHealth(healths),
    summary: summaryOf(healths),
    gateways: [gateway],
    ...more,
  });
}

const INCIDENT = "acme-models-20261120t080000z";
const FAILING = { incident: INCIDENT, report: `${INCIDENT}-2` };

test("all is up", async () => {
  const text = await get("/", {
    status: statusOf([monitorDocument(), monitorDocument({ id: "acme/chat" })]),
  });
  expect(text).toContain("全部正常 · Acme gateways");
  expect(text).toContain("全部 2 个监控项正常");
  expect(text).toContain("可用率，最近 90 天 24 小时 99.86%，7 天 100%，30 天 无数据，90 天 无数据");
  const page = await get("/gateways/acme");
  expect(page).toContain("Acme：正常 · Acme gateways");
  expect(page).toContain("当前状态始于 2026-11-20 08:00:00 UTC（4 小时）");
});

test("one is down", async () => {
  const down = monitorOf("service_misconfigured", {
    ...FAILING,
    days: daysOf((index) => (index < 30 ? "unknown" : index === 89 ? "down" : "up")),
    lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 220, attempts: 4, waitedMs: 7310 },
  });
  const text = await get("/", { status: statusOf([monitorDocument(), down], { putOff: 2 }) });
  for (const words of [
    "2 个监控项中有 1 个故障",
    "故障 Acme：服务内部出错。由谁处理：网关的运营方。",
    "由谁处理：网关的运营方。服务内部出错。请在其日志中查找该请求，并修复服务或其渠道。",
    "有 2 项到期的检查须等到下一轮。",
    "最近 90 天：1 天出现过“故障”，30 天无数据",
    "UTC，220 ms，尝试 4 次，其间等待 7 秒",
    "Something broke in here",
  ])
    expect(text).toContain(words);
  expect(await get("/gateways/acme")).toContain("日期 最差状态 可用率 2026-11-20 故障 50%");
});

test("blocked is no outage", async () => {
  const text = await get("/", { status: statusOf([monitorOf("insufficient_balance", FAILING)]) });
  expect(text).toContain(
    "1 个监控项中有 1 个受阻，未见网关故障 1 个监控项受阻：看不到网关的状况。这本身不是网关故障。",
  );
  expect(text).toContain(
    "余额已用尽 insufficient_balance · HTTP 402 · 错误码 insufficient_balance。这不是网关故障。",
  );
  expect(text).toContain(
    "由谁处理：监控所用密钥的持有者。请检查账户的余额、配额和供应商。等待无法解决问题。",
  );
  expect(text).not.toMatch(/\d 个故障/u);
});

test.each(CAUSES)("of %s", async (cause) => {
  const old = monitorOf(cause, { id: "acme/chat", status: "unknown", lastStatus: "down" });
  const monitors = [monitorOf(cause, { ...FAILING, missingModels: ["gpt-9", "gpt-10"] }), old];
  const limits = { afterSeconds: 100, allowed: true, hint: null };
  monitors[0] = {
    ...monitors[0]!,
    diagnosis: { ...diagnosisOf(cause), retry: limits, ambiguous: ["timeout"] },
  };
  await get("/", { status: statusOf(monitors) });
});

test("stale", async () => {
  const status = statusOf([monitorDocument(), monitorOf("timeout", FAILING)], {
    incidents: [incidentDocument()],
  });
  const text = await get("/", { status, nowMs: STALE_MS });
  expect(text).toContain("检查已停止 · Acme gateways");
  expect(text).toContain("此处收到结果的最近一轮检查：2026-11-20 12:00:00 UTC");
  expect(text).toContain("须由本页面的维护者处理。");
  expect(text).toContain("检查停止时未结束的事件");
  expect(text).toContain("没有最新依据。最近一次的结论是“正常”。");
  await get("/gateways/acme", { nowMs: STALE_MS });
  const never = monitorDocument({ status: "unknown", lastStatus: null, diagnosis: null, lastProbe: null });
  for (const lastTickAt of [null, "2026-11-20T12:00:00.000Z"]) {
    await get("/", { status: statusOf([never], { lastTickAt }), nowMs: STALE_MS });
    await get("/", { status: statusOf([never], { lastTickAt }) });
  }
});

test("maintenance, under way and to come", async () => {
  const windows = [
    { gateways: ["acme"], from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T13:00:00.000Z", title: "Moving" },
    { gateways: [], from: "2026-11-21T11:00:00.000Z", to: "2026-11-21T13:00:00.000Z", title: "迁移机房" },
  ];
  const days = { ...daysOf((index) => (index < 2 ? "unknown" : "up")), maintenance: [1] };
  const status = statusOf([monitorOf("timeout", { incident: null, report: null, days })], {
    maintenance: windows,
    timeZone: "Asia/Shanghai",
    notice: "These data are simulated",
  });
  const text = await get("/", { status });
  expect(text).toContain("1 个监控项处于计划维护中");
  expect(text).toContain("计划维护中，至 2026-11-20 21:00:00 GMT+8");
  expect(text).toContain("Moving（Acme）：进行中，自 2026-11-20 19:00:00 GMT+8 至");
  expect(text).toContain("迁移机房（所有网关）：计划自");
  expect(text).toContain("其间所见不计入可用率。最近一次检查的结果是“故障”。");
  expect(text).toContain("时间和日期均按时区 Asia/Shanghai。");
});

test("paused, not yet checked, and nothing at all", async () => {
  const paused = monitorDocument({
    status: "unknown",
    lastStatus: "down",
    diagnosis: null,
    nextProbeAt: null,
    pausedAt: "2026-11-20T09:00:00.000Z",
  });
  expect(await get("/", { status: statusOf([paused]) })).toContain("监控项已暂停");
  const text = await get("/", { status: statusOf([paused, monitorDocument({ id: "acme/chat" })]) });
  expect(text).toContain("2 个监控项中有 1 个正常，1 个已暂停");
  expect(text).toContain("此监控项已于 2026-11-20 09:00:00 UTC 被人工暂停。");
  const hidden = monitorDocument({ status: "blocked", diagnosis: null });
  const unknown = monitorDocument({ id: "acme/chat", status: "unknown", lastStatus: null, diagnosis: null });
  await get("/", { status: statusOf([hidden, unknown]) });
  await get("/", {
    status: statusDocument({ gateways: [gatewayDocument({ monitors: [] })], summary: summaryOf([]) }),
  });
  await get("/", { status: statusDocument({ gateways: [], summary: summaryOf([]) }) });
});

test("more gateways than the banner names", async () => {
  const gateways = [1, 2, 3, 4, 5, 6, 7].map((n) =>
    gatewayDocument({ id: `g${n}`, name: "Acme", status: "down", monitors: [monitorOf("timeout")] }),
  );
  const text = await get("/", {
    status: statusDocument({ gateways, summary: summaryOf(gateways.map(() => "down")) }),
  });
  expect(text).toContain("另有 2 个网关，见下文。");
});
