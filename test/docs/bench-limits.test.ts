/** What the bench calls held. */
import { expect, test } from "vitest";
import { middleRound } from "../bench/measure.ts";
import { holds, type Limit, markdownOf, type Row, verdictOn } from "../bench/row.ts";

function row(figure: number, limit: Limit): Row {
  const ms = (value: number) => ({ value, unit: "ms" });
  return { what: "CPU", figure: ms(figure), floor: ms(10), limit };
}

test("what must stay near its floor may be neither much more nor much less", () => {
  const near: Limit = { bound: "within", of: "ratio", value: 1.6 };
  const verdicts = [6.2, 6.3, 10, 16, 16.1].map((figure) => holds(row(figure, near)));
  expect(verdicts).toEqual([false, true, true, true, false]);
  const table = markdownOf({ title: "t", rows: [row(17, near)] }, "here");
  expect(table).toContain("| CPU | 17 ms | 10 ms | 1.70 | 0.63 to 1.60 | FAILS |");
});

test("the end of a run lists what fails, what was not measured and what broke off", () => {
  const limit: Limit = { bound: "at most", of: "ratio", value: 2 };
  const unmeasured: Row = { ...row(1, limit), what: "LCP", figure: null };
  const sections = [{ title: "A probe", rows: [row(30, limit), row(10, limit), unmeasured] }];
  const { isGood, words } = verdictOn(sections, [{ name: "ticks", words: "nothing answers" }]);
  expect(isGood).toBe(false);
  expect(words.split("\n")).toEqual([
    "1 limits hold, 1 do not.",
    "With a limit, and not measured here:",
    "  A probe: LCP | not measured | 10 ms |  | <= 2",
    "Broke off:",
    "  ticks: nothing answers",
    "FAILS:",
    "  A probe: CPU | 30 ms | 10 ms | 3.00 | <= 2",
  ]);
});

test("of those that took turns the round in the middle counts, both sides of it", () => {
  expect(middleRound([20, 90, 13], [10, 10, 10])).toEqual({ figure: 20, floor: 10 });
  // A round in which the machine was busy says no less than any other; one lucky floor says nothing.
  expect(middleRound([40, 21, 20], [20, 10, 2])).toEqual({ figure: 21, floor: 10 });
});
