/** How much of an answer is read: its first 4096 bytes, whatever the pieces in which they come. */
import { expect, test } from "vitest";
import { type SendPorts, sendLetter } from "../../src/ledger/deliver/channel-client.ts";

const LIMIT = 4096;
const LETTER = {
  type: "http",
  method: "POST",
  url: "https://ops.example/",
  headers: {},
  body: "{}",
} as const;

async function readOf(pieces: readonly string[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const ports: SendPorts = {
    fetch: async () => new Response(body),
    timeoutSignal: () => new AbortController().signal,
    sendMail: () => Promise.reject(new Error("there is no mail here")),
  };
  const sent = await sendLetter(LETTER, ports);
  if (sent.type !== "answered") throw new Error(`not answered, but ${sent.type}`);
  return sent.answer.body;
}

const WHOLE = `${"x".repeat(LIMIT - 1)}!`;

test.each([
  ["of 4096 bytes is read whole, in one piece", [WHOLE]],
  ["of 4096 bytes is read whole, in two", [WHOLE.slice(0, 1000), WHOLE.slice(1000)]],
  ["of 4096 bytes is read whole, byte by byte", WHOLE.split("")],
  ["is read without the byte after them, in one piece", [`${WHOLE}?`]],
  ["is read without the byte after them, in a piece of its own", [WHOLE, "?"]],
  ["is read without the byte after them, in a piece that begins before it", [WHOLE.slice(0, -1), "!?"]],
])("an answer %s", async (_, pieces) => {
  expect(await readOf(pieces)).toBe(WHOLE);
});
