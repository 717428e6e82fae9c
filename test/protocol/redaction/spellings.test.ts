import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REDACTED, createRedactor, redact as redactShapes } from "../../../src/protocol/redaction/redact.ts";
import { rounds } from "../../extent.ts";

const KEY = "xq7Ab3dEf6_hIj9LmN0pQr2TuV5xYz8AbC1dEf4G";
const redact = createRedactor([KEY]);

const between = (mark: string) => (key: string) => Array.from(key).join(mark);
const every = (size: number, mark: string, text: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, "gs")) ?? []).join(mark);
const eachCode = (spell: (code: number) => string) => (key: string) =>
  Array.from(key, (character) => spell(character.codePointAt(0) ?? 0)).join("");
const base64 = (text: string | Buffer): string => Buffer.from(text).toString("base64");

const SPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  "UTF-16 read as bytes": between("\0"),
  "with line ends every ten": (key) => every(10, "\n", key),
  "with a break every eleven": (key) => every(11, "<wbr>", key),
  "with zero-width spaces": between("\u200b"),
  "with soft hyphens": between("\u00ad"),
  "with bells": between("\u0007"),
  "in full width": eachCode((code) => String.fromCodePoint(code + 0xfee0)),
  "in entities without a semicolon": eachCode((code) => `&#${code}`),
  "in padded entities": eachCode((code) => `&#00000000${code};`),
  "in entities escaped twice": eachCode((code) => `&amp;amp;#${code};`),
  "in base64 cut every fourteen": (key) => every(14, "\n", base64(key)),
  "in base64 of base64 of a header": (key) => base64(base64(`Authorization: Bearer ${key}`)),
  "in base64 of UTF-16": (key) => base64(Buffer.from(key, "utf16le")),
  "in base64 of JSON with escapes": (key) =>
    base64(JSON.stringify({ a: eachCode((c) => `\\u00${c.toString(16).padStart(2, "0")}`)(key) })),
};

describe("a known key goes", () => {
  test.each(Object.entries(SPELLINGS))("%s", (_, spell) => {
    expect(redact(`bad key ${spell(KEY)} end`)).toMatch(/^bad key .{0,12}\[redacted\].{0,12}end$/s);
  });

  test("in every spelling, whatever key it is and whatever stands around it", () => {
    const key = fc.stringMatching(/^(?:sk-)?[A-Za-z0-9]{20,30}[_-][A-Za-z0-9]{8,20}$/);
    const around = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `Incorrect key (${text}).`,
      (text) => JSON.stringify({ error: { message: `bad ${text} key` } }),
      (text) => `<p>错误：${text}</p>`,
    );
    fc.assert(
      fc.property(key, fc.constantFrom(...Object.values(SPELLINGS)), around, (value, spell, put) => {
        const left = createRedactor([value])(put(spell(value)));
        expect(left).toContain(REDACTED);
        expect(left.length).toBeLessThan(put(spell("")).length + REDACTED.length + 25);
      }),
      { numRuns: rounds(50, 600) },
    );
  });

  test("in parts of 8 characters that are no words", () => {
    for (let start = 0; start + 8 <= KEY.length; start += 1) {
      const expected = `key starting with ${REDACTED} is bad`;
      expect(redact(`key starting with ${KEY.slice(start, start + 8)} is bad`)).toBe(expected);
    }
    expect(redact(`key ending in ${KEY.slice(-11)}`)).toBe(`key ending in ${REDACTED}`);
  });

  test("in any part of base64 that holds 8 of its characters", () => {
    for (const before of ["", "x", "xy"]) {
      const part = base64(before + KEY.slice(4, 12));
      expect(redact(`<${part}>`)).toContain(REDACTED);
    }
  });
});

describe("what a key shares with ordinary texts stays", () => {
  const named = createRedactor([
    "sk-proj-Ab3dEf6hIj9LmN0pQr2TuV5x",
    "demo-simulated-gateway-key",
    "acme-20261120-openai-Team01",
  ]);
  test.each([
    "Keys begin with sk-proj- and end with anything",
    "The simulated answer of the gateway, key missing",
    "the gateway is overloaded",
    "OpenAI: request 20261120 of 2026-11-20 failed, team01",
    "acme-2026 is no model",
  ])("%s", (text) => expect(named(text)).toBe(text));
});

describe("the secrets of others go", () => {
  test.each([
    ["root:S3cr3tPw@tcp(10.0.0.5:3306)/db", `${REDACTED}@tcp(10.0.0.5:3306)/db`],
    ["joe:hunter22@10.0.0.1 refused", `${REDACTED}@10.0.0.1 refused`],
    ["joe:pw@dbhost:5432", `${REDACTED}@dbhost:5432`],
    ["https://joe:hunter/22@c.example/", `https://${REDACTED}@c.example/`],
    ["curl -u admin:pw https://a.example", `curl -u admin:${REDACTED} https://a.example`],
    ["curl --user 'admin:pw' x", `curl --user 'admin:${REDACTED}' x`],
    ["upstream_sk-proj-T3stKeyAbCdEfGhIjKl", `upstream_${REDACTED}`],
    ["sk-proj-T3\u200bstKeyAbCdEfGh\u00adIjKl", REDACTED],
    ["<apiKey>hunter22aa</apiKey>", `<apiKey>${REDACTED}</apiKey>`],
    ["TOKEN=hunter22aa", `TOKEN=${REDACTED}`],
    ["DB_PASS=S3cr3tPw;", `DB_PASS=${REDACTED};`],
    ["invalid api key: hunter22", `invalid api key: ${REDACTED}`],
    ["Incorrect API key provided: 'hunter22'", `Incorrect API key provided: '${REDACTED}'`],
    ["the password is S3cr3tPw", `the password is ${REDACTED}`],
    ["密钥：hunter22abc", `密钥：${REDACTED}`],
    ["密码为 hunter22", `密码为 ${REDACTED}`],
  ])("%s", (text, expected) => {
    expect(redactShapes(text)).toBe(expected);
    expect(redactShapes(expected)).toBe(expected);
  });

  test("in base64 and in hexadecimal", () => {
    const header = "Authorization: Bearer sk-proj-T3stKeyAbCdEfGhIjKl";
    for (const encoded of [base64(header), base64(base64(header)), Buffer.from(header).toString("hex")]) {
      const left = redactShapes(`sent /${encoded} today`);
      expect(left).toMatch(/^sent \/\w{1,60}\[redacted\]\w{0,4}=* today$/);
    }
  });

  test.each([
    "http://a.example:8080/@scope/name and https://a.example/x:y@z",
    "image registry/ollama:latest@sha256:0a1b2c",
    "at 12:30 @ noon, ratio 3:1 @home",
    "curl -u $USER:$PASS x",
    "<token>Missing token</token><key>name</key>",
    "KEY=VALUE, TOKEN=$TOKEN, PASS=, MAX_TOKENS=4096",
    "Invalid API key: please check. API key: required. API key: error 401",
    "令牌：无效",
    "task-sk-learn and desk-lamp-controller-0123456789ab",
    "SGVsbG8gV29ybGQsIHRoaXMgaXMgYSB0ZXN0",
  ])("and this stays: %s", (text) => expect(redactShapes(text)).toBe(text));
});
