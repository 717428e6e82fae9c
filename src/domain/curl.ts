/**
 * The request of a report as one line for a POSIX shell: the key is a variable, never a value. Pure.
 */

/** Stands for the base address wherever the host is not to be published. */
export const HIDDEN_BASE_URL = "$GATEWAY_BASE_URL";

/** As it is sent below a base address. */
export interface CurlRequest {
  readonly method: "GET" | "POST";
  /** Begins with a slash. */
  readonly path: string;
  /** Names in lower case; in values `{key}` stands for the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: string | null;
  readonly timeoutMs: number;
  /** Events are shown as they come. */
  readonly isStreamed: boolean;
}

/** The request for the list of models. */
export function listRequest(path: string): CurlRequest {
  const headers = { authorization: "Bearer {key}", accept: "application/json" };
  return { method: "GET", path, headers, body: null, timeoutMs: 30_000, isStreamed: false };
}

/**
 * A `curl` that sends the same request again. `baseUrl` null: the address is a variable too. Whatever an address, a header or
 * a body holds, the shell takes it as one argument and curl as what it is.
 */
export function reproducingCurl(baseUrl: string | null, request: CurlRequest): string {
  const { path, headers, body, timeoutMs, isStreamed } = request;
  const url = baseUrl === null ? `"${HIDDEN_BASE_URL}"${shellQuote(path)}` : shellQuote(baseUrl + path);
  return [
    // -g: brackets and braces of an address are no patterns. -i: `gatepulse explain` reads the headers too.
    `curl -gsSi${isStreamed ? "N" : ""} --max-time ${Math.ceil(timeoutMs / 1000)}`,
    ...(request.method === "POST" ? ["-X POST"] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${headerWord(name, value)}`),
    // --data-raw: a body that begins with @ names no file.
    ...(body === null ? [] : [`--data-raw ${shellWord(escaped(body))}`]),
    `--url ${url}`,
  ].join(" ");
}

/** `authorization` is written as people write it. */
function headerWord(name: string, value: string): string {
  const parts = `${titled(name)}: ${value}`.split("{key}");
  if (parts.length === 1) return shellWord(parts[0] ?? "");
  // What is glued to the variable would be taken for a part of its name.
  const isGlued = parts.slice(1).some((part) => /^\w/.test(part));
  const isPlain = !isGlued && parts.every((part) => /^[\w #%&'()*+,./:;<=>?@[\]^{|}~-]*$/.test(part));
  if (isPlain) return `"${parts.join(KEY_VARIABLE)}"`;
  return parts.map((part) => (part === "" ? "" : shellWord(part))).join(`"${KEY_VARIABLE}"`);
}

const KEY_VARIABLE = "$GATEWAY_API_KEY";

function titled(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

/** What JSON has no need to escape and would end a line all the same; it is in texts alone. */
function escaped(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** One shell word on one line. Control characters, which neither a header nor JSON has need of, are left out. */
function shellWord(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that would end the line
  const oneLine = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return `'${oneLine.replaceAll("'", String.raw`'\''`)}'`;
}

/** One shell word. Spaces and control characters are percent-encoded first, so that it stays one line. */
export function shellQuote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that would end the line or the address
  const oneLine = text.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g, encodeURIComponent);
  return `'${oneLine.replaceAll("'", String.raw`'\''`)}'`;
}
