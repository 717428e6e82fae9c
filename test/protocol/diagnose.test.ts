/** What a diagnosis says of an answer: `judged.jsonl`; those of each status and each code are scenarios of the simulator. */
import { describe, expect, it } from "vitest";
import { diagnose, examine } from "../../src/protocol/diagnose.ts";
import { judgeExpectations } from "../../src/protocol/causes.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { createRedactor, redact } from "../../src/protocol/redaction/redact.ts";
import { shownNames } from "../../src/protocol/synonyms.ts";
import { OWN_MESSAGES } from "../../src/protocol/thrown.ts";
import { readVectors, type Vector } from "../vectors/read-vectors.ts";
import { answer, CONTEXT, diagnosed } from "./answers.ts";

interface Judged extends Pick<Vector, "status" | "body">, Partial<Pick<Vector, "kind" | "headers">> {
  readonly diagnosis: Partial<Diagnosis>;
}

it.each(readVectors<Judged>("judged"))("$what", (row) => {
  const { status, body, kind = "models", headers = {}, diagnosis } = row;
  expect(diagnosed(status, body, { kind, headers })).toMatchObject(diagnosis);
});

it("a login token is no API key, and the advice says so", () => {
  expect(diagnosed(401, "").advice).not.toMatch(/login token/);
  const jwt = diagnose(answer(401, ""), { ...CONTEXT, key: "jwt" });
  expect(jwt.cause).toBe("authentication");
  expect(jwt.advice).toMatch(/login token is no API key/);
});

it("the id of a request is redacted as it came: white space before it may be a part of the key", () => {
  const key = 'k%"<69#Z8\\1$j 3}<HI{i\\=Xb:zLK|3Y/|>"%k';
  const body = { error: { message: "no" }, request_id: key.slice(13, 25) };
  expect(key.slice(13, 25)).toMatch(/^ .{11}$/);
  const context = { ...CONTEXT, redact: createRedactor([key]) };
  expect(diagnose(answer(401, body), context).requestId).toBe("[redacted]");
});

it.each([
  [402, { type: "invalid_request_error", code: "insufficient_balance" }, [null, "insufficient_balance"]],
  [200, { message: "x", type: "server_error", code: "500" }, ["server_error", null]],
  [401, { message: "x", type: "upstream_error", code: "429" }, ["upstream_error", null]],
  [400, { message: "x", type: "invalid_request_error" }, ["invalid_request_error", null]],
])("of %d with %j people are shown no name that contradicts the cause", (status, error, [type, code]) => {
  const { errorType, errorCode } = shownNames(diagnosed(status, { error }));
  expect([errorType, errorCode]).toEqual([type, code]);
});

const saidOf = (location: string) => {
  const { cause, message } = diagnosed(302, "<p>moved</p>", { headers: { location } });
  expect(cause).toBe("wrong_url");
  return message;
};

it.each([
  ["https://login.acme.example/sso", "https://login.acme.example/sso"],
  ["/v1/models", "/v1/models"],
  ["//cdn.acme.example/v1", "//cdn.acme.example/v1"],
  ["https://u:p%40ss@acme.example/v1?key=sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6#top", "https://acme.example/v1"],
  ["/login?next=%2Fv1%2Fmodels", "/login"],
  [`https://acme.example/${"a".repeat(300)}`, `https://acme.example/${"a".repeat(129)}…`],
])("a redirect to %s is named", (location, place) => {
  const message = saidOf(location);
  expect(message).toBe(`It redirects to ${place}, and redirects are not followed.`);
  expect(message).toMatch(OWN_MESSAGES.redirect);
});

it("a key in the path is taken out", () => {
  const location = "https://acme.example/sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6/x";
  const expected = "It redirects to https://acme.example/[redacted]/x, and redirects are not followed.";
  expect(diagnose(answer(302, "", { headers: { location } }), { ...CONTEXT, redact }).message).toBe(expected);
});

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

  it("find that a list has no model at all, though it is a good answer by itself", () => {
    const empty = diagnosed(200, { object: "list", data: [] });
    expect(empty).toMatchObject({ ok: true, cause: "ok", health: "up" });
    const { diagnosis } = judgeExpectations(empty, { ...EXPECTATIONS, modelIds: [], expect: ["a"] });
    expect(diagnosis).toMatchObject({ cause: "model_missing", message: "Missing from the list: a" });
  });

  it("call it slow only beyond the limit", () => {
    const at = (latencyMs: number) => judgeExpectations(OK, { ...EXPECTATIONS, latencyMs }).diagnosis;
    expect(at(5000).cause).toBe("ok");
    const message = "The answer took 5.001 s, longer than 5 s.";
    expect(at(5001)).toMatchObject({
      ok: true,
      cause: "slow",
      health: "degraded",
      owner: "operator",
      message,
    });
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
