/**
 * Secrets by the place where they stand, whatever they look like: user info of URLs, e-mail addresses, webhook paths,
 * PEM blocks, values of Set-Cookie. Pure, linear: each search goes on where the last find ended.
 */

import type { Range } from "./ranges.ts";
import { isMasked, looksSecret } from "./shapes.ts";

const PEM_BEGIN = "-----BEGIN";
const PEM_END = "-----END";
const DATA = ";base64,";
/** What is shorter is an example. */
const MIN_DATA = 64;

export function findPlaces(text: string): readonly Range[] {
  const found: Range[] = [];
  if (text.includes("@")) {
    findEmails(text, findUserInfo(text, found), found);
    findLogins(text, found);
  }
  if (text.includes(PEM_BEGIN)) findPem(text, found);
  if (text.includes(DATA)) findData(text, found);
  if (/-[uU]\s|-user[ =]/.test(text)) findOptions(text, found);
  if (text.includes("hook")) findHooks(text, found);
  if (text.includes(";")) findCookies(text, found);
  if (/received|passed in|header value/i.test(text)) findEchoes(text, found);
  return found;
}

/** `user:password@` and `token@` between `//` and the host (RFC 3986 section 3.2.1); where their `@` stand. */
function findUserInfo(text: string, found: Range[]): ReadonlySet<number> {
  const ends = new Set<number>();
  for (let slashes = text.indexOf("//"); slashes >= 0;) {
    const start = slashes + 2;
    let end = start;
    let at = -1;
    const slashed = SLASHED.exec(text.slice(start, start + MAX_SLASHED))?.[0].length ?? 0;
    while (end < text.length && (end < start + slashed || !/[\s/\\?#"'`<>]/.test(text.charAt(end)))) {
      if (text.charAt(end) === "@") at = end;
      end += 1;
    }
    if (at > start) {
      found.push({ start, end: at });
      ends.add(at);
    }
    slashes = text.indexOf("//", Math.max(end, slashes + 1));
  }
  return ends;
}

const MAX_SLASHED = 256;
/** A password that was not escaped may hold a slash; a port, and an `@` in the path behind it, look alike but for the digits. */
const SLASHED = /^[^\s/\\?#"'`<>@:]*:(?!\d{1,5}(?:[/?#]|$))[^\s"'`<>@]{1,128}@/;

/** `user:password@` before any host without a scheme, as drivers of databases write it. */
function findLogins(text: string, found: Range[]): void {
  const logins = /(?<![^\s"'`<>=,;([{])[\w.%+~-]{0,64}:[^\s"'`<>@/:]{1,128}(?=@(?!sha256:)[\w[])/g;
  for (const { index: start, 0: login } of text.matchAll(logins))
    found.push({ start, end: start + login.length });
}

/** `curl -u user:password`. */
function findOptions(text: string, found: Range[]): void {
  const options = /(?<!\S)(?:-[uU]|--(?:proxy-)?user)[ \t=]{1,4}["']?[\w.@%+~-]{1,64}:([^\s"'`<>]{1,128})/g;
  for (const { index, 0: option, 1: password = "" } of text.matchAll(options)) {
    const end = index + option.length;
    if (!password.startsWith("$")) found.push({ start: end - password.length, end });
  }
}

/** So far before an echo it says what is echoed. */
const ECHO_CONTEXT = 120;

/** A refused key that is repeated in a sentence of its own: "Virtual Key expected. Received=…", "Passed in: …". */
function findEchoes(text: string, found: Range[]): void {
  const echoes =
    /\b(?:received|passed in|illegal header value|invalid header value)[ \t]?(?:[:=][ \t]?)?(?:b?["'`])?([^\s"'`<>,;()[\]{}\\]{8,512})/gi;
  for (const { index, 0: echo, 1: value = "" } of text.matchAll(echoes)) {
    const before = text.slice(Math.max(0, index - ECHO_CONTEXT), index);
    const isOfKey = /\b(?:key|token|secret|credentials?)\b/i.test(before) || /header value/i.test(echo);
    const end = index + echo.length;
    if (isOfKey && (isMasked(value) || looksSecret(value))) found.push({ start: end - value.length, end });
  }
}

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

function findEmails(text: string, userInfoEnds: ReadonlySet<number>, found: Range[]): void {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (userInfoEnds.has(at)) continue;
    let start = at;
    while (start > 0 && at - start < MAX_LOCAL && /[\w.%+~-]/.test(text.charAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end < text.length && end - at <= MAX_DOMAIN && /[A-Za-z\d.-]/.test(text.charAt(end))) end += 1;
    while (end > at && !/[A-Za-z\d]/.test(text.charAt(end - 1))) end -= 1;
    if (start === at || !/^(?:[A-Za-z\d-]+\.)+[A-Za-z]{2,24}$/.test(text.slice(at + 1, end))) continue;
    found.push({ start: userStart(text, start), end });
  }
}

/** `user:password@host.example` without a scheme: the user goes too. */
function userStart(text: string, start: number): number {
  if (text.charAt(start - 1) !== ":") return start;
  let from = start - 1;
  while (from > 0 && start - from <= MAX_LOCAL && /[\w.%+~-]/.test(text.charAt(from - 1))) from -= 1;
  return from === start - 1 ? start : from;
}

/** Key material between its lines; one that is cut off goes as far as it looks like base64. RFC 7468. */
function findPem(text: string, found: Range[]): void {
  let hasEnd = true;
  for (let start = text.indexOf(PEM_BEGIN); start >= 0;) {
    const close: number = hasEnd ? text.indexOf(PEM_END, start) : -1;
    hasEnd = close >= 0;
    let end = start + PEM_BEGIN.length;
    // In a form a space is a plus.
    if (!/[ +]/.test(text.charAt(end))) {
      start = text.indexOf(PEM_BEGIN, end);
      continue;
    }
    while (end < text.length && end !== close && /[\w+/=\s\\:,-]/.test(text.charAt(end))) end += 1;
    if (end === close) {
      end += PEM_END.length;
      while (end < text.length && /[\w +]/.test(text.charAt(end))) end += 1;
      while (text.charAt(end) === "-") end += 1;
    }
    found.push({ start, end });
    start = text.indexOf(PEM_BEGIN, end);
  }
}

/** What a data URL holds (RFC 2397). */
function findData(text: string, found: Range[]): void {
  for (let at = text.indexOf(DATA); at >= 0;) {
    const start = at + DATA.length;
    let end = start;
    while (end < text.length && /[\w+/=-]/.test(text.charAt(end))) end += 1;
    if (end - start >= MIN_DATA) found.push({ start, end });
    at = text.indexOf(DATA, end);
  }
}

/** Incoming webhooks whose path is the secret: Slack, Discord, Feishu and Lark, Teams. */
function findHooks(text: string, found: Range[]): void {
  const places =
    /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|\/open-apis\/bot\/v2\/hook|webhook\.office\.com\/webhookb2)\//g;
  for (let match = places.exec(text); match !== null; match = places.exec(text)) {
    const start = match.index + match[0].length;
    let end = start;
    while (end < text.length && /[\w/@.-]/.test(text.charAt(end))) end += 1;
    found.push({ start, end });
    places.lastIndex = Math.max(end, start);
  }
}

const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority|version|comment)$/i;

const COOKIE = /;\s?(?:path=|httponly|secure(?:;|$)|samesite=|max-age=|expires=)/i;

/** A line or a string that is the value of Set-Cookie (RFC 6265 section 4.1), recognized by its attributes. */
function findCookies(text: string, found: Range[]): void {
  if (text.length > 8192 || !COOKIE.test(text)) return;
  for (const { index, 0: line } of text.matchAll(/[^"\r\n]+/g)) {
    if (!COOKIE.test(line)) continue;
    for (const match of line.matchAll(/(?:^|[;,]\s?)([\w.!#$%&*+^|~-]{1,128})=([^;,\s\\]+)/g)) {
      const [whole, name = "", value = ""] = match;
      const end = index + match.index + whole.length;
      if (!ATTRIBUTE.test(name)) found.push({ start: end - value.length, end });
    }
  }
}
