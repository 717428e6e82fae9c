/** Pages in Chinese: no English word is left in them but where it is said to be English, or is a name. */
import { expect, test } from "vitest";
import type { IncidentDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { causeRow } from "../../src/protocol/causes.ts";
import { type Cause, CAUSES, type Diagnosis, HEALTHS } from "../../src/protocol/diagnosis.ts";
import { expectWords, readHtml, spokenIn, textOf } from "./html.ts";
import { courseTail, probesTail, stepsOf } from "./published-status.ts";
import {
  BALANCE_GONE,
  endEntry,
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
  const at = {
    layer: "http",
    httpStatus: 500,
    businessCode: null,
    retryAllowed: true,
    key: null,
    via: null,
  } as const;
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
const OWN = {
  gateway: null,
  monitors: [],
  cause: "dns_failure",
  owner: "network",
  health: "unknown",
} as const;
const END = endEntry({ at: "2026-11-20T09:30:00.000Z" });
const entry = (type: string, text: string) => timelineEntry({ type, text });
const FLAPPING = entry("flapping", "More than 4 changes within an hour: until it is steady, only reminders.");
const JOINED = entry("joined", "acme/chat cannot reach the gateway either.");

/** Each is published in turn; with what its own page says. */
const INCIDENTS: readonly (readonly [incident: Partial<IncidentDocument>, words: string])[] = [
  [{}, "由您处理 并非网关故障。请检查账户的余额"],
  [
    { flapping: true, acknowledgedAt: END.at, timeline: [timelineEntry(), JOINED, FLAPPING] },
    "另一监控项加入 首次失败后 1 分钟 acme/chat 也无法连接网关。",
  ],
  [{ resolvedAt: END.at, timeline: [timelineEntry(), END] }, "前，历时 1 小时 31 分钟。"],
  [OWN, "监控系统自身：域名无法解析"],
  [{ cause: null, owner: null, timeline: [] }, "原因不公开 这些网关只公开状态。"],
];

test.each(INCIDENTS)("pages about an incident: %j", async (more, words) => {
  const incident = incidentDocument(more);
  const told = {
    ...oneGateway(
      monitorOf("service_misconfigured", { incident: INCIDENT.id, report: `${INCIDENT.id}-2` }),
      monitorOf("timeout", { id: "acme/chat" }),
      monitorThatIs("unknown", { lastStatus: "down", pausedAt: "2026-11-20T09:00:00.000Z" }),
      monitorThatIs("unknown", { lastStatus: null, lastProbe: null }),
      monitorDocument({ status: "blocked", diagnosis: null }),
    ),
    maintenance: [plannedWindow([], ["14:00:00.000", "15:00:00.000"], "迁移机房")],
    timeZone: "Asia/Shanghai",
    notice: "These data are simulated",
  };
  const unsent = reportDocument({ cause: "authentication", attempts: 0, httpStatus: null, streaming: true });
  const reports = [{ ...unsent, id: `${incident.id}-1` }];
  const tail = { incidents: [{ incident, reports, fullReports: [] }] };
  for (const status of [told, { ...told, maintenance: [plannedWindow([])] }]) {
    await get("/", {
      status: { ...status, incidents: incident.resolvedAt === null ? [incident] : [] },
      tail,
    });
    for (const path of ["/", "/gateways/acme", `/incidents/${incident.id}`, `/reports/${incident.id}-1`])
      for (const nowMs of [NOW_MS, STALE_MS]) await get(path, { nowMs });
  }
  expect(await get(`/incidents/${incident.id}`)).toContain(words);
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
    modelNotes: { "acme/models": [note] },
  };
  expectWords(await get("/gateways/acme", { status: oneGateway(first, ...monitors), tail }), [
    "由谁处理：监控所用密钥的持有者。",
    "3，等待 7 秒",
    "列表中有 42 个模型。消失：",
  ]);
  await get("/");
});

test.each(["/", "/gateways/none", "/incidents/acme.models-20261120t120000z", "/nowhere"])(
  "a failure: %s",
  async (path) => {
    await get(path);
    await world.publish(statusDocument());
    await get(path);
  },
);
