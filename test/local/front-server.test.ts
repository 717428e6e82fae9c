/** The server before the runtime, with a real server in the runtime's place that breaks off. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startFrontServer } from "../../src/local/front-server.ts";

/** @returns where the front server listens. */
async function before(answer: (outgoing: ServerResponse) => void): Promise<string> {
  const runtime = createServer((_, outgoing) => answer(outgoing)).listen(0, "127.0.0.1");
  await once(runtime, "listening");
  const address = new URL(`http://127.0.0.1:${(runtime.address() as AddressInfo).port}`);
  const options = { host: "127.0.0.1", port: 0, isPrivate: false, trouble: () => null };
  const front = await startFrontServer({ address: () => address, look: () => Promise.resolve() }, options);
  onTestFinished(async () => {
    await front.stop();
    runtime.closeAllConnections();
    runtime.close();
  });
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
