/** Address literals in a text: IPv4 and IPv6 as programs print them. Pure; linear. */

import type { Range } from "./ranges.ts";

export function findAddresses(text: string): readonly Range[] {
  return [...findIpv4(text), ...findIpv6(text)];
}

/** The beginning of an address at the end of a text that was cut; versions and times may go with it. */
export function findCutAddress(text: string): readonly Range[] {
  const tail = text.slice(-48);
  const [cut = ""] =
    /(?<!\d\.?)(?:\d{1,3}\.){2,3}\d{0,3}$|(?<!\d\.?)(?:10|127|192\.168|172\.\d\d)\.\d{0,3}$|\[?[\da-f]{0,4}:(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i.exec(
      tail,
    ) ?? [];
  return cut === "" || /^\d\d:\d\d:\d{0,2}$/.test(cut)
    ? []
    : [{ start: text.length - cut.length, end: text.length }];
}

/** The port behind a host, and the root's dot before it. */
export function portLength(text: string, at: number): number {
  return /^\.?:\d{1,5}(?!\d)/.exec(text.slice(at, at + 8))?.[0].length ?? 0;
}

/** Dotted, and with dashes as cloud providers name their machines. */
function findIpv4(text: string): readonly Range[] {
  const found: Range[] = [];
  const literals = /(?<!\d[.-]?)\d{1,3}(?:(?:\.\d{1,3}){3}|(?:-\d{1,3}){3})/g;
  for (const { index: start, 0: address } of text.matchAll(literals)) {
    const end = start + address.length;
    const isGlued =
      address.includes("-") ||
      /(?:[A-Za-z.]|[A-Za-z]-)$/.test(text.slice(Math.max(0, start - 2), start)) ||
      /^(?:[A-Za-z_]|\.?\d)/.test(text.slice(end, end + 2));
    if (!isIpv4(address.replaceAll("-", ".")) || (isGlued && !isSurelyAddress(address))) continue;
    found.push({ start, end: end + portLength(text, end) });
  }
  return found;
}

function isIpv4(address: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) && address.split(".").every((part) => Number(part) <= 255);
}

/** What is glued to a word may be a version, unless it is private or has larger numbers than versions have. */
function isSurelyAddress(address: string): boolean {
  const parts = address.split(/[.-]/).map(Number);
  return isPrivate(parts[0] ?? 0, parts[1] ?? 0) || parts.filter((part) => part > 31).length >= 2;
}

/** RFC 1918, 6598, 1122 and 3927. */
function isPrivate(first: number, second: number): boolean {
  switch (first) {
    case 10:
    case 127:
      return true;
    case 100:
      return second >= 64 && second < 128;
    case 169:
      return second === 254;
    case 172:
      return second >= 16 && second < 32;
    default:
      return first === 192 && second === 168;
  }
}

/** RFC 4291 section 2.2, with the brackets and port of a URL and the zone of RFC 4007. */
function findIpv6(text: string): readonly Range[] {
  const found: Range[] = [];
  const literals = /[\dA-Fa-f]{0,4}:[\dA-Fa-f:.]+/g;
  for (const { index, 0: run } of text.matchAll(literals)) {
    const isBracketed = text.charAt(index - 1) === "[";
    const address = run.replace(/(?<!:):$|\.+$/, "");
    if (run.length > 46 || /[\w.:]/.test(text.charAt(index - 1)) || !isIpv6(address, isBracketed)) continue;
    let end = index + address.length;
    if (address === run && /\w/.test(text.charAt(end))) continue;
    end += /^%[\w.~-]{1,32}/.exec(text.slice(end, end + 33))?.[0].length ?? 0;
    const isClosed = isBracketed && text.charAt(end) === "]";
    const start = isClosed ? index - 1 : index;
    found.push({ start, end: isClosed ? end + 1 + portLength(text, end + 1) : end });
  }
  return found;
}

/** Eight groups, or fewer around one `::`; a bare `::` only between brackets, for words join their parts with it. */
function isIpv6(address: string, isBracketed: boolean): boolean {
  const halves = address.split("::");
  if (halves.length > 2 || (address === "::" && !isBracketed)) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const hasIpv4 = last.includes(".");
  if (hasIpv4 && !isIpv4(last)) return false;
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[\dA-Fa-f]{1,4}$/.test(group))) return false;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}
