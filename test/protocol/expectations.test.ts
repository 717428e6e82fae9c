import { describe, expect, it } from "vitest";
import { examine } from "../../src/protocol/diagnose.ts";
import { judgeExpectations } from "../../src/protocol/expectations.ts";
import { answer, CONTEXT, diagnosed } from "./answers.ts";

const OK = diagnosed(200, { data: [{ id: "a" }, { id: "b" }] });
const EXPECTATIONS = { modelIds: ["a", "b"], expect: ["a"], latencyMs: 100, slowerThanMs: 5000 };

describe("expectations of a good answer", () => {
  it("that are met leave it as it is", () => {
    expect(judgeExpectations(OK, EXPECTATIONS)).toEqual({ diagnosis: OK, missingModels: [] });
  });

  it("name the models that are missing", () => {
    const judged = judgeExpectations(OK, { ...EXPECTATIONS, expect: ["c", "a", "d"] });
    expect(judged.missingModels).toEqual(["c", "d"]);
    const missing = { ok: true, cause: "model_missing", owner: "operator", health: "degraded", layer: null };
    expect(judged.diagnosis).toMatchObject({ ...missing, message: "Missing from the list: c, d" });
  });

  it("are how a list without any model is told, which is a good answer by itself", () => {
    const empty = diagnosed(200, { object: "list", data: [] });
    expect(empty).toMatchObject({ ok: true, cause: "ok", health: "up" });
    const { diagnosis } = judgeExpectations(empty, { ...EXPECTATIONS, modelIds: [], expect: ["a"] });
    expect(diagnosis).toMatchObject({ cause: "model_missing", message: "Missing from the list: a" });
  });

  it("call it slow only beyond the limit", () => {
    const at = (latencyMs: number) => judgeExpectations(OK, { ...EXPECTATIONS, latencyMs }).diagnosis;
    expect(at(5000).cause).toBe("ok");
    expect(at(5001)).toMatchObject({ ok: true, cause: "slow", health: "degraded", owner: "operator" });
  });

  it("put a missing model before slowness, miss none where there is no list, and touch no bad answer", () => {
    const missing = { ...EXPECTATIONS, expect: ["z"] };
    expect(judgeExpectations(OK, { ...missing, latencyMs: 9999 }).diagnosis.cause).toBe("model_missing");
    expect(judgeExpectations(OK, { ...missing, modelIds: null }).missingModels).toEqual([]);
    const bad = diagnosed(503, "");
    expect(judgeExpectations(bad, missing).diagnosis).toBe(bad);
  });

  it("keep a message of many models short", () => {
    const expected = Array.from({ length: 500 }, (_, at) => `model-${at}`);
    const judged = judgeExpectations(OK, { ...EXPECTATIONS, expect: expected });
    expect(judged.diagnosis.message?.length).toBe(300);
    expect(judged.missingModels).toHaveLength(500);
  });
});

describe("the model list", () => {
  it("counts every entry and judges none", () => {
    const data = [{ id: "a" }, null, 3, { id: 7 }, { name: "x" }, [], { id: "" }];
    expect(examine(answer(200, { data }), CONTEXT).models).toEqual({ count: 7, ids: ["a", ""] });
  });

  it("is no list where the answer is not ok", () => {
    expect(examine(answer(200, { code: 5000, data: [] }), CONTEXT).models).toBeNull();
    expect(examine(answer(500, { data: [] }), CONTEXT).models).toBeNull();
  });
});
