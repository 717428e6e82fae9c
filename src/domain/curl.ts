/**
 * The request of a report as one line for a POSIX shell: the key is a variable, never a value. Pure.
 */

/** Stands for the base address wherever the host is not to be published. */
export const HIDDEN_BASE_URL = "$GATEWAY_BASE_URL";

/**
 * A `curl` that sends the same GET again. `baseUrl` null: the address is a variable too. Whatever an address holds,
 * the shell takes it as one argument and curl as one URL.
 */
export function reproducingCurl(baseUrl: string | null, path: string): string {
  const url = baseUrl === null ? `"${HIDDEN_BASE_URL}"${shellQuote(path)}` : shellQuote(baseUrl + path);
  // -g: brackets and braces of an address are no patterns. -i: `gatepulse explain` reads the headers too.
  return `curl -gsSi --max-time 30 -H "Authorization: Bearer $GATEWAY_API_KEY" -H 'Accept: application/json' --url ${url}`;
}

/** One shell word. Spaces and control characters are percent-encoded first, so that it stays one line. */
export function shellQuote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that would end the line or the address
  const oneLine = text.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g, encodeURIComponent);
  return `'${oneLine.replaceAll("'", String.raw`'\''`)}'`;
}
