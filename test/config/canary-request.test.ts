import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { faultsOf, LEAST, withCanaries } from "./canaries.ts";
import { problemsOf } from "./parsed.ts";

type Written = Readonly<Record<string, unknown>>;

describe("paths", () => {
  const BRACES = "has braces that mean nothing here; write what stands there; known here: {model}";
  test.each([
    ["v1/chat", "does not begin with a slash; write a path like /v1/chat/completions"],
    ["/v1/v1/chat", "carries /v1 twice; write /v1 once"],
    ["/v1/{id}", BRACES],
    ["/v1/{key}", BRACES],
    ["/v1/{model", BRACES],
    [`/${"a".repeat(500)}`, "is too long; write at most 500 characters"],
    [5, "is not text; write a path like /v1/chat/completions"],
  ])("%j", (path, fault) => {
    expect(faultsOf({ ...LEAST.chat, path })).toEqual([`path: ${fault}`]);
  });

  test.each([
    "/",
    "/v1/chat?to=https://x.example/",
    "/openai/deployments/{model}/chat/completions?v=2024-10-21",
  ])("%s is a path", (path) => {
    expect(faultsOf({ ...LEAST.chat, path })).toEqual([]);
  });

  test("an account's number in a path is no secret, a key is", () => {
    expect(faultsOf({ ...LEAST.chat, path: "/0123456789abcdef0123456789abcdef/v1/chat" })).toEqual([]);
    expect(faultsOf({ ...LEAST.http, path: "/x?api_key=hunter2hunter2" })).toHaveLength(1);
  });

  test("the question about a task says where the id stands", () => {
    expect(faultsOf({ ...LEAST.video, taskPath: "/v1/videos" })).toEqual([
      "taskPath: does not say where the task's id stands; write {id} there, like /v1/videos/{id}",
    ]);
    expect(faultsOf({ ...LEAST.video, taskPath: "/v1/tasks?id={id}" })).toEqual([]);
  });

  test("what has no model has no place for one", () => {
    expect(faultsOf({ ...LEAST.http, path: "/x/{model}" })).toEqual([
      "path: has braces that mean nothing here; write what stands there",
    ]);
  });
});

describe("headers", () => {
  const CREDENTIAL =
    'is where a key belongs, and does not name it; write "{key}" in the place of the key, and name its secret with apiKey';
  const NOT_SET = "is a header that is not set here; remove it";
  const FORM = "has the wrong form; write 1 to 500 characters of visible ASCII";
  test.each<[headers: Written, path: string, fault: string]>([
    [{ Host: "x" }, ".Host", NOT_SET],
    [{ "user-agent": "x" }, ".user-agent", NOT_SET],
    [{ cookie: null }, ".cookie", NOT_SET],
    [{ "Content-Length": "1" }, ".Content-Length", NOT_SET],
    [{ "transfer-encoding": "x" }, ".transfer-encoding", NOT_SET],
    [{ "x-api-key": "hunter2" }, ".x-api-key", CREDENTIAL],
    [{ "X-Goog-Api-Key": "hunter2" }, ".X-Goog-Api-Key", CREDENTIAL],
    [{ "x-tenant": "a\r\nb" }, ".x-tenant", FORM],
    [{ "x-tenant": "租" }, ".x-tenant", FORM],
    [{ "x-tenant": "" }, ".x-tenant", FORM],
    [
      { authorization: null },
      "",
      'send no key; name it in one, like { authorization: null, "x-api-key": "{key}" }',
    ],
  ])("%j", (headers, path, fault) => {
    expect(faultsOf({ ...LEAST.chat, headers })).toEqual([`headers${path}: ${fault}`]);
  });

  test("a literal key in one is refused as a secret, and not repeated", () => {
    const headers = { "x-tenant": "sk-proj-abcdefghijklmnop" };
    const input = withCanaries({ ...LEAST.chat, headers });
    expect(problemsOf(input)).toEqual([
      "gateways[0].monitors[0].headers.x-tenant: looks like a secret itself",
    ]);
    expect(JSON.stringify(parseConfig(input))).not.toContain("sk-proj");
  });

  test("a name that is none, a value that is no text, and no object", () => {
    const fix =
      'write an object of names and values like { "x-api-key": "{key}" }, null for one that is not to be sent';
    expect(faultsOf({ ...LEAST.chat, headers: { "x y": "1" } })).toEqual([
      `headers.[…]: is no name of a header; ${fix}`,
    ]);
    expect(faultsOf({ ...LEAST.chat, headers: { "x-a": 1 } })).toEqual([`headers.x-a: is not text; ${fix}`]);
    expect(faultsOf({ ...LEAST.chat, headers: ["x-a"] })).toEqual([`headers: is not an object; ${fix}`]);
  });

  test("a key of its own that no header sends is refused of http too", () => {
    const headers = { authorization: null };
    expect(faultsOf({ ...LEAST.http, headers })).toEqual([]);
    expect(faultsOf({ ...LEAST.http, headers, apiKey: "OTHER_KEY" })).toHaveLength(1);
  });
});
