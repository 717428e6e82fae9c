import { expect, test } from "vitest";
import { sentRequest, withKey } from "../../src/config/request.ts";

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

test("without a task the canary's own request is sent", () => {
  expect(sentRequest(VIDEO, null)).toEqual(VIDEO.request);
});

test("a task is asked about with a GET, the same headers and no body", () => {
  const asked = { method: "GET", path: "/v1/videos/video_123", headers: READ, body: null };
  expect(sentRequest(VIDEO, "video_123")).toEqual(asked);
});

test.each([
  ["a/b?c=d#e", "/v1/videos/a%2Fb%3Fc%3Dd%23e"],
  ["$&{id}", "/v1/videos/%24%26%7Bid%7D"],
  ["任务 1", "/v1/videos/%E4%BB%BB%E5%8A%A1%201"],
  ["\ud800", "/v1/videos/%EF%BF%BD"],
])("the id %j leaves its place in the path no further", (id, path) => {
  expect(sentRequest(VIDEO, id).path).toBe(path);
});

test("asking about a task that cannot be is a bug", () => {
  expect(() => sentRequest({ ...VIDEO, task: null }, "x")).toThrow("creates no tasks");
});

test("the key stands wherever a header names it, letter by letter", () => {
  expect(withKey({ authorization: "Bearer {key}", "x-api-key": "{key}", accept: "*/*" }, "k$&1")).toEqual({
    authorization: "Bearer k$&1",
    "x-api-key": "k$&1",
    accept: "*/*",
  });
});
