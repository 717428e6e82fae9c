/** What else a diagnosis tells of an answer: its request id, and where a redirect leads. */
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { createRedactor, redact } from "../../src/protocol/redaction/redact.ts";
import { isOwnMessage } from "../../src/protocol/thrown.ts";
import { diagnosed, diagnosedAs } from "./answers.ts";

describe("the id of a request", () => {
  it("is that of the header before those of the body", () => {
    const body = { request_id: "of-body", error: { message: "no", request_id: "of-error" } };
    expect(diagnosed(500, body, { headers: { "x-request-id": "of-header" } }).requestId).toBe("of-header");
    expect(diagnosed(500, body).requestId).toBe("of-body");
    expect(diagnosed(500, { error: body.error }).requestId).toBe("of-error");
  });

  it.each([
    ["a list", { error: [{ message: "no", request_id: "r-1" }] }],
    ["an error within an error", { error: { error: { message: "no", request_id: "r-1" } } }],
    ["JSON in a string", { error: '{"message":"no","request_id":"r-1"}' }],
    ["a body that is a list", [{ error: { message: "no", request_id: "r-1" } }]],
  ])("is found in %s", (_, body) => expect(diagnosed(500, body).requestId).toBe("r-1"));

  it("is that of the frames before, where the frame with the error has none", () => {
    const transcript = 'data: {"request_id":"r-1","choices":[]}\n\ndata: {"error":{"message":"no"}}\n\n';
    expect(diagnosedAs("stream", 200, transcript).requestId).toBe("r-1");
  });

  it("is redacted as it came: white space before it may be the part of a key that gives the rest away", () => {
    const key = 'k%"<69#Z8\\1$j 3}<HI{i\\=Xb:zLK|3Y/|>"%k';
    const body = JSON.stringify({ error: { message: "no" }, request_id: key.slice(13, 25) });
    expect(key.slice(13, 25)).toMatch(/^ .{11}$/);
    const answer = { type: "answer", kind: "models", status: 401, headers: {}, body } as const;
    const context = { nowMs: 0, redact: createRedactor([key]) };
    expect(diagnose({ ...answer, bodyEnd: "complete" }, context).requestId).toBe("[redacted]");
  });

  it.each(["cf-ray", "x-amzn-requestid", "apim-request-id", "x-trace-id"])("is not taken from %s", (name) => {
    // It is of what stands before the service.
    expect(diagnosed(500, { error: "no" }, { headers: { [name]: "r-1" } }).requestId).toBeNull();
  });
});

const saidOf = (location: string, status = 302) => {
  const { cause, message } = diagnosed(status, "<p>moved</p>", { headers: { location } });
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
  expect(isOwnMessage(message ?? "")).toBe(true);
});

it("a key in the path is taken out", () => {
  const location = "https://acme.example/sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6/x";
  const answer = { type: "answer", kind: "models", status: 302, headers: { location }, body: "" } as const;
  const expected = "It redirects to https://acme.example/[redacted]/x, and redirects are not followed.";
  expect(diagnose({ ...answer, bodyEnd: "complete" }, { nowMs: 0, redact }).message).toBe(expected);
});

it("a redirect that leads nowhere has no words of ours", () => {
  expect(saidOf("")).toBe(null);
  expect(saidOf("?again", 307)).toBe(null);
});
