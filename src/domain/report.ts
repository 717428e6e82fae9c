/** The sanitized problem report (spec 7.5), and its request as one line for a POSIX shell. Without secrets. Pure. */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { MINUTE_MS, offsetMs } from "./calendar.ts";
import type { reportSchema, Stored } from "./stored.ts";

/** `id`: null where nothing is stored (command line, explain). */
export type Report = Omit<
  Stored<typeof reportSchema>,
  "id" | "regions" | "incident" | "incidentUrl" | "failingSince" | "upstreams"
> & { readonly id: string | null };

interface ReportedRequest {
  /** Already validated, without a trailing slash. */
  readonly baseUrl: string;
  readonly sent: CurlRequest;
  readonly isPublic: boolean;
}

export interface ReportInput {
  readonly id: string | null;
  readonly diagnosis: KeptDiagnosis;
  /** Only `endpoint`: the rest of the request is not known, so it cannot be repeated. Null: nothing of it is known. */
  readonly request: ReportedRequest | { readonly endpoint: string } | null;
  readonly modelId: string | null;
  readonly requestedAtMs: number | null;
  readonly timeZone: string;
  readonly streaming: boolean;
  readonly attempts: number;
  readonly client: string;
}

export function buildReport(input: ReportInput): Report {
  const { diagnosis, request } = input;
  return {
    id: input.id,
    schemaVersion: 1,
    endpoint: endpointOf(request),
    modelId: input.modelId,
    requestedAt: input.requestedAtMs === null ? null : zonedInstant(input.requestedAtMs, input.timeZone),
    timeZone: input.timeZone,
    httpStatus: diagnosis.httpStatus,
    errorType: diagnosis.errorType,
    errorCode: diagnosis.errorCode,
    businessCode: diagnosis.businessCode,
    requestId: diagnosis.requestId,
    taskId: diagnosis.taskId,
    ...(diagnosis.completionId !== undefined && { completionId: diagnosis.completionId }),
    ...(diagnosis.streamed !== undefined && { streamed: diagnosis.streamed }),
    streaming: input.streaming,
    retried: input.attempts > 1,
    attempts: input.attempts,
    client: input.client,
    cause: diagnosis.cause,
    message: diagnosis.message,
    reproduce:
      request !== null && "sent" in request ? reproducingCurl(publicBase(request), request.sent) : null,
  };
}

/** RFC 3339 with the offset of the zone then, in whole minutes: `2026-11-20T20:00:00.000+08:00`. */
export function zonedInstant(atMs: number, timeZone: string): string {
  const minutes = Math.trunc(offsetMs(timeZone, atMs) / MINUTE_MS);
  const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, "0"),
  );
  const local = new Date(atMs + minutes * MINUTE_MS).toISOString().slice(0, -1);
  return `${local}${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** For people: `2026-11-20 20:00:00 UTC+08:00`. */
export function zonedWords(atMs: number, timeZone: string): string {
  const zoned = zonedInstant(atMs, timeZone);
  const offset = zoned.slice(23);
  return `${zoned.slice(0, 19).replace("T", " ")} UTC${offset === "+00:00" ? "" : offset}`;
}

function endpointOf(request: ReportInput["request"]): string | null {
  if (request === null || "endpoint" in request) return request?.endpoint ?? null;
  return (publicBase(request) ?? HIDDEN_BASE_URL) + request.sent.path;
}

function publicBase({ isPublic, baseUrl }: ReportedRequest): string | null {
  return isPublic ? baseUrl : null;
}

/** Stands for the base address wherever the host is not to be published. */
export const HIDDEN_BASE_URL = "$GATEWAY_BASE_URL";

/** A request, without its base address. */
export interface CurlRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Names in lower case; in values `{key}` stands for the API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly isStreamed: boolean;
}

export function listRequest(path: string): CurlRequest {
  const headers = { authorization: "Bearer {key}", accept: "application/json" };
  return { method: "GET", path, headers, body: null, timeoutMs: 30_000, isStreamed: false };
}

/** `baseUrl` null: it is a variable. Whatever a part contains, the shell takes it as one argument, and curl literally. */
export function reproducingCurl(baseUrl: string | null, request: CurlRequest): string {
  const { path, headers, body, timeoutMs, isStreamed } = request;
  const url = baseUrl === null ? `"${HIDDEN_BASE_URL}"${shellQuote(path)}` : shellQuote(baseUrl + path);
  return [
    // -g: curl takes brackets and braces in an address literally. -i: `gatepulse explain` reads the headers too.
    `curl -gsSi${isStreamed ? "N" : ""} --max-time ${Math.ceil(timeoutMs / 1000)}`,
    ...(request.method === "POST" ? ["-X POST"] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${headerWord(name, value)}`),
    // --data-raw: curl takes a body that begins with @ literally.
    ...(body === null ? [] : [`--data-raw ${shellWord(escaped(body))}`]),
    `--url ${url}`,
  ].join(" ");
}

function headerWord(name: string, value: string): string {
  const parts = `${titled(name)}: ${value}`.split("{key}");
  if (parts.length === 1) return shellWord(parts[0] ?? "");
  // The shell would take letters that follow the variable for a part of its name.
  const isGlued = parts.slice(1).some((part) => /^\w/.test(part));
  const isPlain = !isGlued && parts.every((part) => /^[\w #%&'()*+,./:;<=>?@[\]^{|}~-]*$/.test(part));
  if (isPlain) return `"${parts.join(KEY_VARIABLE)}"`;
  return parts.map((part) => (part === "" ? "" : shellWord(part))).join(`"${KEY_VARIABLE}"`);
}

const KEY_VARIABLE = "$GATEWAY_API_KEY";

function titled(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

/** Escapes the line separators that JSON allows in strings. */
function escaped(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** One shell word on one line. Leaves out control characters, which neither headers nor JSON need. */
function shellWord(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that would end the line
  const oneLine = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return `'${oneLine.replaceAll("'", String.raw`'\''`)}'`;
}

/** One shell word. Spaces and control characters are percent-encoded first, so that it stays one line. */
function shellQuote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that would end the line or the address
  const oneLine = text.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g, encodeURIComponent);
  return `'${oneLine.replaceAll("'", String.raw`'\''`)}'`;
}
