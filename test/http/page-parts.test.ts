/** What pages are made of, by itself: how values are written, lines of charts, and JSX that escapes. */
import { expect, test } from "vitest";
import { type CourseStep, EMPTY_STEP } from "../../src/domain/rollup.ts";
import { packCourse } from "../../src/history/course.ts";
import { type Child, Fragment, Html, jsx } from "../../src/http/jsx/jsx-runtime.ts";
import {
  ageWords,
  languageOf,
  milliseconds,
  percent,
  spanWords,
  zoneClock,
} from "../../src/http/pages/format.ts";
import { EN, ZH } from "./words.ts";
import { linePath, topOf, uptimeWords } from "../../src/http/pages/charts.tsx";
import { daysOf } from "./documents.ts";
import { plainSpaces } from "./html.ts";

test.each([
  ["余额不足，请充值", "zh"],
  ["上海模型网关状态 · Shanghai gateways", "zh"],
  ["残高が不足しています", undefined],
  ["no credit", undefined],
  ["The model 通义 was not found on this server", undefined],
  ["Привет, мир", undefined],
  ["😀 404", undefined],
  ["", undefined],
])("the language of %j is known by its script: %s", (text, language) => {
  expect(languageOf(text, EN)).toBe(language);
});

test.each([
  ["UTC", "2026-11-20T12:00:00.999Z", "2026-11-20 12:00:00 UTC"],
  ["Asia/Shanghai", "2026-11-20T12:00:00.999Z", "2026-11-20 20:00:00 GMT+8"],
  ["Asia/Kathmandu", "2026-11-20T12:00:00.999Z", "2026-11-20 17:45:00 GMT+5:45"],
  ["Europe/Berlin", "2026-12-01T12:00:00.000Z", "2026-12-01 13:00:00 GMT+1"],
])("a time of %s has its offset at that instant: %s", (zone, instant, shown) => {
  expect(zoneClock(zone).show(instant)).toBe(shown);
});

const uptime = { "24h": 1, "7d": 0.9, "30d": 0.8, "90d": 0.7 };
const since = (days: number) => daysOf((index) => (index >= 90 - days ? "up" : "unknown"));

test.each([
  [0, "no data"],
  [3, "24 h 100 %, 7 d 90 %, 30 d 80 %, data since 2026-11-18"],
  [90, "24 h 100 %, 7 d 90 %, 30 d 80 %"],
])("with data of %i days uptime says since when they are", (days, words) => {
  expect(plainSpaces(uptimeWords(uptime, since(days), EN))).toBe(words);
});

test("a window in which nothing counted is left out", () => {
  const none = { ...uptime, "24h": null, "7d": null };
  expect(plainSpaces(uptimeWords(none, since(90), EN))).toBe("30 d 80 %");
});

test.each([
  [0.57, "57\u00a0%"],
  [0.999_999, "99.99\u00a0%"],
  [1, "100\u00a0%"],
  [0, "0\u00a0%"],
  [null, "no data"],
])("a share of %j is written as %s", (share, words) => {
  expect(percent(share, EN)).toBe(words);
});

test.each([
  [29_999, "under 1\u00a0min"],
  [30_000, "1\u00a0min"],
  [89_999, "1\u00a0min"],
  [90_000, "2\u00a0min"],
  [59.5 * 60_000, "1\u00a0h"],
])("an age of %i ms is told to the nearest minute, as %s", (ms, words) => {
  expect(ageWords(0, ms, EN)).toBe(words);
});

test("a number and its unit are never parted at the end of a line, and two of them may be", () => {
  expect(spanWords(0, 11_100_000, EN)).toBe("3\u00a0h 5\u00a0min");
  expect(spanWords(0, 11_100_000, ZH)).toBe("3\u00a0小时 5\u00a0分钟");
  expect(milliseconds(220.4, EN)).toBe("220\u00a0ms");
  expect(uptimeWords(uptime, since(90), EN)).toMatch(/^24\u00a0h 100\u00a0%, 7\u00a0d /u);
  expect(uptimeWords(uptime, since(3), ZH)).toMatch(/^24\u00a0小时 100%/u);
});

const PLANE = { stepWidth: 10, height: 100, topMs: 100 };
const [FAST, MIDDLE] = [40, 50].map(good) as [CourseStep, CourseStep];
const NONE = EMPTY_STEP;
const DOWN: CourseStep = { ...EMPTY_STEP, health: "down" };
const UNKNOWN: CourseStep = { ...EMPTY_STEP, health: "unknown" };

function good(p50: number): CourseStep {
  return { p50, p95: 2 * p50, health: "up", cause: null };
}

test.each<[title: string, steps: readonly CourseStep[], path: string]>([
  ["nothing is no line", [NONE, NONE], ""],
  ["one value is a dot", [NONE, FAST], "M15 60h0"],
  ["values are joined", [FAST, MIDDLE, good(20)], "M5 60l10 -10l10 30"],
  ["over a half hour without a probe too", [FAST, NONE, MIDDLE], "M5 60l20 -10"],
  ["over an hour and a half without one", [FAST, NONE, NONE, NONE, MIDDLE], "M5 60l40 -10"],
  ["not over hours", [FAST, NONE, NONE, NONE, NONE, MIDDLE], "M5 60h0M55 50h0"],
  ["not over a failure", [FAST, DOWN, MIDDLE, MIDDLE], "M5 60h0M25 50l10 0"],
  ["over what had no verdict", [FAST, UNKNOWN, MIDDLE], "M5 60l20 -10"],
  ["what exceeds the top stays inside", [good(500), good(0)], "M5 0l10 100"],
])("%s", (_, steps, path) => {
  expect(linePath(packCourse(steps, false), "p50", PLANE)).toBe(path);
});

test.each([
  [[0], 1],
  [[1.5], 2],
  [[812, 100], 1000],
  [[1001], 2000],
  [[5001], 10_000],
  [[], null],
])("the top of %j is %i ms", (values, top) => {
  expect(topOf([null, ...values])).toBe(top);
});

const HOSTILE = `<img src=x onerror='1'>"&`;
const ESCAPED = "&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;";
const Twice = ({ children }: { children?: Child }): Html => Fragment({ children: [children, children] });

test.each<[title: string, tag: Parameters<typeof jsx>[0], props: Parameters<typeof jsx>[1], html: string]>([
  [
    "what a page shows is escaped, in text and in attributes",
    "p",
    { title: HOSTILE, children: HOSTILE },
    `<p title="${ESCAPED}">${ESCAPED}</p>`,
  ],
  [
    "markup stands as it is, and markup in markup",
    "div",
    { children: [new Html("<b>1</b>"), jsx("i", { children: 2 })] },
    "<div><b>1</b><i>2</i></div>",
  ],
  [
    "markup in an attribute is text like any other",
    "p",
    { title: new Html('"><b>') },
    '<p title="&quot;&gt;&lt;b&gt;"></p>',
  ],
  [
    "nothing is shown of null, undefined and booleans; 0 is shown",
    "p",
    { children: [null, undefined, true, false, 0, ""] },
    "<p>0</p>",
  ],
  [
    "attributes that are false or missing are left out, and true ones have no value",
    "details",
    { open: true, hidden: false, id: null, class: undefined },
    "<details open></details>",
  ],
  ["void elements have no end", "meta", { charset: "utf-8" }, '<meta charset="utf-8">'],
  ["components are called with what they are given", Twice, { children: "a<" }, "a&lt;a&lt;"],
])("%s", (_, tag, props, html) => {
  expect(jsx(tag, props).toString()).toBe(html);
});
