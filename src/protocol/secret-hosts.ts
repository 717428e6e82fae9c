/**
 * Takes a private endpoint out of text for the public: the host's name, every address literal, and the query and
 * fragment of every URL. Pure; linear in the text.
 */

import { type Edit, type Range, applyEdits, mergeRanges } from "./secret-ranges.ts";
import { type View, blankEscapes, decodedViews, toOriginal } from "./secret-views.ts";

/** What stands in the place of a host or an address, and of its port. */
export const HIDDEN_HOST = "$GATEWAY_HOST";

/**
 * Builds the function that hides; build it once and keep it. `hosts`: names or addresses, with or without a port, in
 * any case. A name goes with its subdomains and its port, however escaped; IPv4 and IPv6 literals go whosever they
 * are; versions and times stay. Hiding twice changes nothing.
 */
export function createHostHider(hosts: readonly string[]): (text: string) => string {
  const names = namePattern(hosts);
  return (text) => {
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const next = hideOnce(current, names);
      if (next === current) break;
      current = next;
    }
    return current;
  };
}

/** What goes may bare what was glued to it; a text with nothing to hide costs one pass. */
const MAX_PASSES = 4;

function hideOnce(text: string, names: RegExp | null): string {
  const views: readonly View[] = [{ text: blankEscapes(text), origin: null }, ...decodedViews(text)];
  const hidden: Range[] = [];
  const dropped: Range[] = [];
  for (const view of views) {
    if (names !== null) pushMapped(view, findNames(view.text, names), hidden);
    pushMapped(view, findIpv4(view.text), hidden);
    pushMapped(view, findIpv6(view.text), hidden);
    pushMapped(view, findQueries(view.text), dropped);
  }
  return applyEdits(text, toEdits(mergeRanges(hidden), mergeRanges(dropped)));
}

function pushMapped(view: View, ranges: readonly Range[], into: Range[]): void {
  for (const range of ranges) {
    const [start, end] = toOriginal(view, range.start, range.end);
    into.push({ start, end });
  }
}

/** Both kinds in order; where they overlap, the query goes and takes the host in it along. */
function toEdits(hidden: readonly Range[], dropped: readonly Range[]): readonly Edit[] {
  const edits: Edit[] = dropped.map((range) => ({ ...range, by: "" }));
  let next = 0;
  for (const { start, end } of hidden) {
    while (next < dropped.length && (dropped[next]?.end ?? 0) <= start) next += 1;
    const query = dropped[next];
    if (query !== undefined && query.start <= start) continue;
    edits.push({ start, end: Math.min(end, query?.start ?? end), by: HIDDEN_HOST });
  }
  return edits.sort((a, b) => a.start - b.start);
}

function namePattern(hosts: readonly string[]): RegExp | null {
  const names = hosts
    .map((host) =>
      host
        .trim()
        .toLowerCase()
        .replace(/^[a-z][\w+.-]*:\/\//, "")
        .replace(/^.*@/, ""),
    )
    .map((host) =>
      host
        .replace(/[/?#].*$/s, "")
        .replace(/^\[(.*)\](?::\d+)?$/, "$1")
        .replace(/^([^:]+):\d+$/, "$1"),
    )
    .map((host) => host.replace(/\.$/, ""))
    .filter((host) => host !== "");
  if (names.length === 0) return null;
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((name) => name.replaceAll(/[^\w-]/g, String.raw`\$&`)).join("|"), "gi");
}

const MAX_NAME = 253;

function findNames(text: string, names: RegExp): readonly Range[] {
  const found: Range[] = [];
  for (const match of text.matchAll(names)) {
    let start = match.index;
    let end = start + match[0].length;
    if (/[\w-]/.test(text.charAt(start - 1)) || /[\w-]/.test(text.charAt(end))) continue;
    if (text.charAt(start - 1) === ".") {
      while (start > 0 && match.index - start < MAX_NAME && /[\w.-]/.test(text.charAt(start - 1))) start -= 1;
    }
    end += /^(?:\.[a-z\d][a-z\d-]{0,62}){1,16}/i.exec(text.slice(end, end + MAX_NAME))?.[0].length ?? 0;
    end += portLength(text, end);
    found.push({ start, end });
  }
  return found;
}

/** The port behind a host, and the root's dot before it. */
function portLength(text: string, at: number): number {
  return /^\.?:\d{1,5}(?!\d)/.exec(text.slice(at, at + 8))?.[0].length ?? 0;
}

function findIpv4(text: string): readonly Range[] {
  const found: Range[] = [];
  const literals = /(?<![\w.]|[A-Za-z]-)\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d|[A-Za-z_])/g;
  for (const { index: start, 0: address } of text.matchAll(literals)) {
    if (!isIpv4(address)) continue;
    const end = start + address.length;
    found.push({ start, end: end + portLength(text, end) });
  }
  return found;
}

function isIpv4(address: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) && address.split(".").every((part) => Number(part) <= 255);
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

/** From `?` or `#` to the end of each URL; of a path without a host, where a parameter follows the `?`. */
function findQueries(text: string): readonly Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf("://"); at >= 0;) {
    const end = urlEnd(text, at + 3);
    const query = text.slice(at, end).search(/[?#]/);
    if (query >= 0) found.push({ start: at + query, end });
    at = text.indexOf("://", Math.max(end, at + 3));
  }
  for (let at = text.indexOf("?"); at >= 0;) {
    const isQuery =
      /\/[\w.~%/:@+-]*$/.test(text.slice(Math.max(0, at - 128), at)) &&
      /^\?[\w.%[\]-]{1,64}=/.test(text.slice(at, at + 66));
    const end = isQuery ? urlEnd(text, at) : at + 1;
    if (isQuery) found.push({ start: at, end });
    at = text.indexOf("?", end);
  }
  return found;
}

function urlEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s"'`<>\\^|{}]/.test(text.charAt(end))) end += 1;
  while (end > start && /[.,;:!)\]]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
