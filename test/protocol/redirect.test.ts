/** What is said of an answer that leads elsewhere. */
import { expect, test } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { isOwnMessage } from "../../src/protocol/thrown.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { diagnosed } from "./answers.ts";

const saidOf = (location: string, status = 302) => {
  const { cause, message } = diagnosed(status, "<p>moved</p>", { headers: { location } });
  expect(cause).toBe("wrong_url");
  return message;
};

test.each([
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

test("a key in the path is taken out", () => {
  const location = "https://acme.example/sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6/x";
  const answer = { type: "answer", kind: "models", status: 302, headers: { location }, body: "" } as const;
  const expected = "It redirects to https://acme.example/[redacted]/x, and redirects are not followed.";
  expect(diagnose({ ...answer, bodyEnd: "complete" }, { nowMs: 0, redact }).message).toBe(expected);
});

test("a redirect that leads nowhere has no words of ours", () => {
  expect(saidOf("")).toBe(null);
  expect(saidOf("?again", 307)).toBe(null);
});
