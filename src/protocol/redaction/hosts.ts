/** Takes a private endpoint out of a text: host, address literals, query and fragment of every URL. Pure; linear. */
import { type Edit, type Range, applyEdits, mergeRanges, runEnd } from "./ranges.ts";
import { type View, blankEscapes, located, plainView, readingsOf } from "./views.ts";

/** What stands in the place of a host or an address, and of its port. */
export const HIDDEN_HOST = "$GATEWAY_HOST";

/** `isCut`: the text may have been cut at its end, so that a host there may lack its own end. */
export type Hide = (text: string, isCut?: boolean) => string;

/** Build it once. @param hosts names in ASCII, or addresses, with or without a port. Address literals go whosever they are. */
export function createHostHider(hosts: readonly string[]): Hide {
  const findNames = createNameFinder(hosts);
  return (text, isCut = false) => {
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const next = hideOnce(current, findNames, isCut);
      if (next === current) break;
      current = next;
    }
    return current;
  };
}

/** What goes may bare what was glued to it; a text with nothing to hide costs one pass. */
const MAX_PASSES = 4;
/** Replaces markers during the search, since a host may have the name of a part of the marker. */
const BLANK = "\ufffc".repeat(HIDDEN_HOST.length);

function hideOnce(text: string, findNames: FindNames, isCut: boolean): string {
  const blanked = text.replaceAll(HIDDEN_HOST, BLANK);
  const views: readonly View[] = [plainView(blankEscapes(blanked)), ...readingsOf(blanked).views];
  const hidden = views.flatMap((view) => [
    ...located(view, findNames(view.text, isCut)),
    ...located(view, findAddresses(view.text)),
    ...(isCut ? located(view, findCutAddress(view.text)) : []),
  ]);
  const dropped = views.flatMap((view) => located(view, findQueries(view.text)));
  return applyEdits(text, toEdits(mergeRanges(hidden), mergeRanges(dropped)));
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

// The names of private hosts: whole wherever they stand, with their subdomains and ports, or the beginning of one where the
// text was cut.

type FindNames = (text: string, isCut: boolean) => readonly Range[];

function createNameFinder(hosts: readonly string[]): FindNames {
  const names = [...new Set(hosts.map(hostName))]
    // IPv6 goes by its shape.
    .filter((name) => name !== "" && !name.includes(":"))
    .sort((a, b) => b.length - a.length);
  if (names.length === 0) return () => [];
  const pattern = new RegExp(names.map(escaped).join("|"), "giu");
  return (text, isCut) => [...findWhole(text, pattern), ...findCut(text, names, isCut)];
}

function hostName(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/^[a-z][\w+.-]*:\/\//, "")
    .replace(/[/?#].*$/s, "")
    .replace(/^.*@/s, "")
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^([^:]+):\d+$/, "$1")
    .replace(/\.$/, "");
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w-]/gu, "\\$&");
}

const MAX_NAME = 253;
const NAME_UNIT = /[A-Za-z\d-]/;

function findWhole(text: string, pattern: RegExp): readonly Range[] {
  const found: Range[] = [];
  for (const { index, 0: name } of text.matchAll(pattern)) {
    const nameEnd = index + name.length;
    const isOneLabel = /^[\w-]+$/.test(name);
    if (isOneLabel && !isHost(text, index, nameEnd)) continue;
    const start = isOneLabel && text.charAt(index - 1) !== "." ? index : nameStart(text, index);
    let end = nameEnd;
    if (!isOneLabel) while (end - index < MAX_NAME && NAME_UNIT.test(text.charAt(end))) end += 1;
    while (end > nameEnd && text.charAt(end - 1) === "-") end -= 1;
    end += /^(?:\.[a-z\d][a-z\d-]{0,62}){1,16}/i.exec(text.slice(end, end + MAX_NAME))?.[0].length ?? 0;
    found.push({ start, end: end + portLength(text, end) });
  }
  return found;
}

/** With its subdomains, and with what is glued to it: the rest of `my-api.example.com` would show the host. */
function nameStart(text: string, index: number): number {
  let start = index;
  while (
    index - start < MAX_NAME &&
    (NAME_UNIT.test(text.charAt(start - 1)) || text.charAt(start - 1) === ".")
  )
    start -= 1;
  // In a text that is still escaped, the digits behind a percent sign are none of it.
  if (text.charAt(start - 1) === "%" && /^[\dA-Fa-f]{2}/.test(text.slice(start, index))) start += 2;
  while (start < index && /[.-]/.test(text.charAt(start))) start += 1;
  return start;
}

const HOST_WORD =
  /(?:\b(?:lookup|host|hosts|hostname|resolve|resolving|resolved|dial|tcp[46]?|udp|to|from|at|via|on|for|reach|reaching|contact|contacting|connect|connecting|getaddrinfo|E[A-Z_]{4,})[:=]?\s+|\b(?:upstream|server|backend|target|peer|origin|node|endpoint|name|address|addr):\s*|(?:连接|解析|主机|域名|访问|[到至])[:：]?\s*)$/i;

/** A plain word (`gateway`, `proxy`) stays where it is clearly prose: between spaces or beside `_` or `-`, behind no word for a host. */
function isHost(text: string, start: number, end: number): boolean {
  if (/[A-Za-z\d]/.test(text.charAt(start - 1)) || /[A-Za-z\d]/.test(text.charAt(end))) return false;
  const name = text.slice(start, end).toLowerCase();
  if (name === "localhost" || !/^[a-z]+$/.test(name) || text.trim().length === name.length) return true;
  if (/^(?::\d|[/@]|\.[a-z\d])/i.test(text.slice(end, end + 2))) return true;
  const before = text.slice(Math.max(0, start - 24), start);
  return /[/@=:."'`<[]$/.test(before) || HOST_WORD.test(before);
}

/** Fewer characters of a name that was cut prove nothing. */
const MIN_CUT = 4;
/** An escape or an ellipsis that the cut left behind the name. */
const CUT_REST = /(?:…|\.{2,3}|%[\dA-Fa-f]?|\\u?[\dA-Fa-f]{0,3}|&#?\w{0,6})$/;

/** The longest beginning of a name at the end of the text; in one that is whole, only where it can be nothing else. */
function findCut(text: string, names: readonly string[], isCut: boolean): readonly Range[] {
  const rest = CUT_REST.exec(text.slice(-10))?.[0].length ?? 0;
  const end = text.length - rest;
  const tail = text.slice(Math.max(0, end - MAX_NAME), end).toLowerCase();
  for (const name of names) {
    for (let length = Math.min(name.length - 1, tail.length); length > 2; length -= 1) {
      if (!tail.endsWith(name.slice(0, length))) continue;
      const start = end - length;
      const before = text.charAt(start - 1);
      const isInUrl = before === "@" || text.slice(Math.max(0, start - 2), start) === "//";
      const hasLabel = length > MIN_CUT && /\.[^.]/.test(name.slice(0, length));
      const isTold = isCut && length >= MIN_CUT && !/[A-Za-z\d]/.test(before);
      if (isInUrl || hasLabel || isTold) return [{ start, end: text.length }];
    }
  }
  return [];
}

// Address literals: IPv4 and IPv6 as programs print them.

function findAddresses(text: string): readonly Range[] {
  return [...findIpv4(text), ...findIpv6(text)];
}

export function findPublicAddresses(text: string, isCut: boolean): readonly Range[] {
  return [...findAddresses(text), ...(isCut ? findCutAddress(text) : [])].filter(({ start, end }) => {
    const address = text.slice(start, end);
    return !PRIVATE.test(address) && !/^\[?(?:0\.|f[cde]|::)/i.test(address);
  });
}

/** The beginning of an address at the end of a text that was cut; versions and times may go with it. */
function findCutAddress(text: string): readonly Range[] {
  const tail = text.slice(-48);
  const [cut = ""] =
    /(?<!\d\.?)(?:\d{1,3}\.){2,3}\d{0,3}$|(?<!\d\.?)(?:10|127|192\.168|172\.\d\d)\.\d{0,3}$|\[?[\da-f]{0,4}:(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i.exec(
      tail,
    ) ?? [];
  return cut === "" || /^\d\d:\d\d:\d{0,2}$/.test(cut)
    ? []
    : [{ start: text.length - cut.length, end: text.length }];
}

function portLength(text: string, at: number): number {
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
      /(?:[A-Za-z.]|[A-Za-z][-/]|\b(?:version|build|release):? )$/i.test(
        text.slice(Math.max(0, start - 10), start),
      ) ||
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
  const isLarge = (part: string): boolean => Number(part) > 31;
  return PRIVATE.test(address) || address.split(/[.-]/).filter(isLarge).length >= 2;
}

/** RFC 1918, 6598, 1122 and 3927. */
const PRIVATE =
  /^(?:0*(?:10|127)|100[.-]0*(?:6[4-9]|[789]\d|1[01]\d|12[0-7])|169[.-]254|172[.-]0*(?:1[6-9]|2\d|3[01])|192[.-]168)(?!\d)/;

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

/** Eight groups, or fewer around one `::`; a bare `::` only between brackets, since code joins names with it. */
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

// Queries and fragments of URLs (RFC 3986 sections 3.4 and 3.5), whole or without scheme and host.

function findQueries(text: string): readonly Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf("://"); at >= 0;) {
    const end = urlEnd(text, at + 3);
    const query = text.slice(at, end).search(/[?#]/);
    if (query >= 0) found.push({ start: at + query, end: queryEnd(text, end) });
    at = text.indexOf("://", Math.max(end, at + 3));
  }
  for (let at = text.indexOf("?"); at >= 0;) {
    const end = isQueryAt(text, at) ? queryEnd(text, at + 1) : at + 1;
    if (end > at + 1) found.push({ start: at, end });
    at = text.indexOf("?", end);
  }
  return found;
}

/** A parameter behind the question mark, or a path or a host before it: a question has a space or nothing behind it. */
function isQueryAt(text: string, at: number): boolean {
  if (/^\?[\w.%[\]-]{1,64}=/.test(text.slice(at, at + 66))) return true;
  const before = text.slice(Math.max(0, at - 128), at);
  return (
    /^\?[\w%&;=+-]/.test(text.slice(at, at + 2)) &&
    /(?:\/[^\s"'`<>]*|[A-Za-z\d-]\.[A-Za-z]{2,24}(?::\d+)?)$/.test(before)
  );
}

function urlEnd(text: string, start: number): number {
  return withoutStops(text, start, runEnd(text, start, /[^\s"'`<>\\^|{}]*/y));
}

/** Characters that no query may hold bare are sent in one all the same. */
function queryEnd(text: string, start: number): number {
  return withoutStops(text, start, runEnd(text, start, /[^\s"'`<>\\]*/y));
}

/** Without what ends a sentence, or closes a bracket that was opened before the text from `start` on. */
function withoutStops(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && /[.,;:!)\]}]/.test(text.charAt(last - 1))) last -= 1;
  const opened = /[([{][^()[\]{}]*$/.exec(text.slice(Math.max(start, last - MAX_BRACKETED), last));
  return opened !== null && last < end ? last + 1 : last;
}

const MAX_BRACKETED = 64;
