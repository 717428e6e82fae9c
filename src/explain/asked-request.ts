/**
 * The request that stands before an answer: the command line of curl, or the request's own lines; and what a report says of it.
 * Pure; linear.
 */
import {
  HIDDEN_BASE_URL,
  listRequest,
  type ReportedAddress,
  type ReportedRequest,
} from "../domain/report.ts";
import { clip, visibleText } from "../protocol/error-facts.ts";
import { REDACTED, type Redact } from "../protocol/redaction/redact.ts";
import { readSentBody } from "./exchange.ts";
import { type Headers, joinHeaders, pairsOfLines } from "./headers.ts";
import type { PastedRequest } from "./pasted.ts";

/** So much of what stands before an answer is read. */
const MAX_LENGTH = 65_536;

export function isRequestLine(line: string): boolean {
  return line.length < 8192 && /^[A-Z]{3,10} \S+ HTTP\/\d(?:\.\d)?$/.test(line.trim());
}

/** `lines`: the request line and the headers; the command line of curl, where it is there too, knows the rest. */
export function requestOfLines(
  lines: readonly string[],
  lead: string,
  isSecure: boolean,
): PastedRequest | null {
  const [method = "", target = ""] = (lines[0] ?? "").trim().split(" ");
  const command = requestOfCommand(lead);
  if (method === "CONNECT" || target === "") return command;
  const headers = joinHeaders(pairsOfLines(lines.slice(1)));
  const { model, streaming } = command ?? readSentBody(lead);
  return {
    method,
    url: urlOf(target, headers, isSecure),
    model,
    streaming,
    sentAtMs: null,
    client: headers["user-agent"] ?? null,
  };
}

function urlOf(target: string, headers: Headers, isSecure: boolean): string {
  const { host } = headers;
  if (!target.startsWith("/") || host === undefined || /[\s/@]/.test(host)) return target;
  return `http${isSecure ? "s" : ""}://${host}${target}`;
}

/** Null: there is no command line of curl with an address. */
export function requestOfCommand(lead: string): PastedRequest | null {
  const command = /\bcurl(?:\.exe)?[ \t][\s\S]*/.exec(lead.slice(0, MAX_LENGTH))?.[0];
  if (command === undefined) return null;
  const bare = command.replace(HEADER_OR_DATA, " ");
  const url = /https?:\/\/[^\s'"<>\\]{1,4096}/.exec(bare)?.[0];
  if (url === undefined) return null;
  const named = /(?:^|\s)(?:-X\s{0,8}|--request[ =])['"]?([A-Z]{3,10})/.exec(bare)?.[1];
  const hasData = /(?:^|\s)(?:-d|--data(?:-[a-z]+)?|--json|-F|--form)(?![a-z])/.test(command);
  return {
    method: named ?? (hasData ? "POST" : "GET"),
    url,
    ...readSentBody(command),
    sentAtMs: null,
    client: "curl",
  };
}

/** In headers, data and proxies stand addresses too. */
const HEADER_OR_DATA =
  /(?:-H|--header|-d|--data(?:-[a-z]+)?|--json|-x|--proxy|-e|--referer|-u|--user|-A|--user-agent|-b|--cookie)[ =]?(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[^\s'"]+)/g;

const MAX_URL_LENGTH = 2000;

/**
 * The request of a report, as far as others may read it: no user info, no cookie, no value of a query that nobody knows to be
 * harmless. Null: there is no address in it.
 */
export function reportedRequest(
  { method, url, streaming }: PastedRequest,
  redact: Redact,
): ReportedRequest | ReportedAddress | null {
  const plain = visibleText(redact(visibleText(clip(url, MAX_URL_LENGTH)))).trim();
  const [whole = "", query = ""] = (plain.split("#", 1)[0] ?? "").split(/\?(.*)/s);
  const found = /^(https?):\/\/([^/\\]*)(.*)$/is.exec(whole);
  const authority = found?.[2]?.replace(/^.*@/s, "");
  const bare = found === null ? whole : (found[3] ?? "");
  if (authority === "" || (found === null && !bare.startsWith("/")) || bare.startsWith("//")) return null;
  const baseUrl = authority === undefined ? "" : redact(`${(found?.[1] ?? "").toLowerCase()}://${authority}`);
  const path = redact((bare === "" ? "/" : bare) + harmless(query));
  // Sending anything else again could cost money, or its body is not known.
  if (method !== "GET" || baseUrl.includes(REDACTED) || path.includes(REDACTED)) {
    return { endpoint: (baseUrl === "" ? HIDDEN_BASE_URL : baseUrl) + path };
  }
  const sent = { ...listRequest(path), ...(streaming ? { timeoutMs: 120_000, isStreamed: true } : {}) };
  return { baseUrl, sent, isPublic: baseUrl !== "" };
}

/** What stands behind these names is no secret. */
const HARMLESS = /^(?:api-version|alt|version|limit|page|page_size|size|order|beta)$/i;

function harmless(query: string): string {
  if (query === "") return "";
  const parts = query.split("&").map((part) => {
    const [name = "", value] = part.split(/=(.*)/s);
    if (value === undefined || !/^[\w.-]{1,40}$/.test(name)) return REDACTED;
    return HARMLESS.test(name) ? part : `${name}=${REDACTED}`;
  });
  return `?${parts.join("&")}`;
}
