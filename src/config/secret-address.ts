/** Addresses that are secrets themselves: where alerts and heartbeats go. Pure. */
import { parseUrl } from "./base-url.ts";
import { isPrivateHost } from "./private-host.ts";

export type SecretAddress =
  | { readonly ok: true; readonly url: URL }
  /** `problem` names the secret, never its value. */
  | { readonly ok: false; readonly problem: string };

/**
 * https:, or http: to this machine or a private network; without user info, which fetch refuses. White space that a
 * shell or an editor left around it does not count.
 * @param value null: the secret is not set.
 */
export function readSecretAddress(name: string, value: string | null): SecretAddress {
  const text = value?.trim() ?? "";
  const refused = (problem: string): SecretAddress => ({
    ok: false,
    problem: `the secret ${name} is ${problem}`,
  });
  if (text === "") return refused("not set");
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refused("not an address that begins with https://");
  }
  if (url.username !== "" || url.password !== "") {
    return refused("an address with user info, which no request can bear");
  }
  if (url.protocol === "http:" && !isPrivateHost(url.hostname)) {
    return refused("an http: address of a public host; use https:");
  }
  return { ok: true, url };
}
