import { expect, test } from "vitest";
import { afterAnswer, type AuditState, comparisons, fisher, NEW_AUDIT } from "../../src/domain/audit.ts";
import { addDays } from "../../src/domain/calendar.ts";
import { EXERCISES } from "../../src/protocol/audit.ts";
import { isFull, rounds, seedOf } from "../extent.ts";
import { Random } from "../fixtures/random.ts";

const A_DAY = EXERCISES.length;
const FIRST = "2026-01-01";

/** What exact integers give. */
test.each([
  [{ right: 1, asked: 10 }, { right: 9, asked: 10 }, 5.466_669_553e-4],
  [{ right: 60, asked: 84 }, { right: 80, asked: 84 }, 2.271_959_323e-5],
  [{ right: 63, asked: 84 }, { right: 600, asked: 636 }, 1.734_585_255e-7],
  [{ right: 10, asked: 10 }, { right: 0, asked: 10 }, 1],
  [{ right: 0, asked: 10 }, { right: 0, asked: 10 }, 1],
])("Fisher's exact test of %o against %o gives %d", (few, other, p) => {
  expect(fisher(few, other) / p).toBeCloseTo(1, 6);
});

type Rate = (day: number) => number;

/** How often a difference was found, and on which day first; -1: never. */
function play(days: number, own: Rate, reference: Rate | null, random: Random) {
  const found = { times: 0, first: -1, last: NEW_AUDIT };
  let other: AuditState = NEW_AUDIT;
  for (let day = 0, name = FIRST; day < days; day += 1, name = addDays(name, 1)) {
    const answer = (rate: number) => ({ isRight: random.happens(rate), day: name, nowMs: day });
    for (let asked = 0; asked < A_DAY; asked += 1) {
      if (reference !== null) other = afterAnswer(other, answer(reference(day)), null);
      const before = found.last.differs;
      found.last = afterAnswer(found.last, answer(own(day)), reference && other.days);
      if (before !== null || found.last.differs === null) continue;
      found.times += 1;
      if (found.first < 0) found.first = day;
    }
  }
  return found;
}

const from =
  (day: number, before: number, after: number): Rate =>
  (at) =>
    at < day ? before : after;

test.each([0.7, 0.85, 0.95, 0.99])(
  "if %d of all answers are right, here and at the reference, a difference is seldom found",
  (rate) => {
    const random = new Random(seedOf("audits without a difference"));
    const days = rounds(200, 10_000);
    const { times } = play(
      days,
      () => rate,
      () => rate,
      random,
    );
    if (isFull) console.log(`rate ${rate}: ${times} false alarms in ${days} days`);
    // By chance there may be a few more: once in ten thousand runs of this test.
    expect(times).toBeLessThanOrEqual(rounds(4, 30));
  },
  300_000,
);

test.each([
  [0.95, 0.85, 30],
  [0.95, 0.75, 12],
  [0.95, 0.6, 6],
  [0.85, 0.6, 12],
])(
  "if %d become %d, it is found within %i days, mostly",
  (before, after, within) => {
    const random = new Random(seedOf("audits with a difference"));
    const cases = rounds(8, 300);
    const late = Array.from(
      { length: cases },
      () => play(60 + within, from(60, before, after), () => before, random).first - 60,
    );
    const inTime = late.filter((days) => days >= 0).toSorted((a, b) => a - b);
    if (isFull)
      console.log(
        `${before} to ${after}: ${inTime.length} of ${cases}, half within ${inTime[inTime.length >> 1]} days`,
      );
    // The hardest of these is found 8 times of 10: of 300 cases, chance makes it fewer than 7 once in a million runs.
    expect(inTime.length).toBeGreaterThanOrEqual(rounds(1, 210));
  },
  300_000,
);

test("the reference shows at once what its own past cannot: it was always worse", () => {
  const random = new Random(1);
  const alone = play(40, () => 0.6, null, random);
  const compared = play(
    40,
    () => 0.6,
    () => 0.95,
    random,
  );
  expect([alone.times, compared.first]).toEqual([0, expect.toSatisfy((day: number) => day >= 0 && day < 7)]);
});

test("60 days are kept, and what was found ends when the week is no longer worse", () => {
  const random = new Random(2);
  const { last } = play(100, (day) => (day >= 60 && day < 70 ? 0.5 : 0.95), null, random);
  expect(last.days).toHaveLength(60);
  expect(last.differs).toBeNull();
  expect(last.next).toBe(100 * A_DAY);
});

test("without answers there is nothing to compare", () => {
  expect(comparisons([{ day: FIRST, right: 3, asked: 4 }], FIRST, null)).toEqual([]);
  expect(comparisons([{ day: FIRST, right: 3, asked: 4 }], FIRST, [])).toEqual([]);
});
