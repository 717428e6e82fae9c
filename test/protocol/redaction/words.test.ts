/** A word alone takes a shorter way than a text: it comes to the same. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { rounds } from "../../extent.ts";

const KEY = "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC";
const redact = createRedactor([KEY, "hunter2hunter2", "4111111111111111"]);

const base64 = (text: string, glued = "") => glued + btoa(text).replaceAll("=", "").replaceAll("+", "-");
const hex = (text: string) => Array.from(text, (one) => one.charCodeAt(0).toString(16)).join("");

const ECHOED = "key-received-Ab3dEf6hIj9LmN0pQr2T";

const PIECES = [
  (
    "req_ chatcmpl- 01hf7qk3m2v9 3f1c9a52-7f0b-4e0e-9a54-2f5f6f9a1c11 20261123010203 gpt-4o-mini sk- hf_ ghp_ " +
    "AKIA eyJhbGci Ab3dEf6hIj9LmN0pQr2T *** xxxx key token -key- received Received 0x 0X6b - _ hunter2hunter2 " +
    "4111111111111111"
  ).split(" "),
  [KEY, KEY.slice(0, 7), KEY.slice(9, 21), KEY.slice(20, 30)],
  [
    base64(KEY),
    base64(`password=${KEY}`),
    base64("hello to everybody"),
    base64(KEY, "x-"),
    base64(KEY, "ab"),
  ],
  [hex(KEY), hex("password: hunter2"), hex(KEY).slice(3, 40), ECHOED],
].flat();

const anyWord = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.stringMatching(/^[A-Za-z0-9_-]{0,24}$/)), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pieces) => pieces.join(""));

test("a word alone is redacted as it is before a space", () => {
  fc.assert(
    fc.property(anyWord, (word) => {
      expect(redact(word)).toBe(redact(`${word} `).slice(0, -1));
    }),
    { numRuns: rounds(1000, 20_000) },
  );
});

test("each of the words that hold a secret is found", () => {
  const told = [KEY, base64(KEY), base64(KEY, "x-"), hex(KEY), ECHOED];
  expect(told.filter((word) => redact(word) === word)).toEqual([]);
});

test("ids, codes and model names stay", () => {
  const ids = ["req_01hf7qk3m2v9", "3f1c9a52-7f0b-4e0e-9a54-2f5f6f9a1c11"];
  const told = [...ids, "insufficient_quota", "gpt-4o-mini", "0"];
  expect(told.map(redact)).toEqual(told);
});
