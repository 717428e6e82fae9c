/** What terminals and chats do to an answer before it is pasted. */
import { describe, expect, test } from "vitest";
import { plainText } from "../../src/explain/plain-text.ts";
import { NO_MONEY, explained } from "./pasted-text.ts";

const GOOD =
  '{\n  "choices": [\n    {"message": {"content": "openai.RateLimitError: Error code: 429 - {\'a\': 1}"}, "finish_reason": "stop"}\n  ]\n}';
const ANSWERED = `HTTP/1.1 200 OK\ncontent-type: application/json\nx-request-id: req_1\n\n${GOOD}`;
const REFUSED = `HTTP/1.1 402 Payment Required\nX-Request-Id: req_1\n\n${NO_MONEY}\n`;

const CHANGES: readonly (readonly [string, (text: string) => string])[] = [
  ["in bold and in colours", (text) => text.replace(/^[\w-]+(?=:)/gm, "\u001b[1m\u001b[32m$&\u001b[0m")],
  ["behind the title of a window", (text) => `\u001b]0;root@host\u0007${text}`],
  ["in a fence", (text) => `\`\`\`\n${text}\n\`\`\`\n`],
];

describe.each(CHANGES)("an answer %s", (_, change) => {
  test("is as good as before, whatever it quotes", () => {
    const { takenFor, diagnosis } = explained(change(ANSWERED));
    expect(takenFor).toMatchObject({ form: "http", kind: "chat", notes: ["kind_guessed"] });
    expect(diagnosis).toMatchObject({ cause: "ok", httpStatus: 200, requestId: "req_1" });
  });

  test("is the same failure as before", () => {
    const given = { cause: "insufficient_balance", httpStatus: 402, requestId: "req_1", message: "no money" };
    expect(explained(change(REFUSED)).diagnosis).toMatchObject(given);
  });
});

test("colours within a key hide no part of it", () => {
  const key = "\u001b[31msk-\u001b[0mproj-Ab3dEf6hIj9LmN0pQr2TuV5xYz8";
  expect(explained(`HTTP/1.1 500 X\n\nno ${key}`).diagnosis.message).toBe("no [redacted]");
});

test.each([
  ["a client's error before a fence", "Error code: 401 - {'a': 1}\n```\n{}\n```\n"],
  ["a body that holds a fence", 'HTTP/1.1 200 OK\n\nx\n```json\n{"error":"x"}\n```\n'],
])("%s stays as it is", (_, text) => expect(plainText(text)).toBe(text));

const MILLION = 1_000_000;

// What takes the square of the time never ends here.
test.each([
  ["the beginnings of escapes", "\u001b[".repeat(MILLION / 2)],
  ["titles without an end", "\u001b]".repeat(MILLION / 2)],
  ["fences", `a\n${"```\n".repeat(MILLION / 4)}`],
  ["blanks before a line", `a\n${" ".repeat(MILLION)}`],
])("a megabyte of %s is read", (_, text) => expect(plainText(text).length).toBeLessThanOrEqual(text.length));
