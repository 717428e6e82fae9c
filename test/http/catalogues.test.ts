/** The languages of the pages against each other, and each against what it must say; sentences that the core stores in English. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Language, LANGUAGES } from "../../src/config/config.ts";
import { ownMessage, say } from "../../src/domain/language/words.ts";
import { alertWords } from "../../src/alert/words.ts";
import { EN, EVIDENCE, REFERENCE, TERMS, ZH } from "./words.ts";
import { endIncident, flapIncident, type Incident, steadyIncident } from "../../src/domain/incident.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../../src/domain/monitor-state.ts";
import { NO_FIGURES } from "../../src/domain/probe-outcome.ts";
import { Fragment } from "../../src/http/jsx/jsx-runtime.ts";
import { storedWords } from "../../src/http/pages/format.ts";
import type { Messages } from "../../src/http/pages/i18n/messages.ts";
import { DEMO_NOTICE } from "../../src/local/demo.ts";
import { judgeWishes } from "../../src/probe/canary-probe.ts";
import {
  balanceLow,
  goneTask,
  ofUnknownFate,
  stalledTask,
  unaskableTask,
} from "../../src/protocol/examine-canary.ts";
import { advise, type CauseCircumstance, causeRow, rowOf } from "../../src/protocol/causes.ts";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { type Cause, CAUSE_ADVICE, CAUSES } from "../../src/protocol/diagnosis.ts";
import { lackOf } from "../../src/protocol/canary-evidence.ts";
import { MINUTE, play } from "../domain/alarm-play.ts";
import { diagnosis } from "../fixtures/outcome.ts";

/** Messages and sentences by their place, such as `card.noOutage`. */
type Leaves = ReadonlyMap<string, string>;

/** What is stored in English no other language shares. */
function leavesOf(node: object, path = ""): [string, string][] {
  return Object.entries(node).flatMap(([key, child]: [string, object | string | null]) => {
    const place = `${path}${key}`;
    if (child === null || place === "stored") return [];
    return typeof child === "object" ? leavesOf(child, `${place}.`) : [[place, child]];
  });
}

const ALL: Readonly<Record<Language, Leaves>> = {
  en: new Map(leavesOf({ ...EN, ...REFERENCE.en, alerts: alertWords("en").alerts })),
  zh: new Map(leavesOf({ ...ZH, ...REFERENCE.zh })),
};

/** They begin and end like a number or a name. */
const SLOTS = ["1‹a›1", "2‹b›2", "3‹c›3"] as const;

const told = (leaf: string) => say(leaf, ...SLOTS);

/** How many things a sentence tells. */
function countOf(leaf = ""): number {
  return new Set(leaf.match(/\{\d/gu)).size;
}

/** How many things a sentence is to tell, in whatever language names most of them. */
function slotsOf(place: string): readonly string[] {
  return SLOTS.slice(0, Math.max(...LANGUAGES.map((language) => countOf(ALL[language].get(place)))));
}

const placesOf = (language: Language, isMeant: (leaf: string, place: string) => boolean) =>
  [...ALL[language]].flatMap(([place, leaf]) => (isMeant(leaf, place) ? [place] : []));

test.each(LANGUAGES)("%s has the words of English, and no others", (language) => {
  expect([...ALL[language].keys()].sort()).toEqual([...ALL.en.keys()].sort());
});

test("a sentence has the words for one thing and for several, and must be told all that it names", () => {
  expect([0, 1, 2].map((count) => say("{0|# one is|# are} {1}", count, "up"))).toEqual([
    "0 are up",
    "1 one is up",
    "2 are up",
  ]);
  expect(say("{1}, {0}", "{1}", null)).toEqual(["", null, ", ", "{1}", ""]);
  expect(() => say("{0} of {1}", 1)).toThrow("nothing is told at 1: {0} of {1}");
});

test.each(LANGUAGES)("every sentence in %s tells all that it is given", (language) => {
  const isOnce = (leaf: string, slot: string) => told(leaf).split(slot).length === 2;
  const isWhole = (leaf: string, place: string) => slotsOf(place).every((slot) => isOnce(leaf, slot));
  expect(placesOf(language, (leaf, place) => !isWhole(leaf, place))).toEqual([]);
  expect(slotsOf("day.percentiles")).toEqual(SLOTS);
});

test.each(LANGUAGES)("in %s no words have markup, and none is empty but what parts sentences", (language) => {
  expect(placesOf(language, (leaf) => /[<>&"]/u.test(told(leaf)))).toEqual([]);
  expect(placesOf(language, (leaf, place) => told(leaf) === "" && place !== "gap")).toEqual([]);
});

const chinese: readonly (readonly [string, string])[] = [
  ...[...ALL.zh].map(([place, leaf]) => [place, told(leaf)] as const),
  ...Object.entries(EVIDENCE.zh),
  ...Object.entries(ZH.stored?.advice ?? {}),
  ...(ZH.stored?.sentences ?? []).map(([pattern, words]) => [pattern.source, words] as const),
].filter(([place]) => place !== "tag");

test("Chinese has no Latin words but terms", () => {
  const left = chinese.map(([place, words]) => [place, words.replaceAll(TERMS, "")] as const);
  expect(left.filter(([, words]) => /\p{Script=Latin}/u.test(words))).toEqual([]);
});

test("each problem that Chinese tells is one of the sources, and has no other Latin words than that", () => {
  const sources = globSync("src/{http,ledger,config}/**/*.{ts,tsx}").map((file) =>
    readFileSync(file, "utf8"),
  );
  const spoken = sources.join("\n").replaceAll(/\$\{[^}]*\}/gu, "1");
  const wrong = (ZH.stored?.problems ?? []).filter(([{ source }, words]) => {
    const isSpoken = new RegExp(source.replaceAll(/^\^|\$$/gu, "").replaceAll(/\(.+?\)/gu, ".+"), "u").test(
      spoken,
    );
    const latin: readonly string[] = words.replaceAll(TERMS, "").match(/[A-Za-z]\w+/gu) ?? [];
    return !isSpoken || latin.some((word) => !source.includes(word));
  });
  expect(wrong).toEqual([]);
});

/** Their slots are Chinese words themselves. */
const IN_CHINESE =
  /^(?:headline\.(?:count|one|both|all|some)|report\.about|incident\.over|ago|until|stopped\.gaps|maintenance\.planned|card\.paused(?:Until)?|card\.every|canary\.(?:notAsked|task)|alerts\.(?:still|waits))$/u;

test("Chinese has spaces where Latin or digits begin and end, and punctuation of its own", () => {
  const wrong = chinese.filter(
    ([place, words]) =>
      (!IN_CHINESE.test(place) && /\p{Script=Han}[\w$]|[\w%]\p{Script=Han}/u.test(words)) ||
      /\p{Script=Han} ?[,.;:!?()]|[,.;:!?()]\p{Script=Han}|\p{Script=Han} \p{Script=Han}/u.test(words) ||
      /[，。；：、（）“”] | [，。；：、（）“”]/u.test(words),
  );
  expect(wrong).toEqual([]);
});

const shown = (text: string, cause: Cause | null, words: Messages) =>
  Fragment({ children: storedWords(text, cause, words) }).toString();
const inChinese = (text: string, cause: Cause | null) => shown(text, cause, ZH);

test("what is advised where a cause is as usual is told in the page's language", () => {
  for (const cause of CAUSES) {
    expect(inChinese(CAUSE_ADVICE[cause], cause)).toBe(ZH.stored?.advice[cause]);
    expect(shown(CAUSE_ADVICE[cause], cause, EN)).toBe(
      `<bdi>${CAUSE_ADVICE[cause].replaceAll("'", "&#39;")}</bdi>`,
    );
  }
});

const USUAL = {
  layer: "http",
  httpStatus: 400,
  businessCode: null,
  retryAllowed: true,
  key: null,
  via: null,
} as const;
const adviceOf = (cause: Cause, more: Partial<CauseCircumstance>) =>
  causeRow(cause, { ...USUAL, ...more }).advice;

function notSent(reason: "secret_missing" | "secret_malformed"): string {
  const observation = { type: "not_sent", kind: "models", reason, secretName: "ACME_API_KEY" } as const;
  return diagnose(observation, { nowMs: 0, redact: (text) => text }).advice;
}

/** As the transitions write them. */
function timelineTexts(): readonly string[] {
  const { final } = play({ m: "LL..", n: "LLUU", o: "LLDD" });
  const alike = play({ m: "DD", n: "DD" }).final;
  const paused = play({ m: "LL", n: "LL" }).final;
  paused.pause("a/m", 3 * MINUTE);
  const removed = play({ m: "LL", n: "LL" }).final;
  removed.configure(removed.configured.slice(1), 3 * MINUTE);
  const [incident] = Object.values(play({ m: "DD" }).final.members.incidents) as [Incident];
  const ended = [
    flapIncident(incident, 4, 0),
    steadyIncident(incident, null, 0),
    steadyIncident(incident, Date.UTC(2026, 10, 20, 8), 0),
    endIncident(incident, "resolved", 0),
    endIncident(incident, "removed", 0),
    endIncident(incident, "paused", 0),
    endIncident(incident, "removed", 0, "Fewer than two gateways are left, too few to judge by."),
  ];
  const incidents = [final, alike, paused, removed].flatMap(({ members }) =>
    Object.values(members.incidents),
  );
  return [...incidents, ...ended].flatMap(({ timeline }) =>
    timeline.filter(({ type }) => type !== "opened" && type !== "updated").map(({ text }) => text),
  );
}

const UNKNOWN = { ...NO_FIGURES, balance: null, tookMs: 0, slowerThanMs: null, other: null };
const NO_LIMITS = { warnBelow: null, pointers: {}, firstTokenSlowerThanMs: null, tokensPerSecondBelow: null };
const withoutBalance = judgeWishes(diagnosis("ok", "up"), { ...NO_LIMITS, warnBelow: 10 }, UNKNOWN);
const judged = (limits: Partial<Parameters<typeof judgeWishes>[1]>, found: object) =>
  judgeWishes(diagnosis("ok", "up"), { ...NO_LIMITS, ...limits }, { ...UNKNOWN, ...found }).message ?? "";

const advised = (cause: Cause, operator: "us" | "them", more = {}) =>
  [advise({ ...rowOf(cause), ...more }, operator), cause] as const;
const hinted = (type: string) => advised("upstream_unavailable", "us", { errorType: type, message: "x" });
const ADVISED = [
  advised("service_misconfigured", "them"),
  advised("service_misconfigured", "us", { requestId: "req_7" }),
  advised("authentication", "them", {
    owner: "operator",
    advice: "openai refused the gateway's own key, not it.",
  }),
  advised("slow", "them"),
  advised("model_missing", "them"),
  advised("model_substituted", "them"),
  advised("tls_failure", "them"),
  advised("upstream_unavailable", "us"),
  advised("stream_dropped", "us", {
    advice: `${CAUSE_ADVICE.stream_dropped} It was cut after 60 s. Raise the read timeout of the proxy in front (nginx: x).`,
  }),
  ...["one_api_error", "litellm.X", "portkey", "EngineCore", "llama runner"].map(hinted),
  ...["request queue is full", "ring-balancer", "Route Not Found"].map(hinted),
];

const UNUSUAL: readonly (readonly [text: string, cause: Cause | null])[] = [
  [adviceOf("authentication", { key: "jwt" }), "authentication"],
  [adviceOf("business_error", { businessCode: 5002 }), "business_error"],
  [adviceOf("upstream_unavailable", { retryAllowed: false }), "upstream_unavailable"],
  [adviceOf("rate_limited", { retryAllowed: false }), "rate_limited"],
  [adviceOf("authentication", { via: { provider: "openai" } }), "authentication"],
  [adviceOf("quota_exceeded", { via: { provider: null } }), "quota_exceeded"],
  [adviceOf("upstream_unavailable", { via: "proxy" }), "upstream_unavailable"],
  [notSent("secret_missing"), "authentication"],
  [notSent("secret_malformed"), "authentication"],
  [judgeByHistory(diagnosis("wrong_url", "blocked"), 0, 0).advice, "wrong_url"],
  [withoutVerdict(diagnosis("timeout", "down")).advice, "timeout"],
  [judgeByList(diagnosis("not_found", "blocked"), true).advice, "not_found"],
  [unaskableTask(diagnosis("task_pending", "unknown")).advice, "unexpected_response"],
  [goneTask(diagnosis("not_found", "blocked")).advice, "not_found"],
  [ofUnknownFate().advice, "timeout"],
  [ofUnknownFate().message ?? "", null],
  [withoutBalance.advice, "unexpected_response"],
  ["The task did not finish by its deadline. Look for it behind the gateway; do not create it again.", null],
  [DEMO_NOTICE, null],
  ...ADVISED,
  ...timelineTexts().map((text) => [text, null] as const),
];

test.each(UNUSUAL)("%j has a text in the page's language", (text, cause) => {
  const shownText = inChinese(text, cause);
  expect(shownText).toMatch(/^[^<>]+。$/u);
  expect(shownText).not.toBe(cause && ZH.stored?.advice[cause]);
  expect(shownText).not.toContain("$");
});

test("every sentence that Chinese knows is one that the core writes", () => {
  const idle = [...(ZH.stored?.sentences ?? []), ...(ZH.stored?.tails ?? [])].filter(
    ([pattern]) => !UNUSUAL.some(([text]) => pattern.test(text)),
  );
  expect(idle).toEqual([]);
});

test("names in a stored sentence stay in it", () => {
  expect(inChinese(notSent("secret_missing"), "authentication")).toContain("机密变量 ACME_API_KEY 未设置");
  expect(inChinese("a/n works again.", null)).toBe("a/n 已恢复正常。");
  expect(inChinese("<b>/n works again.", null)).toBe("&lt;b&gt;/n 已恢复正常。");
});

test("an unknown sentence is quoted in English, after the advice for its cause", () => {
  expect(inChinese("Look at <it>.", null)).toBe('<q lang="en">Look at &lt;it&gt;.</q>');
  expect(inChinese("Top up.", "insufficient_balance")).toBe(
    `${ZH.stored?.advice.insufficient_balance}<q lang="en">Top up.</q>`,
  );
});

const pointers = { text: "/a", vector: "/b", result: "/c" };
const ASKED = { task: null, isStreamed: false, pointers, expect: [] } as const;
const CAME = "Complete events before: 3.";

/** What Gatepulse itself says of an answer, and its Chinese: each kind of slot once. */
const OWN: Readonly<Record<string, string>> = {
  [`The connection broke off in the stream (Network connection lost.). ${CAME}`]:
    "连接在流式响应中途断开（Network connection lost.）。此前收到 3 个完整事件。",
  "A stream of events was asked for, and the answer is none.": "请求的是流式响应，收到的却不是。",
  [`The connection broke during the stream (Network connection lost.). ${CAME}`]:
    "连接在流式响应中途断开（Network connection lost.）。此前收到 3 个完整事件。",
  "The request asked for a stream, but the answer is not one.": "请求的是流式响应，收到的却不是。",
  "Not what is expected at /model.": "/model 处的值与预期不符。",
  "Unexpected value at /model.": "/model 处的值与预期不符。",
  "Unexpected answer.": "整个响应与预期不符。",
  "The body was not read to its end: it is too large, or comes in too many pieces.":
    "响应未能读完：内容过大，或分段过多。",
  "The JSON was not read: it has too many values.": "JSON 未被读取：值过多。",
  [lackOf({ ...ASKED, evidence: "text" })]: "没有文本：查找的位置是 /a。",
  [unaskableTask(diagnosis("task_pending", "unknown")).message ?? ""]:
    "任务已受理，但响应中没有可用于查询的 id。",
  "unknown task state: $1 $&": "未知的任务状态：$1 $&",
  [stalledTask(diagnosis("task_pending", "unknown", { message: null, taskState: "RUNNING" })).message ?? ""]:
    "最后所知的状态：RUNNING",
  [ofUnknownFate().message ?? ""]: "检查在记录响应之前被中断。",
  "Network connection lost.": "连接报告：Network connection lost.",
  "connect ECONNREFUSED 10.0.0.1:443": "连接报告：connect ECONNREFUSED 10.0.0.1:443",
  [balanceLow(diagnosis("ok", "up"), 3.5, 10).message ?? ""]: "余额为 3.5，低于 10。",
  [judged({}, { other: { requested: "gpt-4o", named: "gpt-4o-mini", inARow: 3 } })]:
    "响应所写的模型是 gpt-4o-mini，而不是 gpt-4o（已连续 3 次）。",
  [judged({}, { tookMs: 7_200, slowerThanMs: 5_000 })]: "响应用时 7.2 s，超过 5 s。",
  [judged({ firstTokenSlowerThanMs: 350 }, { firstTokenMs: 412 })]: "首字在 0.412 s 后到达，晚于 0.35 s。",
  [judged({ tokensPerSecondBelow: 20 }, { tokensPerSecond: 8.5 })]: "速度为每秒 8.5 个词元，低于 20。",
};

test.each(Object.entries(OWN))("%s is a message of Gatepulse and is not quoted", (text, translated) => {
  expect(ownMessage(text, ZH.stored)).toBe(translated);
  expect(ownMessage(text, EN.stored)).toBe(text);
});

test("a service's words are not taken for Gatepulse's", () => {
  for (const text of ["The balance is used up.", "Complete events before: 3.", "", "stream ended"]) {
    expect(ownMessage(text, EN.stored)).toBeNull();
    expect(ownMessage(text, ZH.stored)).toBeNull();
  }
});
