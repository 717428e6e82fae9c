/** Pages in Chinese: no English word is left in them but where it is said to be English, or is a name. */
import { expect, test } from "vitest";
import type { IncidentDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { causeRow } from "../../src/protocol/causes.ts";
import { type Cause, CAUSES, type Diagnosis, HEALTHS } from "../../src/protocol/diagnosis.ts";
import { expectWords, readHtml, spokenIn, textOf } from "./html.ts";
import { courseTail, probesTail, stepsOf } from "./published-day.ts";
import {
  BALANCE_GONE,
  endEntry,
  gatewayThatIs,
  incidentDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  oneGateway,
  plannedWindow,
  reportDocument,
  STALE_MS,
  statusDocument,
  timelineEntry,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

/** Names and ids of these tests, formats, units, and zones: the same in any language. */
const NAMES =
  /\b(?:Acme gateways|Acme|acme|The acme|models|chat|Gatepulse|gatepulse|HTTP|TLS|JSON|Markdown|API|DNS|URL|User-Agent|GET|HEAD|UTC|GMT|Asia\/Shanghai|p50|p95|p99|ms|id|v1|gpt-9|gpt-10|authentication|[mn]\d+|[a-z]+_[a-z_]+)\b/gu;

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

function monitorOf(cause: Cause, more: Partial<MonitorDocument> = {}): MonitorDocument {
  const at = { layer: "http", httpStatus: 500, businessCode: null, retryAllowed: true, key: null } as const;
  const { owner, health, ok, advice } = causeRow(cause, at);
  const retry = { afterSeconds: 100, allowed: true, hint: null };
  const diagnosis: Diagnosis = {
    ...BALANCE_GONE,
    cause,
    owner,
    health,
    ok,
    advice,
    retry,
    ambiguous: ["timeout"],
    message: "Something broke in here",
  };
  return monitorThatIs(health, { diagnosis, missingModels: ["gpt-9", "gpt-10"], ...more });
}

const INCIDENT = incidentDocument();
const PAUSED = monitorThatIs("unknown", { lastStatus: "down", pausedAt: "2026-11-20T09:00:00.000Z" });
const NEVER = monitorThatIs("unknown", { lastStatus: null, lastProbe: null });
const DOWN = monitorOf("service_misconfigured", { incident: INCIDENT.id, report: `${INCIDENT.id}-2` });

test.for<readonly [what: string, status: Partial<StatusDocument>, overview?: string, gateway?: string]>([
  ["all is up", {}, "监控项正常", "24 小时 99.86%，7 天 100%"],
  [
    "one is down",
    { ...oneGateway(monitorDocument({ id: "acme/chat" }), DOWN), incidents: [INCIDENT] },
    "2 个监控项中有 1 个故障 1 个正常。",
    "由谁处理：网关的运营方。",
  ],
  ["no incident yet", oneGateway(monitorOf("timeout")), "尚未记为事件：若接下来的检查也失败，才会记为事件。"],
  [
    "maintenance",
    {
      gateways: [gatewayThatIs("down")],
      maintenance: [plannedWindow(["acme"]), plannedWindow([], ["14:00:00.000", "15:00:00.000"], "迁移机房")],
      timeZone: "Asia/Shanghai",
      notice: "These data are simulated",
    },
    "Moving（The acme）：进行中，自 2026-11-20 19:00:00 GMT+8 至",
    "计划维护中，至 2026-11-20 21:00:00 GMT+8",
  ],
  ["paused", oneGateway(PAUSED), "监控项已暂停", "此监控项已于 2026-11-20 09:00:00 UTC 被人工暂停。"],
  ["hidden, or never checked", oneGateway(monitorDocument({ status: "blocked", diagnosis: null }), NEVER)],
  ["no monitor", oneGateway()],
  ["no gateway", { gateways: [], lastTickAt: null }],
])("%s", async ([, status, overview = "", gateway = ""]) => {
  expect(await get("/", { status })).toContain(overview);
  expect(await get("/gateways/acme")).toContain(gateway);
  expect(await get("/", { nowMs: STALE_MS })).toContain("检查已停止");
  await get("/gateways/acme", { nowMs: STALE_MS });
});

test("every cause, in cards, charts and checks", async () => {
  const monitors = CAUSES.flatMap((cause, index) => [
    monitorOf(cause, { id: `acme/m${index}` }),
    monitorOf(cause, { id: `acme/n${index}`, status: "unknown", lastStatus: "down" }),
  ]);
  const first = { ...monitorDocument(), missingModels: [] };
  const steps = stepsOf(Object.fromEntries(CAUSES.map((cause, index) => [index, { health: "down", cause }])));
  const note = { atMs: NOW_MS, count: 42, vanished: ["gpt-9", "gpt-10"], returned: ["gpt-9"] };
  const tail = {
    ...courseTail(steps),
    ...probesTail([
      ...CAUSES.map((cause) => ({ health: "down", cause, attempts: 3, waitedMs: 7310 }) as const),
      ...HEALTHS.map((health) => ({ health, cause: "ok", inMaintenance: true, attempts: 0 }) as const),
    ]),
    modelNotes: { "acme/models": [note, { ...note, count: 40 }, note] },
  };
  expectWords(await get("/gateways/acme", { status: oneGateway(first, ...monitors), tail }), [
    "由谁处理：监控所用密钥的持有者。",
    "3，等待 7 秒",
    "40 个模型，比之前少 2 个。",
  ]);
  await get("/");
});

const over = (type: string, text: string) => ({
  resolvedAt: "2026-11-20T09:30:00.000Z",
  timeline: [timelineEntry(), endEntry({ at: "2026-11-20T09:30:00.000Z", type, text })],
});
const OWN = {
  gateway: null,
  monitors: [],
  cause: "dns_failure",
  owner: "network",
  health: "unknown",
} as const;
const SHARED = { monitors: ["acme/models", "acme/chat"], members: ["acme/models"] };
const joined = (type: string, text: string) => timelineEntry({ type, text });

test.for<readonly [what: string, incident: Partial<IncidentDocument>, words: string]>([
  ["open", {}, "最近一次检查成功；若继续成功，事件即告结束。"],
  ["seen", { acknowledgedAt: "2026-11-20T08:10:00.000Z" }, "已有人查看 2026-11-20 08:10:00 UTC"],
  [
    "resolved",
    over("resolved", "The last probes succeeded."),
    "（历时 1 小时 31 分钟，自首次失败的检查算起）",
  ],
  ["removed", over("removed", "The monitor was removed from the configuration."), "从未见到它恢复。"],
  ["paused", over("paused", "The monitor was paused."), "监控项已暂停 从未见到它恢复。"],
  [
    "shared and flapping",
    {
      ...SHARED,
      flapping: true,
      timeline: [
        timelineEntry(),
        joined("joined", "acme/chat does not reach the gateway either."),
        joined("left", "acme/chat works again."),
        joined(
          "flapping",
          "More than 4 changes within an hour: until it is steady, only reminders are sent.",
        ),
      ],
    },
    "另一监控项加入：acme/chat 也无法连接网关。",
  ],
  ["its own", OWN, "监控系统自身：域名无法解析"],
  [
    "unseen",
    { ...OWN, ...over("removed", "Fewer than two gateways are left to tell it by.") },
    "剩余网关不足两个",
  ],
  ["without causes", { cause: null, owner: null, timeline: [] }, "由谁处理：不公开"],
])("an incident: %s", async ([, more, words]) => {
  const incident = incidentDocument(more);
  await world.showIncident(incident);
  expect(await get(`/incidents/${incident.id}`)).toContain(words);
  for (const path of ["/", "/gateways/acme"]) await get(path);
  await get(`/incidents/${incident.id}`, { nowMs: STALE_MS });
});

test("a report", async () => {
  await world.showIncident(INCIDENT);
  expect(await get(`/reports/${INCIDENT.id}-1`)).toContain("问题报告：Acme · models：余额已用尽");
  const unsent = reportDocument({ cause: "authentication", attempts: 0, httpStatus: null, streaming: true });
  const reports = [{ ...unsent, id: `${INCIDENT.id}-1` }];
  await world.publish(statusDocument(), { incidents: [{ incident: INCIDENT, reports, fullReports: [] }] });
  expect(await get(`/reports/${INCIDENT.id}-1`)).toContain("未发出任何请求：未设置可用的密钥。");
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
