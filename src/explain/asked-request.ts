/** The request that stands before an answer: the command line of curl, or the request's own lines. Pure; linear. */
import {
  type CurlRequest,
  HIDDEN_BASE_URL,
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

/**
 * The request of a report, as far as a pasted text tells of it and others may read it: no user info, no cookie, no value of a
 * query that nobody knows to be harmless. Pure.
 */

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly streaming: boolean;
}

/** Null: there is no address in it. */
export function reportedRequest(sent: Sent, redact: Redact): ReportedRequest | ReportedAddress | null {
  const address = readAddress(sent.url, redact);
  if (address === null) return null;
  const { baseUrl, path } = address;
  const request = baseUrl.includes(REDACTED) || path.includes(REDACTED) ? null : curlRequest(sent, path);
  if (request === null) return { endpoint: (baseUrl === "" ? HIDDEN_BASE_URL : baseUrl) + path };
  return { baseUrl, sent: request, isPublic: baseUrl !== "" };
}

const MAX_URL_LENGTH = 2000;

interface Address {
  /** "" where only the path is known. */
  readonly baseUrl: string;
  readonly path: string;
}

function readAddress(url: string, redact: Redact): Address | null {
  const plain = visibleText(redact(visibleText(clip(url, MAX_URL_LENGTH)))).trim();
  const [whole = "", query] = (plain.split("#", 1)[0] ?? "").split(/\?(.*)/s);
  const found = /^(https?):\/\/([^/\\]*)(.*)$/is.exec(whole);
  const authority = found?.[2]?.replace(/^.*@/s, "");
  const path = found === null ? whole : (found[3] ?? "");
  if (authority === "" || (found === null && !path.startsWith("/")) || path.startsWith("//")) return null;
  const baseUrl = authority === undefined ? "" : `${(found?.[1] ?? "").toLowerCase()}://${authority}`;
  return { baseUrl: redact(baseUrl), path: redact((path === "" ? "/" : path) + harmless(query ?? "")) };
}

/** What stands behind these names is no secret. */
const HARMLESS = new Set([
  "api-version",
  "alt",
  "version",
  "limit",
  "page",
  "page_size",
  "size",
  "order",
  "beta",
]);

function harmless(query: string): string {
  if (query === "") return "";
  const parts = query.split("&").map((part) => {
    const [name = "", value] = part.split(/=(.*)/s);
    if (value === undefined || !/^[\w.-]{1,40}$/.test(name)) return REDACTED;
    return HARMLESS.has(name.toLowerCase()) ? part : `${name}=${REDACTED}`;
  });
  return `?${parts.join("&")}`;
}

/** Null: sending it again could cost money, or its body is not known. */
function curlRequest({ method, streaming }: Sent, path: string): CurlRequest | null {
  if (method !== "GET") return null;
  const headers = { authorization: "Bearer {key}", accept: "application/json" };
  return {
    path,
    timeoutMs: streaming ? 120_000 : 30_000,
    isStreamed: streaming,
    method,
    headers,
    body: null,
  };
}
