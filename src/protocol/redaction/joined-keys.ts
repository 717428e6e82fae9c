/**
 * Keys of several parts, none of which says what it is: an id and its secret joined by a dot or a colon, tokens of
 * three parts; and where a key ends that goes on behind dots and masks. Pure; every look ahead is bounded.
 */

import { isWordy } from "./shapes.ts";

/** A first word, and what stands behind it and its joint. */
interface JoinedShape {
  readonly word: RegExp;
  readonly rest: RegExp;
}

const BY_JOINT: Readonly<Record<string, readonly JoinedShape[]>> = {
  ".": [
    // Google; SendGrid; Vault.
    { word: /^(?:AQ|SG|ya29)$/, rest: /^[\w-]{20}/ },
    { word: /^hv[sbr]$/, rest: /^[\w-]{24}/ },
    // Zhipu: not another hexadecimal part, and no word.
    { word: /^[0-9a-f]{32}$/, rest: /^(?=[a-f\d]*[g-zA-Z])(?![a-z]+(?![\w-]))[A-Za-z0-9]{16}(?![\w-])/ },
    { word: /^dp$/, rest: /^(?:ct|pt|sa|scim|audit|st(?:\.[\w-]{2,35})?)\.[A-Za-z0-9]{40}/ },
    { word: /^dt0[a-z]\d\d$/, rest: /^[A-Z0-9]{24}\.[A-Z0-9]{64}/ },
    { word: /^pat[A-Za-z0-9]{14}$/, rest: /^[0-9a-f]{64}/ },
    { word: /^[A-Za-z0-9]{14}$/, rest: /^atlasv1\.[\w-]{60}/ },
    { word: /^[MNO][\w-]{23,27}$/, rest: /^[\w-]{6}\.[\w-]{27}/ },
    { word: /^v1$/, rest: /^0-[0-9a-f]{24}-[0-9a-f]{146}/ },
    // A JSON Web Token whatever its header begins with, also with spaces or line ends in it.
    { word: /^(?:eyJ|eyA|ewo)[\w-]{9,}$/, rest: /^(?:eyJ|eyA|ewo)[\w-]{9}/ },
  ],
  ":": [
    // Telegram; fal.
    { word: /^(?:bot)?\d{8,12}$/, rest: /^[\w-]{35}(?![\w-])/ },
    { word: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, rest: /^[0-9a-f]{32}(?![\w-])/ },
  ],
  "~": [
    // A client secret of Azure; OpenShift.
    { word: /^[\w-]{0,3}\dQ$/, rest: /^[\w~.-]{31,34}(?![\w~-])/ },
    { word: /^sha256$/, rest: /^[\w-]{43}(?![\w-])/ },
  ],
};
const MAX_REST = 200;

/** Where such a key ends of which a word is the first part, or null. */
export function joinedKeyEnd(text: string, word: string, end: number): number | null {
  const joint = text.charAt(end);
  if (joint !== "." && joint !== ":" && joint !== "~") return null;
  for (const shape of BY_JOINT[joint] ?? []) {
    if (!shape.word.test(word)) continue;
    const rest = shape.rest.exec(text.slice(end + 1, end + 1 + MAX_REST))?.[0];
    if (rest !== undefined) return keyEnd(text, end + 1 + rest.length);
  }
  return null;
}

/** Where a key begins whose last part a word is: `1//0…` and `4/0…` are what Google exchanges for a token. */
export function exchangeStart(text: string, start: number, word: string): number | null {
  if (word.length < 40 || !word.startsWith("0") || isWordy(word)) return null;
  const before = /(?<![\w/])(?:1\/\/|4\/)$/.exec(text.slice(Math.max(0, start - 4), start))?.[0];
  return before === undefined ? null : start - before.length;
}

/** Where a key ends that goes on behind dots, masks or characters of base64. */
export function keyEnd(text: string, from: number): number {
  let at = wordEnd(text, from);
  for (;;) {
    const joint = /^(?:[.:/+~](?=[\w-])|\*+|\.{3,}|[…•●]+|=+)/.exec(text.slice(at, at + 64))?.[0];
    if (joint === undefined) return at;
    const next = wordEnd(text, at + joint.length);
    // A full stop, a port or a path behind the key is none of it.
    const part = text.slice(at + 1, Math.min(next, at + 65));
    if (/^[.:/]$/.test(joint) && isWordy(part) && !isMiddle(text, part, next)) return at;
    at = next;
  }
}

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && /[\w-]/.test(text.charAt(end))) end += 1;
  return end;
}

/** With another part behind it that is none: `glpat-….01.2c1lm594d`, and the third of five of an encrypted token. */
function isMiddle(text: string, part: string, end: number): boolean {
  const behind = text.slice(end, end + 21);
  return /^\.[\w-]{20}/.test(behind) || (part.length === 2 && /^\.[0-9a-z]{9}(?![\w-])/.test(behind));
}
