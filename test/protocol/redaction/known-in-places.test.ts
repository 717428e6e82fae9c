import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { NAMED, NEUTRAL } from "./surroundings.ts";
import { rounds } from "../../extent.ts";

const escaped = (text: string, spell: (code: string) => string): string =>
  Array.from(text, (character) => spell(character.charCodeAt(0).toString(16).padStart(2, "0"))).join("");

/** An encoding, and how many characters of it hold 12 of the secret at least. */
interface Encoding {
  readonly encode: (text: string) => string;
  readonly twelve: number;
}
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  plain: { encode: (text) => text, twelve: 12 },
  base64: { encode: (text) => Buffer.from(text).toString("base64"), twelve: 17 },
  "base64 one byte on": { encode: (text) => Buffer.from(`.${text}`).toString("base64"), twelve: 18 },
  "base64 two bytes on": { encode: (text) => Buffer.from(`.,${text}`).toString("base64"), twelve: 20 },
  "base64 for URLs": { encode: (text) => Buffer.from(text).toString("base64url"), twelve: 17 },
  hexadecimal: { encode: (text) => Buffer.from(text).toString("hex"), twelve: 24 },
  "hexadecimal in capitals": {
    encode: (text) => Buffer.from(text).toString("hex").toUpperCase(),
    twelve: 24,
  },
  percent: { encode: (text) => escaped(text, (code) => `%${code}`), twelve: 36 },
  "percent twice": { encode: (text) => escaped(text, (code) => `%25${code}`), twelve: 60 },
  "JSON escapes": { encode: (text) => escaped(text, (code) => `\\u00${code}`), twelve: 72 },
  "HTML entities": { encode: (text) => escaped(text, (code) => `&#x${code};`), twelve: 72 },
  "escapes of bytes": { encode: (text) => escaped(text, (code) => `\\x${code}`), twelve: 48 },
};

/** A secret as people choose them and as programs make them, and a part of it of 12 characters at least. */
const part = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9_+/.!~-]{12,64}$/), fc.nat(), fc.nat())
  .map(([secret, from, size]) => {
    const start = from % (secret.length - 11);
    return { secret, echoed: secret.slice(start, start + 12 + (size % (secret.length - start - 11))) };
  });
const place = fc.constantFrom(...Object.values(NEUTRAL), ...Object.values(NAMED));

test.each(Object.entries(ENCODINGS))(
  "no 12 characters of what is known are left in any place: %s",
  (_, { encode, twelve }) => {
    fc.assert(
      fc.property(part, place, ({ secret, echoed }, put) => {
        const encoded = encode(echoed);
        const left = createRedactor([secret])(put(encoded));
        for (let at = 0; at + twelve <= encoded.length; at += 1)
          expect(left).not.toContain(encoded.slice(at, at + twelve));
      }),
      { numRuns: rounds(30, 400) },
    );
  },
);
