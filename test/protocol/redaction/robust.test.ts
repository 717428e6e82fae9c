import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REDACTED, createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { rounds, spread } from "../../extent.ts";

/** Secrets that JSON escapes, and that look like escapes themselves. */
const anySecret = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
      fc.constantFrom("%41", "\\n", "\\", '"', "'", "&lt;", "\n", "u0041", "é", "\u{1f600}", ":", ",", "}"),
      fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
    ),
    { minLength: 3, maxLength: 12 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text.length >= 12);

const FRAGMENTS = [
  ...(
    "sk-|sk-...|sk-proj-abcDEF123456ghiJKL789|eyJhbGciOiJIUzI1NiJ9.e30.x|Bearer |Basic dXNlcjpwYXNz|api_key|key|" +
    'token|password|Authorization|cookie|secret|密钥|\\"|\\n|\\u0026|%3D|%22|&amp;|&quot;|***|...|…|@|a@b.example|' +
    "://u:p@h/|//|is|provided|-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|" +
    "05997465cd2ee4bd50b24b216c911b75|abcdefgh12345678|hello|redacted|; Path=/|sid=abc|hooks.slack.com/services/|" +
    "T0/B0/x|correct-horse-battery"
  ).split("|"),
  ...":=\"'\\?&; \n()[]{},.[]".split(""),
  REDACTED,
];
const hostileText = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 30 }).map((parts) => parts.join(""));
const hostileJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom("api_key", "password", "message", "cookie", "token", "authorization", "n"),
      tie("value"),
    ),
  ),
})).value;

/** The structure without the texts: names and numbers may be secrets too. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === "object" && value !== null) return Object.values(value).length;
  return typeof value === "string" ? "text" : "other";
}

describe("JSON stays JSON", () => {
  test("under a secret that reaches across its syntax", () => {
    const redact = createRedactor(['abcdefghijkl","x":"mnopqrstuvw', "1234567890123456"]);
    const text = '{"k":"abcdefghijkl","x":"mnopqrstuvw","n":-1234567890123456,"s":"1234567890123456"}';
    expect(redact(text)).toBe(`{"k":"${REDACTED}","${REDACTED}":"${REDACTED}","n":null,"s":"${REDACTED}"}`);
  });

  test("where a secret follows an escape", () => {
    const text = '{"m":"line\\nnpm-abcdefghijkl \\u00e9abcdefghijklm"}';
    const redact = createRedactor(["npm-abcdefghijkl", "9abcdefghijklm"]);
    expect(JSON.parse(redact(text))).toEqual({ m: expect.stringContaining(REDACTED) });
  });

  test("where a single quote behind a key word has its like in another string", () => {
    const text = '{"a":["","key:\'"],"n":{"b":"0123456789abcdef\'"}}';
    expect(createRedactor([])(text)).toBe(text);
  });

  test("for any value, any secret and any name", () => {
    fc.assert(
      fc.property(hostileJson, anySecret, fc.boolean(), (value, secret, isPretty) => {
        const text = JSON.stringify(
          [value, { api_key: secret, note: `key ${secret}` }],
          null,
          isPretty ? 2 : 0,
        );
        expect(shapeOf(JSON.parse(createRedactor([secret])(text)))).toEqual(shapeOf(JSON.parse(text)));
      }),
      { numRuns: rounds(40, 500) },
    );
  });
});

describe("redacting twice changes nothing", () => {
  const redact = createRedactor(["correct-horse-battery-staple", "redacted"]);

  test("in text made of what it looks for", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: rounds(300, 5000) },
    );
  });
});

describe("hostile text of 1 MB", () => {
  const secret = "k3y-abcdefghijklmnopqrstuvwxyz";
  const redact = createRedactor([secret, "a".repeat(5000)]);
  // Each of these costs minutes, not milliseconds, where a search begins again at every place.
  const pieces = [
    ...'sk-|a|eyJ|secret=\'x"|key:|key="|a@a.|//|-----BEGIN |%25|\\\\|&|a-|key (|Bearer |***|a=b; path=/;'.split(
      "|",
    ),
    secret.slice(0, 11),
    secret,
    REDACTED,
    "0".repeat(32),
  ];
  test.each(spread(pieces, 6))("%j ends", (piece) => {
    const text = piece.repeat(Math.ceil(2 ** 20 / piece.length));
    expect(redact(text)).not.toContain(secret);
  });
});

describe("hostile text of 256 kB, each piece of which begins what the next one ends", () => {
  const redact = createRedactor(["k3y-Ab3dEf6hIj9LmN0pQr2TuV5x"]);
  // Values that are looked at and not taken: looking at the whole of each would cost minutes.
  const pairs = [
    ..."basic%20@|bearer%20|token: a.|密钥：|API key: |<token>|TOKEN=|key='~key=\"|authorization: |-u a:|a:b@".split(
      "|",
    ),
    ..."//a:/|_sk-|sk-a1/|aHR0cHM6Ly9h~/|736b2d|&amp;|%25|\\u{61}|<b>~x|<a|\u200b|a\u0301|\ufdfa|k3y-Ab3~.".split(
      "|",
    ),
  ];
  test.each(spread(pairs, 6).map((pair) => [pair.split("~")]))("%j ends", (pieces) => {
    const piece = pieces.join("");
    expect(redact(piece.repeat(Math.ceil(2 ** 18 / piece.length)))).not.toContain("Ab3dEf6hIj9L");
    const halves = pieces.map((part) => part.repeat(Math.ceil(2 ** 17 / part.length))).join("");
    expect(redact(halves)).not.toContain("Ab3dEf6hIj9L");
  });
});

describe("hostile secrets of 64 kB", () => {
  test.each([
    ["one letter", "a"],
    ["two letters", "ab"],
    ["backslashes", "\\"],
    ["escaped percent signs", "%25"],
    ["escaped ampersands", "&amp;"],
    ["a marker", REDACTED],
  ])("%s go as a whole, and what stands around them stays", (_, piece) => {
    const secret = piece.repeat(2 ** 16 / piece.length);
    expect(createRedactor([secret])(`x «${secret}» y`)).toBe(`x «${REDACTED}» y`);
  });
});
