import { expect, test } from "vitest";
import { type TryTcp, workerdFailureReader } from "../../src/probe/workerd-failure.ts";

const INTERNAL = new Error("internal error; reference = 21l8ns5j5qcud6c248fqm7kv");

function tcp(result: "open" | "failed", asked: string[] = []): TryTcp {
  return (host, port) => {
    asked.push(`${host}:${port}`);
    return Promise.resolve(result);
  };
}

test.each([
  "Too many subrequests.",
  "Too many subrequests by single Worker invocation.",
  "Too many API requests by single worker invocation.",
])("%s is the platform's limit", async (message) => {
  const expected = { type: "subrequest_limit" };
  expect(await workerdFailureReader(null)(new Error(message), "https://h.example/")).toEqual(expected);
});

test("a lost connection is a failed connection", async () => {
  expect(
    await workerdFailureReader(null)(new Error("Network connection lost."), "https://h.example/"),
  ).toEqual({ type: "network", stage: "connect", detail: "Network connection lost." });
});

test("an internal error over http can only be the name", async () => {
  expect(await workerdFailureReader(null)(INTERNAL, "http://h.example/")).toMatchObject({ stage: "dns" });
});

test("an internal error over https to an address can only be TLS", async () => {
  expect(await workerdFailureReader(null)(INTERNAL, "https://192.0.2.1/")).toMatchObject({ stage: "tls" });
  const expected = { stage: "tls" };
  expect(await workerdFailureReader(null)(INTERNAL, "https://[2001:db8::1]/")).toMatchObject(expected);
});

test("an internal error over https to a name cannot be told without a second look", async () => {
  const expected = { stage: "unknown" };
  expect(await workerdFailureReader(null)(INTERNAL, "https://h.example/")).toMatchObject(expected);
});

test("a second look at the port tells TLS from DNS", async () => {
  const asked: string[] = [];
  expect(await workerdFailureReader(tcp("open", asked))(INTERNAL, "https://h.example:8443/")).toMatchObject({
    stage: "tls",
  });
  expect(await workerdFailureReader(tcp("failed", asked))(INTERNAL, "https://h.example/x")).toMatchObject({
    stage: "dns",
  });
  expect(asked).toEqual(["h.example:8443", "h.example:443"]);
});

test("the reference of an internal error, new each time, is not in the detail", async () => {
  const reading = await workerdFailureReader(null)(INTERNAL, "https://h.example/");
  expect(JSON.stringify(reading)).not.toContain("21l8ns5j");
});

test.each(["Gzip decompression failed.", "Gzip compressed stream ended prematurely."])(
  "%s is a broken answer",
  async (message) => {
    expect(await workerdFailureReader(null)(new TypeError(message), "https://h.example/")).toMatchObject({
      stage: "connect",
    });
  },
);

test("anything else is unknown, and no exception either", async () => {
  const expected = { type: "network", stage: "unknown", detail: "odd" };
  expect(await workerdFailureReader(null)("odd", "https://h.example/")).toEqual(expected);
});
