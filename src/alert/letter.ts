/** Requests to receivers, and the secrets that they need. Pure. A fault names the secret and never its value. */
import { readSecretAddress } from "../config/secret-address.ts";
import { BEARER_TOKEN, formProblem, type SecretForm } from "../config/secret-forms.ts";
import type { Letter, Occasion, Rendered } from "./channel.ts";

export type Misconfigured = Extract<Rendered, { readonly type: "misconfigured" }>;

export function misconfigured(problem: string): Misconfigured {
  return { type: "misconfigured", problem };
}

export function isMisconfigured(value: object | string | null): value is Misconfigured {
  return typeof value === "object" && value !== null && "type" in value && value.type === "misconfigured";
}

/** @param headers beside those that every request bears; names in lower case. */
export function jsonLetter(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Letter {
  return {
    type: "http",
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** The secret's value without the white space that a shell or an editor left around it. */
export function secretValue(name: string, { secretOf }: Occasion): string | Misconfigured {
  const value = secretOf(name)?.trim() ?? "";
  return value === "" ? misconfigured(`the secret ${name} is not set`) : value;
}

/** A value of one form. */
export function secretLike(name: string, occasion: Occasion, form: SecretForm): string | Misconfigured {
  const value = secretValue(name, occasion);
  if (typeof value !== "string" || form.pattern.test(value)) return value;
  return misconfigured(formProblem(name, form));
}

export function secretAddress(name: string, { secretOf }: Occasion): URL | Misconfigured {
  const address = readSecretAddress(name, secretOf(name));
  return address.ok ? address.url : misconfigured(address.problem);
}

/** A request to an address that is a secret itself. */
export function secretLetter(urlSecret: string, occasion: Occasion, body: unknown): Letter | Misconfigured {
  const url = secretAddress(urlSecret, occasion);
  return isMisconfigured(url) ? url : jsonLetter(url.href, body);
}

/** `authorization` with the secret's value as bearer token; nothing where no secret is named. */
export function bearerHeader(
  tokenSecret: string | null,
  occasion: Occasion,
): Readonly<Record<string, string>> | Misconfigured {
  if (tokenSecret === null) return {};
  const token = secretLike(tokenSecret, occasion, BEARER_TOKEN);
  return typeof token === "string" ? { authorization: `Bearer ${token}` } : token;
}

/** The address of a page, where it is one that other programs can open; null otherwise, such as for a relative one. */
export function pageAddress(url: string | null): string | null {
  return url !== null && url.length <= LONGEST_PAGE_ADDRESS && PAGE_ADDRESS.test(url) ? url : null;
}

/** So that the links never crowd out the message, however often they are escaped. */
const LONGEST_PAGE_ADDRESS = 500;
/** Visible ASCII without what no URL holds unescaped (RFC 3986, 2). */
const PAGE_ADDRESS = /^https?:\/\/(?:(?!["<>\\^`{|}])[!-~])+$/;
