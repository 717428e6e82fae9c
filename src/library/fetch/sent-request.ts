/** A call of `fetch`, read once: what it asks for (spec 4), its secrets, and whether it may be sent again (spec 7.3). */
import { type KeptDiagnosis, REFUSALS } from "../../protocol/diagnosis.ts";
import { type Kind, kindOfPath } from "../../protocol/observation.ts";
import { atLeast, type RequestFacts, type RequestRules, type Settings } from "./options.ts";

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly given: HeadersInit | undefined;
  readonly origin: string;
  readonly kind: Kind | null;
  readonly signal: AbortSignal | null;
  readonly timeoutMs: number;
  /** How often an official client has sent it before; null: none did. */
  readonly repetitions: number | null;
  readonly isIdempotent: boolean;
  /** False: its body is a stream, which can be read once. */
  readonly isResendable: boolean;
  /** What it carries and no error may show. */
  readonly secrets: readonly string[];
  readonly send: (signal: AbortSignal) => Promise<Response>;
}

export type Input = string | { readonly href: string } | Request;
export type Init = RequestInit & { readonly gatepulse?: RequestRules };

/** @throws TypeError where it cannot be sent by anyone; its words hold nothing of the request. */
export function readRequest(
  input: Input,
  given: Init,
  settings: Settings,
  /** Where it goes in place of its own address, and with which headers. */
  written?: { readonly url: string; readonly headers: Headers },
): SentRequest {
  const { gatepulse: rules = {}, ...init } = given;
  const { idempotent = settings.idempotent, kind = settings.kind } = rules;
  const request = typeof input === "object" && "url" in input ? input : null;
  const url = written === undefined ? addressOf(input) : new URL(written.url);
  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  const headers = written?.headers ?? headersOf(init.headers ?? request?.headers);
  const facts: RequestFacts = { method, url: url.href, headers };
  const repetitions = headers.get("x-stainless-retry-count");
  const secrets = [...settings.secrets, ...secretsOf(url, headers)];
  return {
    method,
    url: url.href,
    given: init.headers ?? request?.headers,
    origin: url.origin,
    kind:
      typeof kind === "function" ? kind(facts) : kind === undefined ? kindOfPath(url.pathname, method) : kind,
    signal: (init.signal === undefined ? request?.signal : init.signal) ?? null,
    // The clients of OpenAI and Anthropic count in each request.
    repetitions: repetitions === null ? null : Number(repetitions),
    timeoutMs: atLeast(1, "timeoutMs", rules.timeoutMs ?? settings.timeoutMs),
    // RFC 9110, 9.2.2.
    isIdempotent:
      READING.has(method) ||
      ["PUT", "DELETE"].includes(method) ||
      (typeof idempotent === "function" ? idempotent(facts) : idempotent),
    isResendable: isResendable(init.body),
    secrets,
    send: (signal) => {
      const hasBody = request !== null && request.body !== null && isMissing(init.body);
      const target = typeof input === "object" && !("url" in input) ? input.href : input;
      // Its body is read by sending it; the original stays whole for another time.
      const own = () => (hasBody ? request.clone() : target);
      const other = () => (request === null ? url.href : new Request(url, request.clone()));
      // A method of the settings would be an illegal invocation of a browser's own.
      const { fetch: sendOff } = settings;
      const changed = { ...init, ...(written && { headers }), redirect: "manual", signal } as const;
      return sendOff(written === undefined ? own() : other(), changed);
    },
  };
}

function isMissing(body: unknown): body is null | undefined {
  return body === undefined || body === null;
}

function addressOf(input: Input): URL {
  const text = typeof input === "string" ? input : "url" in input ? input.url : input.href;
  const base = typeof location === "undefined" ? undefined : location.href;
  try {
    return new URL(text, base);
  } catch {
    throw new TypeError("the address is not a URL");
  }
}

/** The runtime's own error would repeat the value, which may be a key. */
export function headersOf(headers: HeadersInit | undefined): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError("a header has a name or a value that cannot be sent");
  }
}

export const GENERATIONS: ReadonlySet<Kind> = new Set<Kind>([
  "chat",
  "messages",
  "responses",
  "gemini",
  "embeddings",
  "image",
]);

export const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Whether the gateway may have begun, or done, what was asked for. */
export function mayBeAccepted(method: string, diagnosis: KeptDiagnosis): boolean {
  const { cause, owner, layer, httpStatus, message } = diagnosis;
  if (READING.has(method)) return false;
  // The connection broke behind the headers of an answer.
  if (layer === "network" && httpStatus !== null) return true;
  if (owner === "caller" && httpStatus !== 408) return false;
  if (cause === "rate_limited" || REFUSALS.has(cause)) return layer === "stream";
  if (cause === "dns_failure" || cause === "tls_failure") return false;
  return httpStatus !== null || !NEVER_CONNECTED.test(message ?? "");
}

const NEVER_CONNECTED =
  /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|connection refused|connect (?:ETIMEDOUT|timeout)/i;

function isResendable(body: unknown): boolean {
  if (isMissing(body) || typeof body !== "object") return true;
  return !(body instanceof ReadableStream || Symbol.asyncIterator in body || "next" in body);
}

/** The secrets that a call carries. @throws TypeError as `readRequest` does. */
export function secretsOfCall(input: Input, { headers }: Init = {}): readonly string[] {
  const own = typeof input === "object" && "url" in input ? input.headers : undefined;
  return secretsOf(addressOf(input), headersOf(headers ?? own));
}

function secretsOf(url: URL, headers: Headers): readonly string[] {
  const found = [...keysOfHeaders(headers), ...keysOfQuery(url), url.username, url.password];
  return found.filter((secret) => secret !== "");
}

/** Gateways in front of gateways have headers of their own: `cf-aig-authorization`, `x-portkey-api-key`, `helicone-auth`. */
const SECRET_NAME = /(?:key|token|secret|auth|authorization|password|sig|signature)$/i;

/** An idempotency key is for the logs of both sides. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !/idempotency/i.test(name);
}

/** Basic credentials are a secret as they are sent, and in clear. */
function keysOfHeaders(headers: Headers): readonly string[] {
  const found: string[] = [];
  headers.forEach((text, name) => {
    const value = text.trim();
    if (/^cookie$/i.test(name)) found.push(...valuesOfCookie(value));
    if (isSecretName(name)) found.push(value.replace(/^[A-Za-z][\w-]*\s+/, ""), ...passwordOf(value));
  });
  return found;
}

/** Shorter ones are settings of a page. */
const SHORTEST_SESSION = 16;

function valuesOfCookie(cookie: string): readonly string[] {
  const values = cookie.split(";").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  return values.filter((value) => value.length >= SHORTEST_SESSION);
}

function passwordOf(value: string): readonly string[] {
  const encoded = /^Basic\s+([A-Za-z0-9+/]+=*)$/i.exec(value)?.[1];
  if (encoded === undefined || encoded.replace(/=+$/, "").length % 4 === 1) return [];
  const clear = atob(encoded);
  return [clear, clear.slice(clear.indexOf(":") + 1)];
}

function keysOfQuery(url: URL): readonly string[] {
  return [...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
}
