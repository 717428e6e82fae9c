import * as fc from "fast-check";
import { plainView, viewsWithoutEscapes } from "../../../src/protocol/redaction/views.ts";
import { describe, expect, test } from "vitest";
import { REDACTED, createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { NAMED, NEUTRAL } from "./surroundings.ts";
import { rounds } from "../../extent.ts";

const SECRET = 'sup3r-Secret/Value+With"quote\n<%41>\u{1f600}end';

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicodeEscapes = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
const numericEntities = (text: string): string => Array.from(text, (c) => `&#${c.codePointAt(0)};`).join("");
const namedEntities = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Encodings that leave nothing of the secret beside the marker. */
const EXACT: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  encodeURIComponent: encodeURIComponent,
  "percent-encoding in lower case": (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (p) => p.toLowerCase()),
  "percent-encoding of every byte": percent,
  "percent-encoding twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a form": (text) => new URLSearchParams({ a: text }).toString().slice(2),
  JSON: inJson,
  "JSON in JSON": (text) => inJson(inJson(text)),
  "JSON in JSON in JSON": (text) => inJson(inJson(inJson(text))),
  "JSON with escaped slashes": (text) => inJson(text).replaceAll("/", "\\/"),
  "JSON as Go writes it": (text) =>
    inJson(text).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026"),
  "unicode escapes": unicodeEscapes,
  "HTML entities": namedEntities,
  "HTML numeric entities": numericEntities,
  "HTML in JSON": (text) => inJson(namedEntities(text)),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "upper case": (text) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
};

/** Secrets of all characters, with those that encodings treat in their own way more often. */
const anySecret = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
      fc.constantFrom(..."%41|\\n|\\|\"|'|&lt;|&|<|\n|\t|+| |-|_|/|=|%|é|密|\u{1f600}".split("|")),
      fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
    ),
    { minLength: 3, maxLength: 12 },
  )
  .map((parts) => parts.join(""))
  .filter(
    (text) => text.length >= 12 && !/[«»]/.test(text) && text.trim() === text && !text.includes("\u{0}"),
  )
  // What is nothing but escapes of a few characters is as short as these: too short to be told from ordinary text.
  .filter((text) => viewsWithoutEscapes(plainView(text)).every((view) => view.text.length >= 12));

describe("a known secret", () => {
  for (const [name, encode] of Object.entries(EXACT)) {
    test(`goes whole: ${name}`, () => {
      const redact = createRedactor([SECRET]);
      expect(redact(`before «${encode(SECRET)}» after`)).toBe(`before «${REDACTED}» after`);
    });
  }

  test.each("plain|JSON|JSON in JSON|percent-encoding of every byte|unicode escapes|hexadecimal".split("|"))(
    "of any characters goes whole: %s",
    (name) => {
      const encode = EXACT[name]!;
      fc.assert(
        fc.property(anySecret, (secret) => {
          // No words around it: with a letter of theirs its decoded letters may be twelve of the secret in a row.
          expect(createRedactor([secret])(`«${encode(secret)}»`)).toBe(`«${REDACTED}»`);
        }),
        { numRuns: rounds(30, 300) },
      );
    },
  );

  test("goes with the characters of base64 that share bits with it", () => {
    const redact = createRedactor(["abcdefghijklmnopq"]);
    expect(base64("u:abcdefghijklmnopq:x")).toBe("dTphYmNkZWZnaGlqa2xtbm9wcTp4");
    expect(redact("dTphYmNkZWZnaGlqa2xtbm9wcTp4")).toBe(`dT${REDACTED}p4`);
  });

  test("of 5 kB in repeated letters goes, and the text around it stays", () => {
    const redact = createRedactor(["ab".repeat(2500), "a".repeat(5000)]);
    expect(redact(`x ${"ab".repeat(2500)} y ${"a".repeat(4000)} z`)).toBe(`x ${REDACTED} y ${REDACTED} z`);
  });

  test("of 6 to 11 characters goes only as a whole, in any encoding", () => {
    const redact = createRedactor(['p"ss-w0rd']);
    expect(redact('wrong p"ss-w0rd given')).toBe(`wrong ${REDACTED} given`);
    expect(redact('{"m":"wrong p\\"ss-w0rd given"}')).toBe(`{"m":"wrong ${REDACTED} given"}`);
    expect(redact("p%22ss-w0rd")).toBe(REDACTED);
    expect(redact("ss-w0r")).toBe("ss-w0r");
    for (const before of ["", "a", "ab"]) {
      expect(redact(`<${base64(`${before}p"ss-w0rdx`)}>`)).toMatch(/^<[\w+/]{0,4}\[redacted\][\w+/=]{0,4}>$/);
    }
  });

  test("of fewer than 6 characters would take ordinary words along and stays", () => {
    expect(createRedactor(["", "a", "gpt-4"])("model gpt-4 is a model")).toBe("model gpt-4 is a model");
  });

  test("that stands twice, or beside another, leaves one marker a place", () => {
    const redact = createRedactor(["first-secret-1", "other-secret-2"]);
    expect(redact("first-secret-1other-secret-2 and first-secret-1")).toBe(`${REDACTED} and ${REDACTED}`);
  });

  test("goes where ids stay by shape alone", () => {
    const id = "05997465cd2ee4bd50b24b216c911b75";
    expect(createRedactor([])(`{"request_id":"${id}"}`)).toBe(`{"request_id":"${id}"}`);
    expect(createRedactor([id])(`{"request_id":"${id}"}`)).toBe(`{"request_id":"${REDACTED}"}`);
  });
});

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
