/** Whatever is pasted: an explanation comes, in time linear in the text, and no secret with it. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain, type Explanation } from "../../src/explain/explain.ts";
import { FORMS } from "../../src/explain/pasted.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { rounds, spread } from "../extent.ts";

function told(text: string): Explanation | null {
  return explain(text, { kind: null, nowMs: 0, timeZone: "Asia/Shanghai", redact });
}

const PIECES = (
  "HTTP/1.1 200 OK|HTTP/2 402|HTTP/1.1 100 Continue|HTTP/1.1 302 Found|Content-Length: 12|" +
  "content-type: application/json|> POST /v1/messages HTTP/2|> |" +
  "< HTTP/2 200|< a: b|< |* Connection #0 to host a left intact|* Could not resolve host: a|" +
  "{ [5 bytes data]|curl: (6) Could not resolve host: a|" +
  "curl: (22) The requested URL returned error: 429|" +
  '$ curl -d \'{"model":"m"}\' https://a.example/v1/messages|Request URL: https://a.example|' +
  'Status Code: 402|:status: 429|Response: |HTTP 402: |data: {}|data: [DONE]|event: error|```json|```|{"error":{"code":"x"}}|' +
  '{"error":{"mess|{"status":200,"headers":[|]}|<html>|\uFEFF||5|' +
  "Error code: 429 - |openai.RateLimitError: |anthropic.APIStatusError: |APIError: 402 |{'error': {'message': |" +
  'HTTP Request: POST https://a.example/v1/messages |"HTTP/1.1 503 x"|Traceback (most recent call last):|' +
  "{\n  status: 429,\n  headers: Headers {|  [cause]: Error: connect ECONNREFUSED\n      at x (y:1:1) {|" +
  "    at a (b:1:1)|'|\"|\\|(|)|+ |__proto__|[Object]"
).split("|");
const pasted = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom("\n", "\r\n", "\r", "", "\n\n")))
  .map((lines) => lines.map((line) => line.join("")).join(""));

const exchanges = fc.object({
  key: fc.constantFrom(
    ..."log entries request response status headers content text encoding body url method _error".split(" "),
  ),
  values: [fc.constantFrom(0, 200, "402", 99, 1e9, -1, "x", null, "base64"), fc.jsonValue()],
  maxDepth: 4,
});

test("nothing that is pasted makes it throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        pasted,
        fc.string({ unit: "binary" }),
        fc.json(),
        exchanges.map((json) => JSON.stringify(json)),
      ),
      (text) => {
        const explanation = told(text);
        expect(explanation === null).toBe(text.trim() === "");
        if (explanation !== null) expect(FORMS).toContain(explanation.takenFor.form);
      },
    ),
    { numRuns: rounds(150, 2000) },
  );
});

test("a whole transcript that is cut anywhere is still explained", () => {
  const whole =
    "$ curl -iv https://a.example/v1/messages\n> POST /v1/messages HTTP/1.1\r\n> Host: a.example\r\n> \r\n" +
    '< HTTP/1.1 402 Payment Required\r\n< X-Request-Id: r\r\n< \r\n{"error":{"code":"insufficient_balance"}}\n' +
    "curl: (18) transfer closed";
  for (let end = 1; end <= whole.length; end += 1) expect(told(whole.slice(0, end))).not.toBeNull();
});

const MILLION = 1_000_000;

// What takes the square of the time never ends here.
describe("a megabyte is explained", () => {
  const texts: readonly (readonly [string, () => string])[] = [
    ["headers", () => `HTTP/1.1 200 OK\n${"a: b\n".repeat(MILLION / 5)}`],
    ["interim answers", () => "HTTP/1.1 100 Continue\n\n".repeat(MILLION / 23)],
    ["redirects", () => "HTTP/1.1 302 Found\na: b\n\nx\n".repeat(MILLION / 27)],
    ["blanks", () => `x${" ".repeat(MILLION)}x`],
    ["requests of curl -v", () => "> GET / HTTP/1.1\n> a: b\n".repeat(MILLION / 24)],
    ["answers of curl -v", () => "< HTTP/1.1 200\n< a: b\n< \n".repeat(MILLION / 26)],
    ["remarks of curl -v", () => `* Trying\n${"* a\n".repeat(MILLION / 4)}`],
    ["complaints", () => "curl: (6) a\n".repeat(MILLION / 12)],
    ["a command line", () => `curl ${"-H ' ".repeat(MILLION / 5)}`],
    ["deep JSON", () => "[".repeat(MILLION)],
    ["deep JSON behind a status", () => `HTTP/1.1 200 OK\n\n${"[".repeat(MILLION)}`],
    ["a saved answer that is deep", () => `{"status":200,"headers":{},"body":${nested(60_000)}}`],
    ["cut-off JSON", () => `{"error":{"message":"${"a".repeat(MILLION)}`],
    [
      "entries of a HAR",
      () => `{"log":{"entries":[${'{"response":{"status":200}},'.repeat(MILLION / 28)}{}]}}`,
    ],
    ["lines of JSON", () => '{"a":1}\n'.repeat(MILLION / 8)],
    ["the beginnings of escapes", () => "\u001b[".repeat(MILLION / 2)],
    ["a fence", () => "`".repeat(MILLION)],
    ["a browser's panel", () => `Request URL: ${"a".repeat(MILLION)}`],
    ["lines of a command", () => "$ a\\\n".repeat(MILLION / 5)],
    ["words before JSON", () => `${"Response: ".repeat(MILLION / 10)}{}`],
    ["brackets", () => "Error code: 429 - " + "{[(".repeat(300_000)],
    ["quotes", () => "Error code: 429 - {" + "'a".repeat(400_000)],
    ["names", () => "openai.RateLimitError: ".repeat(40_000)],
    ["members", () => "{\n  a: ".repeat(100_000)],
    ["stacks", () => `APIError: 402 x${"\n    at a (b:1:1)".repeat(50_000)}`],
    ["blanks behind a class", () => `RateLimitError${" ".repeat(MILLION)}x`],
    ["inspected", () => `Error code: 429 - [${"[Object".repeat(150_000)}`],
    ["logs", () => "HTTP Request: POST ".repeat(50_000)],
    ["plus", () => `Error code: 429 - ['a'${" + 'a'".repeat(200_000)}`],
    ["ids", () => `Error code: 429 - x${" request_id : ".repeat(70_000)}`],
    ["blank lines behind", () => `APIError: 402 x${" \n{".repeat(300_000)}y`],
    ["quoted keys", () => `Error code: 429 - {${"'a' ".repeat(250_000)}`],
  ];
  test.each(spread(texts, 10))("%s", (_, text) => expect(told(text())).not.toBeNull());
});

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
