/** What a canary sends: bodies patched as in RFC 7396 (vectors of its appendix A), questions about tasks, the key in its place. */
import { expect, test } from "vitest";
import { mergePatch, sentRequest, withKey } from "../../src/config/request.ts";

test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j with %j is %j", (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

test("a member called __proto__ is a member like any other", () => {
  const merged = mergePatch({ a: 1 }, JSON.parse('{"__proto__": {"b": 2}}'));
  expect(JSON.stringify(merged)).toBe('{"a":1,"__proto__":{"b":2}}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});

const READ = { accept: "application/json", authorization: "Bearer {key}", "x-tenant": "acme" };
const VIDEO = {
  request: {
    method: "POST",
    path: "/v1/videos",
    headers: { ...READ, "content-type": "application/json" },
    body: '{"model":"sora-2"}',
  },
  task: { path: "/v1/videos/{id}", deadlineMs: 1_800_000 },
} as const;

test("a task is asked about with a GET, the same headers and no body", () => {
  const asked = { method: "GET", path: "/v1/videos/video_123", headers: READ, body: null };
  expect(sentRequest(VIDEO, "video_123")).toEqual(asked);
});

test.each([
  ["a/b?c=d#e", "/v1/videos/a%2Fb%3Fc%3Dd%23e"],
  ["$&{id}", "/v1/videos/%24%26%7Bid%7D"],
  ["\ud800", "/v1/videos/%EF%BF%BD"],
])("the id %j leaves its place in the path no further", (id, path) => {
  expect(sentRequest(VIDEO, id).path).toBe(path);
});

test("the key stands wherever a header names it, letter by letter", () => {
  expect(withKey({ authorization: "Bearer {key}", "x-api-key": "{key}", accept: "*/*" }, "k$&1")).toEqual({
    authorization: "Bearer k$&1",
    "x-api-key": "k$&1",
    accept: "*/*",
  });
});
