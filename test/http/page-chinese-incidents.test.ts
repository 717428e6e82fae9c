import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import type { IncidentDocument } from "../../src/history/documents.ts";
import { CAUSE_TABLE } from "../../src/protocol/causes.ts";
import { chineseReader } from "./chinese-reader.ts";
import {
  endEntry,
  incidentDocument,
  NOW_MS,
  publishedIncident,
  reportDocument,
  statusDocument,
  timelineEntry,
  useWorld,
} from "./published-status.ts";

const world = useWorld();
const { get } = chineseReader(() => world);
const STALE_MS = NOW_MS + HOUR_MS;
const INCIDENT = "acme-models-20261120t080000z";

const OPENED = timelineEntry({ text: "Top up." });
const REFUSED = { cause: "connection_failed", health: "down", owner: "operator" } as const;
const SHARED = { ...REFUSED, monitors: ["acme/models", "acme/chat"] };
const JOINED = timelineEntry({
  ...REFUSED,
  type: "joined",
  text: "acme/chat does not reach the gateway either.",
});
const LEFT = timelineEntry({ ...REFUSED, type: "left", text: "acme/chat works again." });
const over = (type: string, text: string) => ({
  resolvedAt: "2026-11-20T09:30:00.000Z",
  timeline: [OPENED, endEntry({ at: "2026-11-20T09:30:00.000Z", type, text })],
});
const FLAPPING = timelineEntry({
  ...REFUSED,
  type: "flapping",
  text: "More than 4 changes within an hour: until it is steady, nothing is told but reminders and what is new.",
});

test.each<[string, Partial<IncidentDocument>, string]>([
  ["open", {}, "此事件尚未结束。最近一次检查成功；若继续成功，事件即告结束。"],
  [
    "seen, with notes",
    {
      acknowledgedAt: "2026-11-20T08:10:00.000Z",
      notes: [{ at: "2026-11-20T08:20:00.000Z", text: "The card was charged." }],
    },
    "已有人查看 2026-11-20 08:10:00 UTC",
  ],
  [
    "resolved",
    over("resolved", "The last probes succeeded."),
    "已恢复 2026-11-20 09:30:00 UTC（历时 1 小时 31 分钟，自首次失败的检查算起）",
  ],
  [
    "removed",
    over("removed", "The monitor was removed from the configuration."),
    "此事件因其监控项被移除而结束；从未见到它恢复。",
  ],
  [
    "paused",
    { ...SHARED, ...over("paused", "The monitor was paused.") },
    "此事件因其最后一个监控项被暂停而结束",
  ],
  [
    "flapping",
    { ...REFUSED, flapping: true, timeline: [OPENED, FLAPPING] },
    "抖动：检查时而成功、时而失败，过于频繁",
  ],
  [
    "shared",
    { ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LEFT] },
    "acme/chat（已不在此事件中）",
  ],
  [
    "its own",
    { gateway: null, monitors: [], cause: "dns_failure", owner: "network", health: "unknown" },
    "监控系统自身：无法连接任何网关（域名无法解析）",
  ],
  [
    "unseen",
    { gateway: null, monitors: [], ...over("removed", "Fewer than two gateways are left to tell it by.") },
    "此事件因剩余网关不足两个、无法判断而结束",
  ],
  [
    "without causes",
    { cause: null, owner: null, timeline: [{ ...OPENED, cause: null, owner: null, text: "" }] },
    "由谁处理 不公开",
  ],
])("an incident: %s", async (_, more, words) => {
  const incident = incidentDocument(more);
  const published = { ...publishedIncident(), incident };
  const open = incident.resolvedAt === null ? [incident] : [];
  const status = statusDocument({ incidents: open });
  const tail = { incidents: [published] };
  for (const nowMs of [STALE_MS, NOW_MS]) {
    await get("/", { status, tail, nowMs });
    await get("/gateways/acme", { nowMs });
    const text = await get(`/incidents/${incident.id}`, { nowMs });
    if (nowMs === NOW_MS) expect(text).toContain(words);
  }
});

test("an incident's stored sentences are told in Chinese, and unknown ones quoted as English", async () => {
  const later = timelineEntry({ ...REFUSED, type: "updated", text: CAUSE_TABLE.connection_failed.advice });
  const incident = incidentDocument({ ...SHARED, timeline: [OPENED, JOINED, later, LEFT] });
  await world.publish(statusDocument(), { incidents: [{ ...publishedIncident(), incident }] });
  const text = await get(`/incidents/${incident.id}`);
  expect(text).toContain("发生（受阻：余额已用尽）。当时由谁处理：监控所用密钥的持有者。请检查账户的余额");
  expect(text).toContain("Top up.");
  expect(text).toContain("另一监控项加入：acme/chat 也无法连接网关。");
  expect(text).toContain("如何处理 连接失败、中断，或返回的内容不是可读的 HTTP。");
});

test("a report", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  const text = await get(`/reports/${INCIDENT}-1`);
  for (const words of [
    "问题报告：Acme · models：余额已用尽",
    "地址不公开：以 $GATEWAY_BASE_URL 代表地址，以 $GATEWAY_API_KEY 代表密钥。",
    "HTTP 状态码 402",
    "业务码 无",
    "流式 否",
    "原因 余额已用尽（insufficient_balance）",
    "复现方法 curl",
  ])
    expect(text).toContain(words);
  const unsent = reportDocument({ cause: "authentication", attempts: 0, httpStatus: null, streaming: true });
  await world.publish(statusDocument(), { incidents: [{ ...publishedIncident(), reports: [unsent] }] });
  expect(await get(`/reports/${INCIDENT}-1`)).toContain("未发出任何请求：未设置可用的密钥。");
});

test.each([
  ["/gateways/none", "这里没有这个网关。"],
  ["/incidents/none", "这里没有这个事件。"],
  ["/incidents/acme.models-20261120t120000z", "告警所述的内容会在数秒后发布到这里"],
  ["/reports/none-1", "这里没有这份报告。"],
  ["/nowhere", "此地址没有任何内容。"],
])("a failure: %s", async (path, words) => {
  expect(await get(path, { status: statusDocument() })).toContain(words);
});

test("no result yet", async () => {
  const text = await get("/");
  expect(text).toContain("服务暂不可用 · 状态");
  expect(text).toContain("还没有结果：首次检查将在一分钟内进行。");
});
