/**
 * The rules for a gateway's base address, shared by the configuration and the command line, and the joining of a
 * path to it. Pure. Spec 4.1 and 9: the prefix `/v1` is in a URL exactly once, and the path brings it.
 */
import { isPrivateHost } from "./private-host.ts";

/** What is wrong and what to do about it, in words that never repeat the address: it may hold a credential. */
interface UrlFault {
  readonly problem: string;
  readonly mend: string;
}

/** `baseUrl`: normalised, without a trailing slash. */
export type BaseUrlJudgement =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly fault: UrlFault };

const MAX_URL_LENGTH = 2_000;

const NO_URL: UrlFault = {
  problem: "is not a web address",
  mend: "write it like https://api.example.com",
};

/** Text as a person wrote it. `http:` is for this machine and private networks, unless `insecureHttp`. */
export function judgeBaseUrl(
  text: string,
  { insecureHttp }: { readonly insecureHttp: boolean },
): BaseUrlJudgement {
  const address = judgeAddress(text);
  if (!address.ok) return address;
  const fault = versionFault(address.url) ?? (insecureHttp ? null : plainHttpFault(address.url));
  return fault === null ? { ok: true, baseUrl: withoutTrailingSlash(address.url) } : { ok: false, fault };
}

/** The address of the monitor's own page: it may be plain http, and a `/v1` in it is nobody's mistake. */
export function judgePublicUrl(text: string): BaseUrlJudgement {
  const address = judgeAddress(text);
  return address.ok ? { ok: true, baseUrl: withoutTrailingSlash(address.url) } : address;
}

/** The model listing (spec 4.1), below a base address. */
export const MODELS_PATH = "/v1/models";

/** `path` begins with a slash; the result holds the prefix `/v1` once when the base address was judged. */
export function endpointUrl(baseUrl: string, path: string): string {
  return baseUrl + path;
}

type Address = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly fault: UrlFault };

/** What holds for every address; told from the text where the parser would mend a mistake silently. */
function judgeAddress(text: string): Address {
  const fault = textFault(text);
  if (fault !== null) return { ok: false, fault };
  const url = parseUrl(text);
  if (url === null || !/[a-z0-9]/.test(url.hostname)) return { ok: false, fault: NO_URL };
  return { ok: true, url };
}

function textFault(text: string): UrlFault | null {
  if (text.trim() === "" || text.length > MAX_URL_LENGTH) return NO_URL;
  // oxlint-disable-next-line no-control-regex -- the parser drops tabs and line ends without a word
  if (/[\s\u0000-\u001f\u007f\\]/.test(text)) {
    return { problem: "holds a space, a backslash or a control character", mend: "remove it" };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== "http" && scheme !== "https") {
    const other = scheme !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
    return other
      ? { problem: "is neither https nor http", mend: "write it like https://api.example.com" }
      : NO_URL;
  }
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined || authority === "") return NO_URL;
  if (authority.includes("@")) {
    return {
      problem: "carries user info",
      mend: "remove everything between // and @; a key belongs in a secret",
    };
  }
  if (text.includes("?")) return { problem: "carries a query", mend: "remove the ? and all that follows" };
  if (text.includes("#")) return { problem: "carries a fragment", mend: "remove the # and all that follows" };
  return null;
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function versionFault(url: URL): UrlFault | null {
  const hasVersion = url.pathname.split("/").some((segment) => decoded(segment).toLowerCase() === "v1");
  if (!hasVersion) return null;
  return { problem: "carries /v1, which every path brings itself", mend: "remove /v1 and all that follows" };
}

function plainHttpFault(url: URL): UrlFault | null {
  if (url.protocol === "https:" || isPrivateHost(url.hostname)) return null;
  return {
    problem: "would send the key unencrypted: http to a host that is neither this machine nor private",
    mend: "use https, or allow it with insecureHttp: true",
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function withoutTrailingSlash(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, "");
}
