/** How much of an answer is read: its first 4096 bytes, whatever the pieces in which they come. */
import { expect, test } from "vitest";
import { type SendPorts, sendLetter } from "../../src/ledger/courier-send.ts";

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
  ["in one piece", [WHOLE]],
  ["in two", [WHOLE.slice(0, 1000), WHOLE.slice(1000)]],
  ["byte by byte", WHOLE.split("")],
])("an answer of 4096 bytes is read whole: %s", async (_, pieces) => {
  expect(await readOf(pieces)).toBe(WHOLE);
});

test.each([
  ["in one piece", [`${WHOLE}?`]],
  ["in a piece of its own", [WHOLE, "?"]],
  ["in a piece that begins before it", [WHOLE.slice(0, -1), "!?"]],
])("the byte after them is not: %s", async (_, pieces) => {
  expect(await readOf(pieces)).toBe(WHOLE);
});
