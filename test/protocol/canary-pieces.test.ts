import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arrival } from "../../src/protocol/observation.ts";
import { broken, CHAT, examined, MESSAGES, STREAMED } from "./canary.ts";
import { rounds, spread } from "../extent.ts";

const style = fc.constantFrom(CHAT, MESSAGES);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const noise = fc.constantFrom("", ": keep-alive\n\n", ":\n", "retry: 100\n\n", "id: 7\n", "\n");
const text = fc.constantFrom("ng", "é", "日本語", "😀", "\u2028", "\\n\\n", "data: [DONE]", "\uFEFF");
/** Some of the events have noise before them, and a word of more than one byte. */
const stream = fc
  .tuple(style, fc.array(noise, { minLength: 8, maxLength: 8 }), lineEnd, text)
  .map(([frames, noises, end, word]) =>
    frames
      .map((frame, at) => `${noises[at] ?? ""}${frame.replace('"ng"', JSON.stringify(word))}`)
      .join("")
      .replaceAll("\n", end),
  );

/** The text of bytes that come in pieces, as a probe reads them. */
function inPieces(bytes: Uint8Array, cuts: readonly number[]): { body: string; arrivals: Arrival[] } {
  const decoder = new TextDecoder();
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const arrivals: Arrival[] = [];
  let body = "";
  let start = 0;
  for (const [at, end] of ends.entries()) {
    body += decoder.decode(bytes.subarray(start, end), { stream: true });
    arrivals.push({ afterMs: at, length: body.length });
    start = end;
  }
  return { body: body + decoder.decode(), arrivals };
}

const UTF_8 = new TextEncoder();
const TIMELESS = { firstContentMs: null, lastContentMs: null };

describe("a good stream", () => {
  it("means the same in any pieces, at any byte, with any line ends, with or without a byte order mark", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 40 }), fc.boolean(), (whole, cuts, hasMark) => {
        const { body, arrivals } = inPieces(UTF_8.encode(`${hasMark ? "\uFEFF" : ""}${whole}`), cuts);
        const found = examined(STREAMED, body, { arrivals });
        const expected = examined(STREAMED, whole);
        expect(found.diagnosis).toEqual(expected.diagnosis);
        expect(found.diagnosis.cause).toBe("ok");
        expect({ ...found.told, ...TIMELESS }).toEqual(expected.told);
        expect(found.told).toMatchObject({ inputTokens: 4, outputTokens: 2 });
        expect(found.told.firstContentMs).not.toBeNull();
      }),
      { numRuns: rounds(50, 500) },
    );
  });

  it("that was cut is never ok, whether its sender ended it or its connection broke", () => {
    fc.assert(
      fc.property(stream, (whole) => {
        // Of a pair of CR and LF the first ends the line already; what follows the last event is no part of it.
        const end = whole.trimEnd().length + (whole.includes("\r\n") ? 3 : 2);
        for (let length = 0; length < end; length += 1) {
          const body = whole.slice(0, length);
          expect(examined(STREAMED, body).diagnosis.ok).toBe(false);
          expect(broken(body).diagnosis.ok).toBe(false);
        }
        expect(examined(STREAMED, whole.slice(0, end)).diagnosis.cause).toBe("ok");
      }),
      { numRuns: rounds(4, 30) },
    );
  });
});

describe("a hostile stream comes to an end", () => {
  const MIB = 1_048_576;
  const pieces = (length: number, count: number): Arrival[] =>
    Array.from({ length: count }, (_, at) => ({
      afterMs: at,
      length: Math.round((length * (at + 1)) / count),
    }));
  const unsaid: readonly (readonly [string, () => string])[] = [
    ["one endless line", () => `data: ${"x".repeat(8 * MIB)}`],
    ["one endless line of JSON", () => `data: {"a":"${"x".repeat(8 * MIB)}`],
    ["one endless comment", () => `:${"x".repeat(8 * MIB)}`],
    ["an endless name of a field", () => `data: x\n\n${"x".repeat(8 * MIB)}`],
    ["returns", () => `data: x\n${"\r".repeat(8 * MIB)}`],
    ["empty lines", () => `data: x\n${"\n".repeat(8 * MIB)}`],
    ["events that say nothing", () => "data:x\n\n".repeat(MIB)],
    ["nested arrays", () => `data: ${"[".repeat(8 * MIB)}\n\n`],
  ];
  it.each(spread(unsaid, 3))("as %s in 65,536 pieces has dropped", (_name, whole) => {
    const body = whole();
    const arrivals = pieces(body.length, 65_536);
    const headers = { "content-type": "text/event-stream" };
    const { diagnosis } = examined(STREAMED, body, { arrivals, headers });
    expect(["stream_dropped", "unexpected_response"]).toContain(diagnosis.cause);
    expect(broken(body, { received: { body, arrivals } }).diagnosis.ok).toBe(false);
  });

  it("and arrivals that lie are no more than a wrong time", () => {
    const arrivals = [5, 3, 4].map((afterMs, at) => ({ afterMs, length: [1e9, -1, 2][at] ?? 0 }));
    expect(examined(STREAMED, MESSAGES.join(""), { arrivals }).diagnosis.cause).toBe("ok");
  });
});
