/** The server before the runtime, with a real server in the runtime's place that breaks off. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startFrontServer } from "../../src/local/front-server.ts";
import { serveHttp } from "../probe/small-server.ts";
import { askRaw, headLines } from "./raw-client.ts";
import { sendLarge } from "./support/large-body.ts";

/** @returns where the front server listens. */
async function before(
  answer: (outgoing: ServerResponse, incoming: IncomingMessage) => void,
): Promise<string> {
  const address = new URL(await serveHttp((incoming, outgoing) => answer(outgoing, incoming)));
  const front = await startFrontServer(address, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => front.stop());
  return front.url;
}

test.each([
  ["closes its connection", (outgoing: ServerResponse) => outgoing.socket?.destroy()],
  ["resets its connection", (outgoing: ServerResponse) => outgoing.socket?.resetAndDestroy()],
])("an answer is broken off, and not left open, where the runtime %s within it", async (_, breakOff) => {
  const url = await before((outgoing) => {
    outgoing.write("half of a page");
    setTimeout(() => breakOff(outgoing), 50);
  });
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow("terminated");
});

test("who goes away within an answer ends it at the runtime too", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const url = await before((outgoing) => {
    outgoing.on("close", resolve);
    outgoing.write("half of a page");
  });
  const leaving = new AbortController();
  await fetch(url, { signal: leaving.signal });
  leaving.abort();
  await ended;
});

test("a connection goes on after a body that the runtime did not take", async () => {
  const url = await before((outgoing, incoming) => {
    if (incoming.method === "POST") incoming.once("data", () => outgoing.socket?.destroy());
    else outgoing.end();
  });
  const asked = { path: "/", headers: {}, next: "/" };
  expect(await sendLarge(url, asked)).toMatchObject({ status: 502, after: 200 });
});

test("the runtime closes its own connection alone", async () => {
  const url = await before((outgoing, incoming) => {
    incoming.resume().on("end", () => outgoing.writeHead(413, { connection: "close" }).end());
  });
  const asked = { path: "/", headers: {}, next: "/" };
  expect(await sendLarge(url, asked)).toMatchObject({ status: 413, after: 413 });
});

test("paths and headers of the runtime's own are kept back", async () => {
  const url = await before((outgoing, { headers }) => outgoing.end(JSON.stringify(headers)));
  const statusOf = async (path: string) => headLines(await askRaw(url, { path }))[0]?.split(" ")[1];
  const own = ["/cdn-cgi", "/CDN-CGI/local/scheduled", "/x/../cdn-cgi/local/scheduled"];
  for (const path of own) expect([path, await statusOf(path)]).toEqual([path, "404"]);
  for (const path of ["//cdn-cgi/local/scheduled", "http://elsewhere.example/"])
    expect([path, await statusOf(path)]).toEqual([path, "400"]);
  const headers = { "mf-original-url": `${url}/cdn-cgi/local/scheduled`, "x-other": "handed on" };
  const handed: unknown = await (await fetch(url, { headers })).json();
  expect(handed).toMatchObject({ "x-other": "handed on" });
  expect(handed).not.toHaveProperty("mf-original-url");
});
