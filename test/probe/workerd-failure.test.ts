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

test("a second look at the port tells TLS from DNS", async () => {
  const asked: string[] = [];
  const stageOf = async (url: string, result: "open" | "failed") =>
    (await read(INTERNAL, url, tcp(result, asked))) as { stage?: string };
  expect(await stageOf("https://h.example:8443/", "open")).toMatchObject({ stage: "tls" });
  expect(await stageOf("https://h.example/x", "failed")).toMatchObject({ stage: "dns" });
  expect(asked).toEqual(["h.example:8443", "h.example:443"]);
});
