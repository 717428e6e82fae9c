import { expect, test } from "vitest";
import { averagePerTick, fullestTick, isLate, loadOf } from "../../src/plan/due.ts";
import { listEvery, planned } from "./configs.ts";

const CHAT = { kind: "chat", model: "gpt-4o-mini" };

test("what is due every minute is in all of the 1,440 ticks", () => {
  expect(loadOf(planned(3))).toMatchObject({ lists: 3 * 1440, listTicks: 1440, canaries: 0, canaryTicks: 0 });
});

test("what is due every five minutes is spread over ticks", () => {
  const one = loadOf(planned(1, {}, listEvery("5m")));
  expect(one).toMatchObject({ lists: 288, listTicks: 288 });
  const many = loadOf(planned(100, { maxProbesPerTick: 50 }, listEvery("5m")));
  expect(many).toMatchObject({ lists: 28_800, listTicks: 1440 });
});

test("a tick takes no more than it may: the rest is late", () => {
  expect(loadOf(planned(30, { maxProbesPerTick: 7 }))).toMatchObject({ lists: 7 * 1440, listTicks: 1440 });
});

test("a canary is asked as often as it may be a day", () => {
  const monitors = [{ kind: "models" }, { ...CHAT, every: "5m", perDay: 48 }];
  expect(loadOf(planned(2, {}, { monitors })).canaries).toBe(96);
});

test("lists may be asked four times, canaries once unless they are to be repeated", () => {
  const monitors = [{ kind: "models" }, CHAT, { ...CHAT, id: "again", retry: true }];
  const expected = { probes: 3, vantages: 0, requests: 3, mostRequests: 9, asked: 3, mostAsked: 9 };
  expect(fullestTick(planned(1, {}, { monitors }))).toEqual(expected);
});

test("the fullest tick is the one after a silence: all are due, as many as it takes", () => {
  const expected = { probes: 20, vantages: 0, requests: 20, mostRequests: 80, asked: 20, mostAsked: 80 };
  expect(fullestTick(planned(100, {}, listEvery("1h")))).toEqual(expected);
});

test("where vantage points ask for the list, the invocation calls them and sends nothing itself", () => {
  const monitors = [{ kind: "models" }, CHAT];
  const expected = { probes: 4, vantages: 6, requests: 2, mostRequests: 2, asked: 8, mostAsked: 8 };
  expect(fullestTick(planned(2, {}, { monitors, regions: ["weur", "apac", "enam"] }))).toEqual(expected);
});

test("each figure is that of the monitors that have most of it, where a tick takes only some", () => {
  const monitors = [{ kind: "models" }, { ...CHAT, retry: false }];
  const regions = ["weur", "apac", "enam"];
  const expected = { probes: 4, vantages: 12, requests: 4, asked: 12 };
  expect(fullestTick(planned(4, { maxProbesPerTick: 4 }, { monitors, regions }))).toMatchObject(expected);
});

test("a canary that may be asked so often a day falls due no oftener, on average", () => {
  const monitors = [{ ...CHAT, every: "1m", perDay: 144 }];
  expect(averagePerTick(planned(10, {}, { monitors }))).toBe(1);
});

test("what falls due in a tick on average is told, and whether it is more than a tick takes", () => {
  const monitors = { monitors: [{ kind: "models" }, { kind: "models", id: "b", every: "4m" }] };
  expect(averagePerTick(planned(1, {}, monitors))).toBe(1.25);
  expect(isLate(planned(1, { maxProbesPerTick: 1 }, monitors))).toBe(true);
  expect(isLate(planned(1, { maxProbesPerTick: 2 }, monitors))).toBe(false);
});
