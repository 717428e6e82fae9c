/**
 * The names of private hosts in a text: whole wherever they stand, with their subdomains and ports, or the beginning
 * of one where the text was cut. Pure; linear.
 */

import { portLength } from "./addresses.ts";
import type { Range } from "./ranges.ts";

/** `isCut`: the text may have been cut at its end. */
export type FindNames = (text: string, isCut: boolean) => readonly Range[];

/** `hosts`: names or addresses as URLs have them, in ASCII, with or without scheme, user info, port and path. */
export function createNameFinder(hosts: readonly string[]): FindNames {
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

/**
 * Whether a name of one label stands as a host. One that is a plain word (`gateway`, `proxy`) stays where it is clearly
 * prose: between spaces or beside a `_` or `-`, and not behind a word that asks for a host. Elsewhere it goes.
 */
function isHost(text: string, start: number, end: number): boolean {
  if (/[A-Za-z\d]/.test(text.charAt(start - 1)) || /[A-Za-z\d]/.test(text.charAt(end))) return false;
  const name = text.slice(start, end).toLowerCase();
  if (name === "localhost" || !/^[a-z]+$/.test(name) || text.trim().length === name.length) return true;
  if (/^(?::\d|[/@]|\.[a-z\d])/i.test(text.slice(end, end + 2))) return true;
  const before = text.slice(Math.max(0, start - 24), start);
  return /[/@=:."'`<[]$/.test(before) || HOST_WORD.test(before);
}

/** Of a name that was cut, fewer characters tell nothing. */
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
