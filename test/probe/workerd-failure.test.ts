import { expect, test } from "vitest";
import { workerdFailureReader } from "../../src/probe/workerd-failure.ts";

const INTERNAL = new Error("internal error; reference = 21l8ns5j5qcud6c248fqm7kv");

test("a second look at the port tells TLS from DNS", async () => {
  const asked: string[] = [];
  const read = async (url: string, result: "open" | "failed") => {
    const reader = workerdFailureReader(async (host, port) => {
      asked.push(`${host}:${port}`);
      return result;
    });
    return reader(INTERNAL, url);
  };
  expect(await read("https://h.example:8443/", "open")).toMatchObject({ stage: "tls" });
  expect(await read("https://h.example/x", "failed")).toMatchObject({ stage: "dns" });
  expect(asked).toEqual(["h.example:8443", "h.example:443"]);
});
