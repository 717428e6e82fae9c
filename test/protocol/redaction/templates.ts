/**
 * Fresh values for the templates of the shape vectors: `{a20}` is 20 random letters and digits, `{uuid}` and `{jwt}`
 * are what they say; all else stands as it is. A seed gives always the same value.
 */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const ALPHABETS: Readonly<Record<string, string>> = {
  a: UPPER + LOWER + DIGITS,
  A: UPPER + DIGITS,
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  B: `${UPPER}234567`,
  d: DIGITS,
  h: "0123456789abcdef",
  H: "0123456789ABCDEF",
  l: LOWER + DIGITS,
  w: `${UPPER}${LOWER}${DIGITS}_-`,
  x: UPPER + LOWER,
};
const SLOT = /\{(?:(uuid|UUID|jwt)|([aAbBdhHlwx])(\d+))\}/g;
const UUID = "{h8}-{h4}-4{h3}-a{h3}-{h12}";
const JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI{a40}.{w43}";

export function fill(template: string, seed: number): string {
  const next = randomFrom(seed);
  const fillAll = (text: string): string =>
    text.replaceAll(SLOT, (_, name: string | undefined, kind: string, length: string) => {
      if (name === "jwt") return fillAll(JWT);
      if (name !== undefined) return name === "uuid" ? fillAll(UUID) : fillAll(UUID).toUpperCase();
      const alphabet = ALPHABETS[kind] ?? "";
      return Array.from({ length: Number(length) }, () => alphabet.charAt(next() % alphabet.length)).join("");
    });
  return fillAll(template);
}

/** The longest of the parts of a template that are always the same. */
export function fixedParts(template: string): readonly string[] {
  return template.split(/\{\w+\}/);
}

/** Numbers that look random (Mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  };
}
