import { describe, expect, test } from "vitest";
import { REDACTED, createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { spread } from "../../extent.ts";

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
  ])("%s go as a whole or in part, and what stands around them stays", (_, piece) => {
    const secret = piece.repeat(2 ** 16 / piece.length);
    const redact = createRedactor([secret]);
    for (const part of [secret, piece.repeat(1000)])
      expect(redact(`x «${part}» y`)).toBe(`x «${REDACTED}» y`);
  });
});
