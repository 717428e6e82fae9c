import { describe, expect, test } from "vitest";
import { REDACTED, createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { spread } from "../../extent.ts";

const SECRET = "k3y-Ab3dEf6hIj9LmN0pQr2TuV5x";
/** What a search begins with or waits for; `~` stands between two that each begin what the next one ends. */
const PIECES = [
  ...'sk-|a|eyJ|secret=\'x"|key:|key="|a@a.|//|-----BEGIN |%25|\\\\|&|a-|key (|Bearer |***|a=b; path=/;'.split(
    "|",
  ),
  ..."basic%20@|bearer%20|token: a.|密钥：|API key: |<token>|TOKEN=|key='~key=\"|authorization: |-u a:|a:b@".split(
    "|",
  ),
  ..."//a:/|_sk-|sk-a1/|aHR0cHM6Ly9h~/|736b2d|&amp;|\\u{61}|<b>~x|<a|\u200b|a\u0301|\ufdfa|k3y-Ab3~.".split(
    "|",
  ),
  SECRET.slice(0, 11),
  SECRET,
  REDACTED,
  "0".repeat(32),
];

// Each of these costs minutes, not milliseconds, where a search begins again at every place, or looks at the whole of each value.
test.each(spread(PIECES, 12).map((piece) => [piece.split("~")]))(
  "hostile text of 512 kB ends: %j",
  (pieces) => {
    const redact = createRedactor([SECRET, "a".repeat(5000)]);
    const inTurns = pieces.join("").repeat(Math.ceil(2 ** 19 / pieces.join("").length));
    const inHalves = pieces.map((part) => part.repeat(Math.ceil(2 ** 18 / part.length))).join("");
    for (const text of [inTurns, inHalves]) expect(redact(text)).not.toContain("Ab3dEf6hIj9L");
  },
);

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
