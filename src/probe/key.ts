/** Whether an API key can be sent at all. Pure; the key itself goes nowhere from here. */

export type KeyJudgement = "usable" | "secret_missing" | "secret_malformed";

/**
 * Null or blank: the secret is not set. A line end or a control character fits no header, and beyond ASCII runtimes
 * differ in the bytes that they send.
 */
export function judgeKey(key: string | null): KeyJudgement {
  if (key === null || key.trim() === "") return "secret_missing";
  // oxlint-disable-next-line no-control-regex -- these are what a header's value cannot hold
  return /^[\u0020-\u007e]+$/.test(key) ? "usable" : "secret_malformed";
}

/** A login token is no API key (spec 5); it is a signed token, three parts of base64 of which the first is JSON. */
export function isTokenShaped(apiKey: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(apiKey.trim());
}
