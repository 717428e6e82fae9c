/** Pages in Chinese: no English word is left in them but where it is said to be English, or is a name. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import type { IncidentDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { CAUSE_TABLE, causeRow } from "../../src/protocol/causes.ts";
import { type Cause, CAUSES, type Diagnosis, HEALTHS } from "../../src/protocol/diagnosis.ts";
import { expectWords, readHtml, spokenIn, textOf } from "./html.ts";
import { courseTail, probesTail, stepsOf, TROUBLED } from "./published-day.ts";
import {
  BALANCE_GONE,
  daysOf,
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  oneGateway,
  plannedWindow,
  publishedIncident,
  reportDocument,
  STALE_MS,
  statusDocument,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

/** Names and ids of these tests, formats, units, and zones: the same in any language. */
const NAMES =
  /\b(?:Acme gateways|Acme|acme|models|chat|Gatepulse|gatepulse|HTTP|TLS|JSON|Markdown|API|DNS|URL|User-Agent|GET|HEAD|UTC|GMT|Asia\/Shanghai|p50|p95|p99|ms|id|v1|gpt-9|gpt-10|authentication|[a-z]+_[a-z_]+)\b/gu;

/** What is neither Chinese nor a name, though the page says it is Chinese. */
function foreignIn(html: string): string[] {
  readHtml(html);
  return spokenIn(html)
    .filter(({ lang, within }) => lang === "zh-Hans" && !within.includes("code") && !within.includes("small"))
    .map(({ text, within }) => (within.includes("pre") ? text.replaceAll(/`[^`]*`/gu, "") : text))
    .filter((text) => /\p{Script=Latin}/u.test(text.replaceAll(NAMES, "")));
}

type Shown = Partial<{ status: Partial<StatusDocument>; tail: Partial<SnapshotTail>; nowMs: number }>;

/** The words of the page; its document is published first, where there is one. */
async function get(path: string, { status, tail, nowMs = NOW_MS }: Shown = {}): Promise<string> {
  if (status) await world.publish(statusDocument(status), tail);
  const headers = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8", accept: "text/html" };
  const html = await (await world.ask(path, { headers }, { now: () => nowMs })).text();
  expect(html).toContain('<html lang="zh-Hans">');
  expect(foreignIn(html)).toEqual([]);
  // Chinese punctuation has its space in itself.
  return textOf(html).replaceAll(/ ?([，。；：、（）]) ?/gu, "$1");
}

function diagnosisOf(cause: Cause): Diagnosis {
  const at = { layer: "http", httpStatus: 500, businessCode: null, retryAllowed: true, key: null } as const;
  const { owner, health, ok, advice } = causeRow(cause, at);
  return { ...BALANCE_GONE, cause, owner, health, ok, advice, message: "Something broke in here" };
}

function monitorOf(cause: Cause, more: Partial<MonitorDocument> = {}): MonitorDocument {
  const diagnosis = diagnosisOf(cause);
  return monitorThatIs(diagnosis.health, { diagnosis, ...more });
}

const INCIDENT = "acme-models-20261120t080000z";
const FAILING = { incident: INCIDENT, report: `${INCIDENT}-2` };
const DOWN = monitorOf("service_misconfigured", {
  ...FAILING,
  days: daysOf((index) => (index < 30 ? "unknown" : index === 89 ? "down" : "up")),
  lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 220, attempts: 4, waitedMs: 7310 },
});
const PAUSED = monitorThatIs("unknown", {
  lastStatus: "down",
  nextProbeAt: null,
  pausedAt: "2026-11-20T09:00:00.000Z",
});
const NEVER = monitorThatIs("unknown", { lastStatus: null, lastProbe: null });
const HIDDEN = monitorDocument({ status: "blocked", diagnosis: null });
const CHAT = monitorDocument({ id: "acme/chat" });
const MAINTENANCE = {
  ...oneGateway(monitorOf("timeout")),
  maintenance: [plannedWindow(["acme"]), plannedWindow([], ["14:00:00.000", "15:00:00.000"], "迁移机房")],
  timeZone: "Asia/Shanghai",
  notice: "These data are simulated",
};
const MANY = [1, 2, 3, 4, 5, 6, 7].map((n) =>
  gatewayDocument({ id: `g${n}`, status: "down", monitors: [monitorOf("timeout")] }),
);

test.for<readonly [what: string, status: Partial<StatusDocument>, ...words: readonly string[]]>([
  ["all is up", oneGateway(monitorDocument(), CHAT), "全部 2 个监控项正常", "24 小时 99.86%，7 天 100%"],
  [
    "one is down",
    { ...oneGateway(monitorDocument(), DOWN), putOff: 2 },
    "故障 Acme：服务内部出错。由谁处理：网关的运营方。",
    "有 2 项到期的检查须等到下一轮。",
    "UTC，220 ms，尝试 4 次，其间等待 7 秒",
    "Something broke in here",
  ],
  [
    "blocked is no outage",
    oneGateway(monitorOf("insufficient_balance", FAILING)),
    "1 个监控项中有 1 个受阻，未见网关故障 1 个监控项受阻：看不到网关的状况。这本身不是网关故障。",
  ],
  [
    "maintenance",
    MAINTENANCE,
    "计划维护中，至 2026-11-20 21:00:00 GMT+8",
    "Moving（Acme）：进行中，自 2026-11-20 19:00:00 GMT+8 至",
    "迁移机房（所有网关）：计划自",
  ],
  ["paused", oneGateway(PAUSED), "监控项已暂停", "此监控项已于 2026-11-20 09:00:00 UTC 被人工暂停。"],
  ["paused beside another", oneGateway(PAUSED, CHAT), "2 个监控项中有 1 个正常，1 个已暂停"],
  ["hidden", oneGateway(HIDDEN, NEVER)],
  ["no monitor", oneGateway()],
  ["no gateway", { gateways: [] }],
  ["more gateways than the banner names", { gateways: MANY }, "另有 2 个网关，见下文。"],
  ["never checked", { ...oneGateway(NEVER), lastTickAt: null }],
])("%s", async ([, status, ...words]) => {
  expectWords(await get("/", { status }), words);
  const stale = await get("/", { nowMs: STALE_MS });
  expect(stale).toContain("检查已停止 · Acme gateways");
  for (const nowMs of [NOW_MS, STALE_MS]) await get("/gateways/acme", { nowMs });
});

test.each(CAUSES)("of %s", async (cause) => {
  const old = monitorOf(cause, { id: "acme/chat", status: "unknown", lastStatus: "down" });
  const retry = { afterSeconds: 100, allowed: true, hint: null };
  const diagnosis: Diagnosis = { ...diagnosisOf(cause), retry, ambiguous: ["timeout"] };
  const monitor = monitorOf(cause, { ...FAILING, diagnosis, missingModels: ["gpt-9", "gpt-10"] });
  await get("/", { status: oneGateway(monitor, old) });
  // And in charts and among the newest checks.
  const step = { health: diagnosis.health, cause };
  const tail = { ...courseTail(stepsOf({ 3: step })), ...probesTail([step]) };
  await get("/gateways/acme", { status: oneGateway(monitor), tail });
});

const noteOf = (minutes: number, count: number, vanished: string[] = [], returned: string[] = []) => {
  return { atMs: NOW_MS - minutes * MINUTE_MS, count, vanished, returned };
};
const NOTES = [noteOf(9, 42), noteOf(8, 40, ["gpt-9", "gpt-10"]), noteOf(7, 42, [], ["gpt-9"])];

test.for<readonly [what: string, tail: Partial<SnapshotTail>, ...words: readonly string[]]>([
  ["the table of the chart", courseTail(TROUBLED), "03:30 受阻 余额已用尽"],
  ["no check", {}, "最近半小时没有已发布的检查结论。"],
  [
    "the newest checks",
    probesTail([
      { health: "down", cause: "timeout", latencyMs: null, httpStatus: null, attempts: 3, waitedMs: 7310 },
      { health: "blocked", cause: "authentication", latencyMs: null, httpStatus: null, attempts: 0 },
      { health: "blocked", cause: "insufficient_balance", httpStatus: 402, inMaintenance: true },
      ...HEALTHS.map((health) => ({ health, cause: "ok" }) as const),
    ]),
    "受阻（维护中）余额已用尽 100 ms 1 402",
    "受阻 未设置可用的密钥 0",
    "3，等待 7 秒",
  ],
  [
    "the list of models",
    { modelNotes: { "acme/models": NOTES } },
    "11:53:00 UTC：42 个模型，比之前多 2 个。恢复：gpt-9。2026-11-20 11:52:00 UTC：40 个模型，比之前少 2 个。消失：gpt-9、gpt-10。",
  ],
  ["a steady list", { modelNotes: { "acme/models": NOTES.slice(0, 1) } }, "自首次查看以来列表没有变化。"],
])("of a day: %s", async ([, tail, ...words]) => {
  expectWords(await get("/gateways/acme", { status: {}, tail }), words);
  const line = await get("/", { nowMs: NOW_MS + 2 * MINUTE_MS });
  expect(line).toContain("最近检查：2 分钟前（2026-11-20 12:00:00 UTC）。");
  expect(await get("/gateways/acme", { nowMs: STALE_MS })).not.toContain("现在：");
});

const REFUSED = { cause: "connection_failed", health: "down", owner: "operator" } as const;
const refused = (type: string, text: string) => timelineEntry({ ...REFUSED, type, text });
const OPENED = timelineEntry();
const JOINED = refused("joined", "acme/chat does not reach the gateway either.");
const LATER = refused("updated", CAUSE_TABLE.connection_failed.advice);
const LEFT = refused("left", "acme/chat works again.");
const FLAPPING = refused(
  "flapping",
  "More than 4 changes within an hour: until it is steady, only reminders are sent.",
);
const SHARED = { ...REFUSED, monitors: ["acme/models", "acme/chat"] };
const over = (type: string, text: string) => ({
  resolvedAt: "2026-11-20T09:30:00.000Z",
  timeline: [OPENED, endEntry({ at: "2026-11-20T09:30:00.000Z", type, text })],
});
const SEEN = {
  acknowledgedAt: "2026-11-20T08:10:00.000Z",
  notes: [{ at: "2026-11-20T08:20:00.000Z", text: "The card was charged." }],
};
const OWN = {
  gateway: null,
  monitors: [],
  cause: "dns_failure",
  owner: "network",
  health: "unknown",
} satisfies Partial<IncidentDocument>;
const WITHOUT = { cause: null, owner: null };

test.for<readonly [what: string, incident: Partial<IncidentDocument>, words: string]>([
  [
    "open",
    {},
    "此事件尚未结束。受阻的监控项看不到网关是否正常。这本身不是网关故障。最近一次检查成功；若继续成功，事件即告结束。",
  ],
  ["seen, with notes", SEEN, "已有人查看 2026-11-20 08:10:00 UTC"],
  [
    "resolved",
    over("resolved", "The last probes succeeded."),
    "（历时 1 小时 31 分钟，自首次失败的检查算起）",
  ],
  ["removed", over("removed", "The monitor was removed from the configuration."), "从未见到它恢复。"],
  ["paused", { ...SHARED, ...over("paused", "The monitor was paused.") }, "监控项已暂停 从未见到它恢复。"],
  ["flapping", { ...REFUSED, flapping: true, timeline: [OPENED, FLAPPING] }, "抖动：检查时而成功、时而失败"],
  [
    "shared",
    { ...SHARED, members: ["acme/models"], timeline: [OPENED, JOINED, LATER, LEFT] },
    "另一监控项加入：acme/chat 也无法连接网关。",
  ],
  ["its own", OWN, "监控系统自身：域名无法解析"],
  [
    "unseen",
    { ...OWN, ...over("removed", "Fewer than two gateways are left to tell it by.") },
    "剩余网关不足两个",
  ],
  ["without causes", { ...WITHOUT, timeline: [{ ...OPENED, ...WITHOUT, text: "" }] }, "由谁处理 不公开"],
])("an incident: %s", async ([, more, words]) => {
  const incident = incidentDocument(more);
  await world.showIncident(incident);
  expect(await get(`/incidents/${incident.id}`)).toContain(words);
  for (const nowMs of [STALE_MS, NOW_MS]) {
    for (const path of ["/", "/gateways/acme", `/incidents/${incident.id}`]) await get(path, { nowMs });
  }
});

test("a report", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  const text = await get(`/reports/${INCIDENT}-1`);
  expect(text).toContain("问题报告：Acme · models：余额已用尽");
  expect(text).toContain("流式 否");
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
  expect(await get("/")).toContain("还没有结果：首次检查将在一分钟内进行。");
  expect(await get(path, { status: statusDocument() })).toContain(words);
});
