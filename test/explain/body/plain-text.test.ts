/** What terminals, letters, editors and encodings do to an answer before it is pasted. */
import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/explain/body/plain-text.ts";
import { explained, NO_MONEY } from "../pasted-text.ts";

const GOOD =
  '{\n  "choices": [\n    {"message": {"content": "openai.RateLimitError: Error code: 429 - {\'a\': 1}"}, "finish_reason": "stop"}\n  ]\n}';
const ANSWERED = `HTTP/1.1 200 OK\ncontent-type: application/json\nx-request-id: req_1\n\n${GOOD}`;
const REFUSED = `HTTP/1.1 402 Payment Required\nX-Request-Id: req_1\n\n${NO_MONEY}\n`;

const CHANGES: readonly (readonly [string, (text: string) => string])[] = [
  ["in bold and in colours", (text) => text.replace(/^[\w-]+(?=:)/gm, "\u001b[1m\u001b[32m$&\u001b[0m")],
  ["behind the title of a window", (text) => `\u001b]0;root@host\u0007${text}`],
  ["in UTF-16 that was read as UTF-8", (text) => `\uFFFD\uFFFD${text.replace(/[^]/g, "$&\0")}`],
  ["with the line ends of an old Macintosh", (text) => text.replaceAll("\n", "\r")],
  ["quoted in a letter", (text) => text.replace(/^/gm, "> ")],
  ["quoted behind words", (text) => `Hi,\n\nBob wrote:\n${text.replace(/^/gm, "> ")}\n\nThanks\n`],
  ["with numbers, as cat -n prints them", (text) => numbered(text, (n) => `${String(n).padStart(6)}\t`)],
  ["with numbers, as grep -n prints them", (text) => numbered(text, (n) => `${n}:`)],
  ["with numbers, as editors show them", (text) => numbered(text, (n) => `${String(n + 98).padStart(4)}  `)],
  ["in a fence with words around it", (text) => `Hello,\n\n\`\`\`\n${text}\n\`\`\`\nWhat is wrong?\n`],
  [
    "in the second of two fences",
    (text) => `A:\n\`\`\`python\nprint(1)\n\`\`\`\nB:\n\`\`\`http\n${text}\n\`\`\`\n`,
  ],
];

function numbered(text: string, before: (n: number) => string): string {
  return text
    .split("\n")
    .map((line, at) => before(at + 1) + line)
    .join("\n");
}

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
  ["the request of curl -v alone", "> POST /v1/messages HTTP/1.1\n> Host: a.example\n> \n"],
  ["a client's error that quotes an answer", "Error code: 500 - x\n> HTTP/1.1 200 OK\n> a: b\n"],
  ["a body that quotes an answer", "HTTP/1.1 500 X\n\nsee:\n> HTTP/1.1 200 OK\n> a: b\n"],
  ["lines that begin with numbers of their own", "1 a\n5 b\n6 c"],
  ["two lines with numbers", "1: a\n2: b"],
  ["a client's error before a fence", "Error code: 401 - {'a': 1}\n```\n{}\n```\n"],
  ["a body that holds a fence", 'HTTP/1.1 200 OK\n\nx\n```json\n{"error":"x"}\n```\n'],
  ["a fence without an answer", "Use this:\n```\nimport openai\n```\n"],
])("%s stays as it is", (_, text) => expect(plainText(text)).toBe(text));

const MILLION = 1_000_000;

// What takes the square of the time never ends here.
test.each([
  ["the beginnings of escapes", "\u001b[".repeat(MILLION / 2)],
  ["titles without an end", "\u001b]".repeat(MILLION / 2)],
  ["quotes", ">".repeat(MILLION)],
  ["quoted lines", `> ${"> \n".repeat(MILLION / 3)}`],
  ["a quoted request without an end", `> GET ${"a".repeat(MILLION)}`],
  ["a letter with quoted lines", `a\n> HTTP/1.1 200\n${"> a\n".repeat(MILLION / 4)}`],
  ["a letter of one line", `> HTTP/1.1 200\n${"a".repeat(MILLION)}`],
  ["numbered lines", numbered("a\n".repeat(100_000), (n) => `${n}: `)],
  ["fences", `a\n${"```\n".repeat(MILLION / 4)}`],
  ["blanks before a line", `a\n${" ".repeat(MILLION)}`],
  ["zeros", "a\0".repeat(MILLION / 2)],
])("a megabyte of %s is read", (_, text) => expect(plainText(text).length).toBeLessThanOrEqual(text.length));
