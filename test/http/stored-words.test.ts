/** Sentences that the core stores in English, on a page in another language. */
import { expect, test } from "vitest";
import {
  endIncident,
  flapIncident,
  resolveIncident,
  steadyIncident,
  type Incident,
} from "../../src/domain/incident.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../../src/domain/monitor-state.ts";
import { Fragment } from "../../src/http/jsx/jsx-runtime.ts";
import { storedWords } from "../../src/http/pages/stored-words.ts";
import type { Words } from "../../src/http/pages/words/catalogue.ts";
import { EN } from "../../src/http/pages/words/en.ts";
import { ZH } from "../../src/http/pages/words/zh.ts";
import { judgeWishes } from "../../src/probe/canary-conclusion.ts";
import { goneTask, ofUnknownFate, unaskableTask } from "../../src/protocol/canary-verdicts.ts";
import { CAUSE_TABLE, causeRow, type CauseCircumstance } from "../../src/protocol/causes.ts";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { type Cause, CAUSES } from "../../src/protocol/diagnosis.ts";
import { MINUTE, play } from "../domain/alarm-play.ts";
import { diagnosis } from "../fixtures/outcome.ts";

const shown = (text: string, cause: Cause | null, words: Words) =>
  Fragment({ children: storedWords(text, cause, words) }).toString();
const inChinese = (text: string, cause: Cause | null) => shown(text, cause, ZH);

test("what is advised where a cause is as usual is told in the page's language", () => {
  for (const cause of CAUSES) {
    expect(inChinese(CAUSE_TABLE[cause].advice, cause)).toBe(ZH.stored?.advice[cause]);
    expect(shown(CAUSE_TABLE[cause].advice, cause, EN)).toBe(
      `<bdi>${CAUSE_TABLE[cause].advice.replaceAll("'", "&#39;")}</bdi>`,
    );
  }
});

const USUAL: CauseCircumstance = {
  layer: "http",
  httpStatus: 400,
  businessCode: null,
  retryAllowed: true,
  key: null,
};

function notSent(reason: "secret_missing" | "secret_malformed"): string {
  const observation = { type: "not_sent", kind: "models", reason, secretName: "ACME_API_KEY" } as const;
  return diagnose(observation, { nowMs: 0, redact: (text) => text }).advice;
}

/** As the transitions write them. */
function timelineTexts(): readonly string[] {
  const { final } = play({ m: "LL..", n: "LLUU", o: "LLDD" });
  const paused = play({ m: "LL", n: "LL" }).final;
  paused.pause("a/m", 3 * MINUTE);
  const removed = play({ m: "LL", n: "LL" }).final;
  removed.configure(removed.configured.slice(1), 3 * MINUTE);
  const [incident] = Object.values(play({ m: "DD" }).final.members.incidents) as [Incident];
  const ended = [
    flapIncident(incident, 4, 0),
    steadyIncident(incident, null, 0),
    steadyIncident(incident, Date.UTC(2026, 10, 20, 8), 0),
    resolveIncident(incident, 0),
    endIncident(incident, "removed", 0),
    endIncident(incident, "paused", 0),
    endIncident(incident, "removed", 0, "Fewer than two gateways are left to tell it by."),
  ];
  const incidents = [final, paused, removed].flatMap(({ members }) => Object.values(members.incidents));
  return [...incidents, ...ended].flatMap(({ timeline }) =>
    timeline.filter(({ type }) => type !== "opened" && type !== "updated").map(({ text }) => text),
  );
}

const withoutBalance = judgeWishes(
  diagnosis("ok", "up"),
  { warnBelow: 10, pointers: {} },
  { balance: null, tookMs: 0, slowerThanMs: null },
);

const UNUSUAL: readonly (readonly [text: string, cause: Cause | null])[] = [
  [causeRow("authentication", { ...USUAL, key: "jwt" }).advice, "authentication"],
  [causeRow("business_error", { ...USUAL, businessCode: 5002 }).advice, "business_error"],
  [causeRow("upstream_unavailable", { ...USUAL, retryAllowed: false }).advice, "upstream_unavailable"],
  [causeRow("rate_limited", { ...USUAL, retryAllowed: false }).advice, "rate_limited"],
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
  ...timelineTexts().map((text) => [text, null] as const),
];

test.each(UNUSUAL)("%j is told in the page's language too", (text, cause) => {
  const told = inChinese(text, cause);
  expect(told).toMatch(/^[^<>]+。$/u);
  expect(told).not.toBe(cause && ZH.stored?.advice[cause]);
  expect(told).not.toContain("$");
});

test("every sentence that Chinese knows is one that the core writes", () => {
  const idle = ZH.stored?.sentences.filter(([pattern]) => !UNUSUAL.some(([text]) => pattern.test(text)));
  expect(idle).toEqual([]);
});

test("names in a stored sentence stay in it", () => {
  expect(inChinese(notSent("secret_missing"), "authentication")).toContain("机密变量 ACME_API_KEY 未设置");
  expect(inChinese("a/n works again.", null)).toBe("a/n 已恢复正常。");
  expect(inChinese("<b>/n works again.", null)).toBe("&lt;b&gt;/n 已恢复正常。");
});

test("a sentence that nobody knows is quoted as English, after what goes with its cause", () => {
  expect(inChinese("Look at <it>.", null)).toBe('<q lang="en">Look at &lt;it&gt;.</q>');
  expect(inChinese("Top up.", "insufficient_balance")).toBe(
    `${ZH.stored?.advice.insufficient_balance}<q lang="en">Top up.</q>`,
  );
});
