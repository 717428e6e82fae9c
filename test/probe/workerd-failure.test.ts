import { expect, test } from "vitest";
import { type TryTcp, workerdFailureReader } from "../../src/probe/workerd-failure.ts";

const INTERNAL = new Error("internal error; reference = 21l8ns5j5qcud6c248fqm7kv");
const URL_OF = "https://h.example/";
const read = (thrown: unknown, url = URL_OF, tryTcp: TryTcp | null = null) =>
  workerdFailureReader(tryTcp)(thrown, url);

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
  expect(await read(new Error(message))).toEqual({ type: "subrequest_limit" });
});

test.each([
  ["connect", new Error("Network connection lost."), URL_OF],
  ["connect", new TypeError("Gzip decompression failed."), URL_OF],
  ["connect", new TypeError("Gzip compressed stream ended prematurely."), URL_OF],
  ["dns", INTERNAL, "http://h.example/"],
  ["tls", INTERNAL, "https://192.0.2.1/"],
  ["tls", INTERNAL, "https://[2001:db8::1]/"],
  ["unknown", INTERNAL, URL_OF],
])("of the stage %s is %s at %s", async (stage, thrown, url) => {
  expect(await read(thrown, url)).toMatchObject({ type: "network", stage });
});

test("the words of a failure are its detail, and what is no error is unknown", async () => {
  const lost = { type: "network", stage: "connect", detail: "Network connection lost." };
  expect(await read(new Error("Network connection lost."))).toEqual(lost);
  expect(await read("odd")).toEqual({ type: "network", stage: "unknown", detail: "odd" });
});

test("a second look at the port tells TLS from DNS", async () => {
  const asked: string[] = [];
  const stageOf = async (url: string, result: "open" | "failed") =>
    (await read(INTERNAL, url, tcp(result, asked))) as { stage?: string };
  expect(await stageOf("https://h.example:8443/", "open")).toMatchObject({ stage: "tls" });
  expect(await stageOf("https://h.example/x", "failed")).toMatchObject({ stage: "dns" });
  expect(asked).toEqual(["h.example:8443", "h.example:443"]);
});

test("the reference of an internal error, new each time, is not in the detail", async () => {
  expect(JSON.stringify(await read(INTERNAL))).not.toContain("21l8ns5j");
});
