/** What the bench calls held. */
import { expect, test } from "vitest";
import { holds, type Limit, type Row } from "../bench/row.ts";
import { markdownOf } from "../bench/table.ts";

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

test("a bound of one side looks at that side alone", () => {
  const bounded = (bound: "at most" | "at least") => holds(row(30, { bound, of: "ratio", value: 2 }));
  expect([bounded("at most"), bounded("at least")]).toEqual([false, true]);
});
