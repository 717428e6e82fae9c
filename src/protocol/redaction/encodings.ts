/**
 * The texts under which a secret may be echoed: itself, without its escapes, base64 at each of the three alignments,
 * hexadecimal. Pure. base64: RFC 4648 section 4; base64url is the same after folding.
 */

import { plainView, viewsWithoutEscapes } from "./views.ts";

export interface SecretForm {
  readonly text: string;
  /** As many of its characters in a row give the secret away, unless they are plain words or a number. */
  readonly minRun: number;
  /** As many do whatever they are. */
  readonly sureRun: number;
  /** Whether the character before the first, and after the last, still holds some bits of the secret. */
  readonly bitsBefore: boolean;
  readonly bitsAfter: boolean;
}

/** Parts of a secret are removed from this length on; shorter secrets go as a whole. */
const MIN_LONG = 12;
/** Shorter values would take ordinary words with them. */
const MIN_SECRET = 6;
const PLAIN = { minRun: 8, sureRun: 12 };
/** Eight bytes fill at least 10 whole characters of base64, at any alignment. */
const BASE64_RUNS = { minRun: 10, sureRun: 15 };
const HEX_RUNS = { minRun: 16, sureRun: 24 };
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Every form of one secret; none for a value that is too short to be told from ordinary text. */
export function secretForms(secret: string): readonly SecretForm[] {
  if (secret.length < MIN_SECRET) return [];
  const isLong = secret.length >= MIN_LONG;
  const bytes = utf8(secret);
  const forms = plainTexts(secret).map((text) => form(text, isLong, PLAIN));
  for (const { text, bitsBefore, bitsAfter } of base64Of(bytes))
    forms.push({ ...form(text, isLong, BASE64_RUNS), bitsBefore, bitsAfter });
  forms.push(form(hexOf(bytes), isLong, HEX_RUNS));
  return forms.filter(({ text }) => text.length >= MIN_SECRET);
}

function plainTexts(secret: string): readonly string[] {
  return [
    ...new Set([secret, secret.trim(), ...viewsWithoutEscapes(plainView(secret)).map((view) => view.text)]),
  ];
}

function hexOf(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64Of(bytes: readonly number[]) {
  return [0, 1, 2].map((alignment) => base64At(bytes, alignment));
}

/** As texts are compared: case, the two alphabets of base64, and the two ways to encode a space do not count. */
export function foldText(text: string): string {
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/[ -]/g, "+")
    .replaceAll("_", "/");
}

/** What a character of base64 or base64url stands for; -1: it is none of either. */
export function sextetOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 71;
  if (unit >= 0x41 && unit <= 0x5a) return unit - 65;
  if (unit >= 0x30 && unit <= 0x39) return unit + 4;
  if (unit === 0x2b || unit === 0x2d) return 62;
  return unit === 0x2f || unit === 0x5f ? 63 : -1;
}

/** The bytes of a base64 or base64url text as Latin-1; empty when it is none. */
export function base64Text(text: string): string {
  let bytes = "";
  let bits = 0;
  let held = 0;
  const digits = text.replace(/=+$/, "");
  for (let at = 0; at < digits.length; at += 1) {
    const value = sextetOf(digits.charCodeAt(at));
    if (value < 0) return "";
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += String.fromCharCode((bits >> held) & 0xff);
  }
  return bytes;
}

/** A lone half of a surrogate pair counts as the replacement character. */
function utf8(text: string): readonly number[] {
  const escaped = encodeURIComponent(text.toWellFormed());
  return Array.from(escaped.matchAll(/%(..)|./g), ([unit, hex]) =>
    hex === undefined ? unit.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

type Runs = Pick<SecretForm, "minRun" | "sureRun">;

function form(text: string, isLong: boolean, { minRun, sureRun }: Runs): SecretForm {
  const runs = {
    minRun: isLong ? Math.min(minRun, text.length) : text.length,
    sureRun: isLong ? Math.min(sureRun, text.length) : text.length,
  };
  return { text, ...runs, bitsBefore: false, bitsAfter: false };
}

/** The characters of base64 that the bytes alone decide when `alignment` other bytes go before them. */
function base64At(bytes: readonly number[], alignment: number): Omit<SecretForm, keyof Runs> {
  const firstBit = alignment * 8;
  const endBit = firstBit + bytes.length * 8;
  const bitAt = (bit: number): number => ((bytes[(bit >> 3) - alignment] ?? 0) >> (7 - (bit & 7))) & 1;
  let text = "";
  for (let bit = Math.ceil(firstBit / 6) * 6; bit + 6 <= endBit; bit += 6) {
    let value = 0;
    for (let index = 0; index < 6; index += 1) value = value * 2 + bitAt(bit + index);
    text += BASE64.charAt(value);
  }
  return { text, bitsBefore: firstBit % 6 !== 0, bitsAfter: endBit % 6 !== 0 };
}
