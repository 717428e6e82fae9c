/**
 * The request of a report, as far as a pasted text tells of it and others may read it: no user info, no cookie, no value of a
 * query that nobody knows to be harmless. Pure.
 */
import {
  HIDDEN_BASE_URL,
  type CurlRequest,
  type ReportedAddress,
  type ReportedRequest,
} from "../domain/report.ts";
import { clip, visibleText } from "../protocol/error-facts.ts";
import { REDACTED, type Redact } from "../protocol/redaction/redact.ts";

export interface Sent {
  readonly method: string;
  readonly url: string;
  /** Redacted. */
  readonly model: string | null;
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

/** Null: it is not known well enough to be sent again, or a task would be created once more. */
function curlRequest(sent: Sent, path: string): CurlRequest | null {
  const { method, streaming } = sent;
  const common = { path, timeoutMs: streaming ? 120_000 : 30_000, isStreamed: streaming };
  const key = { authorization: "Bearer {key}", accept: "application/json" };
  if (method === "GET") return { ...common, method, headers: key, body: null };
  const body = method === "POST" ? smallestBody(sent, path) : null;
  if (method !== "POST" || body === null) return null;
  const version = path.endsWith("/messages") ? { "anthropic-version": "2023-06-01" } : {};
  const headers = { ...key, "content-type": "application/json", ...version };
  return { ...common, method, headers, body: JSON.stringify(body) };
}

/** What was said to the model stays out of a report: a word stands in its place. */
function smallestBody({ model, streaming }: Sent, path: string): Readonly<Record<string, unknown>> | null {
  if (model === null || model.includes(REDACTED)) return null;
  const messages = [{ role: "user", content: "Reply with the word pong." }];
  if (path.endsWith("/embeddings")) return { model, input: "ping" };
  if (!/\/(?:chat\/completions|messages)$/.test(path)) return null;
  return { model, messages, max_tokens: 256, ...(streaming ? { stream: true } : {}) };
}
