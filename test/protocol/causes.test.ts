import { describe, expect, it } from "vitest";
import { CAUSE_TABLE, causeRow } from "../../src/protocol/causes.ts";
import { CAUSES } from "../../src/protocol/diagnosis.ts";
import { diagnosed } from "./answers.ts";

describe("the table of causes", () => {
  it("has a row for every cause and no other", () => {
    expect(Object.keys(CAUSE_TABLE).sort()).toEqual([...CAUSES].sort());
  });

  it.each(CAUSES)("advises on %s in one or two short sentences", (cause) => {
    const { advice } = CAUSE_TABLE[cause];
    expect(advice.length).toBeLessThanOrEqual(140);
    expect(advice.match(/\.(?: |$)/g)?.length).toBeLessThanOrEqual(2);
    expect(advice.endsWith(".")).toBe(true);
  });

  it("is ok for four causes alone", () => {
    const good = ["ok", "slow", "model_missing", "balance_low"];
    expect(CAUSES.filter((cause) => CAUSE_TABLE[cause].ok)).toEqual(good);
  });

  it("gives an unusual 4xx to the caller and an unusual 5xx to the operator", () => {
    const at = { layer: "http", businessCode: null, retryAllowed: false, key: null } as const;
    const [caller, operator] = [425, 501].map((httpStatus) => causeRow("http_error", { ...at, httpStatus }));
    expect(caller).toMatchObject({ owner: "caller", health: "blocked" });
    expect(operator).toMatchObject({ owner: "operator", health: "down" });
  });
});

describe("a status that no server may end with", () => {
  it.each([0, 100, 101, 103, 199, 600, 999])("%d is the operator's, and an outage", (status) => {
    expect(diagnosed(status, "")).toMatchObject({ cause: "http_error", owner: "operator", health: "down" });
  });
});

describe("the rule that decided", () => {
  it.each([
    [402, "", "7.1"],
    [200, { code: 5000 }, "7.2"],
    [200, { error: "x" }, "7.4"],
    [200, "<html></html>", "4.1"],
    [200, {}, "7.4"],
    [418, "", null],
    [409, "", null],
    [524, "", null],
  ])("of %d %j is %j", (status, body, rule) => expect(diagnosed(status, body).rule).toBe(rule));
});
