import { expect, test } from "vitest";
import { probeSoon } from "../../src/ledger/probe-soon.ts";
import { monitor } from "../fixtures/config.ts";
import {
  at,
  canary,
  CanaryPlay,
  failed,
  HOUR,
  MINUTE,
  type Told,
  withCanaries,
} from "../fixtures/canary-play.ts";

const EMPTY = failed("insufficient_balance", "blocked");

/** A list and a canary of every minute, whose account was empty from minute 1 to 9. */
function withEmptyAccount(): CanaryPlay {
  const monitors = [monitor("a", { everyMs: MINUTE }), canary({}, { everyMs: MINUTE })];
  const play = new CanaryPlay(withCanaries(monitors));
  live(play, 0, 0, {});
  live(play, 1, 9, EMPTY);
  return play;
}

/** The minutes in which the canary was asked. */
function live(play: CanaryPlay, from: number, to: number, told: Told): number[] {
  const asked: number[] = [];
  for (let minute = from; minute <= to; minute += 1) {
    const { assignments, canaries } = play.begin(minute);
    if (assignments.length > 0) play.list(minute, told);
    if (canaries.length === 0) continue;
    asked.push(minute);
    play.record(minute, { "a/chat": told });
  }
  return asked;
}

test("a canary that its gateway's list holds back is asked once the list was probed, and that is at once", () => {
  const play = withEmptyAccount();
  expect(play.canary().skip?.cause).toBe("insufficient_balance");
  expect(play.monitor("a/models").nextDueMs).toBe(at(15));
  play.state = probeSoon(play.state, play.settings, "a/chat");
  expect(live(play, 10, 12, {})).toEqual([11, 12]);
});

test("it is not asked in vain where the list still fails", () => {
  const play = withEmptyAccount();
  play.state = probeSoon(play.state, play.settings, "a/chat");
  expect(live(play, 10, 12, EMPTY)).toEqual([]);
  expect(play.monitor("a/models").lastProbe?.tickMs).toBe(at(12));
});

test("one that nothing holds back leaves the list as it is", () => {
  const play = new CanaryPlay(withCanaries([monitor("a", { everyMs: HOUR }), canary({}, { everyMs: HOUR })]));
  live(play, 0, 0, {});
  const before = play.monitor("a/models");
  play.state = probeSoon(play.state, play.settings, "a/chat");
  expect(play.monitor("a/models")).toEqual(before);
  expect(live(play, 1, 1, {})).toEqual([1]);
});

test("a list that is probed now sends no canary out before it has told how it is", () => {
  const play = withEmptyAccount();
  play.state = probeSoon(play.state, play.settings, "a/models");
  expect(live(play, 10, 10, EMPTY)).toEqual([]);
  expect(live(play, 11, 12, {})).toEqual([]);
  expect(live(play, 13, 14, {})).toEqual([13, 14]);
});
