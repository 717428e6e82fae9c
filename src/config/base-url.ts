/** Base URLs: what is refused, and which hosts are private. Pure. */

/** First octets and the check of the second, from RFC 1918, 1122, 3927 and 6598. */
function isPrivateIpv4(a: number, b: number): boolean {
  if (a === 127 || a === 10) return true;
  if (a === 192) return b === 168;
  if (a === 172) return b >= 16 && b <= 31;
  if (a === 169) return b === 254;
  return a === 100 && b >= 64 && b <= 127;
}

/** Names that never resolve publicly: RFC 6761, 6762, 8375, ICANN's `internal`; names without a dot (SSAC 053). */
const PRIVATE_NAME = /^(?:[^.]+|(?:.+\.)?(?:localhost|local|internal|home\.arpa))$/;

/** `hostname` as the URL parser gives it: lower case, IPv4 in four decimal parts, IPv6 in brackets. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const ipv4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (ipv4 !== null) return isPrivateIpv4(Number(ipv4[1]), Number(ipv4[2]));
  if (host.startsWith("[")) return isPrivateIpv6(host.slice(1, -1));
  return PRIVATE_NAME.test(host);
}

function isPrivateIpv6(address: string): boolean {
  if (address === "::1") return true;
  const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(address);
  if (mapped !== null) {
    const high = Number.parseInt(mapped[1] ?? "", 16);
    return isPrivateIpv4(high >> 8, high & 0xff);
  }
  // Unique local (RFC 4193) and link-local addresses.
  return /^f[cd][0-9a-f]{2}:/.test(address) || /^fe[89ab][0-9a-f]:/.test(address);
}

/** What is wrong and what to do about it, in words that never repeat the address: it may hold a credential. */
interface UrlFault {
  readonly problem: string;
  readonly fix: string;
}

/** `baseUrl`: normalised, without a trailing slash. `faults`: every one, at least one. */
export type BaseUrlJudgement =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly faults: readonly UrlFault[] };

const MAX_URL_LENGTH = 2_000;

const NO_URL: UrlFault = {
  problem: "is not a web address",
  fix: "write it like https://api.example.com",
};

/** Text as a person wrote it. `http:` is for this machine and private networks, unless `insecureHttp`. */
export function judgeBaseUrl(
  text: string,
  { insecureHttp }: { readonly insecureHttp: boolean },
): BaseUrlJudgement {
  const address = readAddress(text);
  return judgementOf(address, [
    ...address.faults,
    ...(address.url === null ? [] : versionFaults(address.url)),
    ...(address.url === null || insecureHttp
      ? []
      : plainHttpFaults(address.url, "use https, or allow it with insecureHttp: true")),
  ]);
}

/** The base address of a service that is sent alerts; a path is allowed, but for the one that is added to it. */
export function judgeEndpoint(text: string): BaseUrlJudgement {
  const { url, faults } = readAddress(text);
  if (url === null) return { ok: false, faults };
  const added = /\/(?:v2\/enqueue|bot)\/*$/.test(url.pathname) ? [ADDED_PATH] : [];
  return judgementOf({ url, faults }, [...faults, ...added, ...plainHttpFaults(url, "use https")]);
}

/** The address of the monitor's own page: it may be plain http, and a `/v1` in it is nobody's mistake. */
export function judgePublicUrl(text: string): BaseUrlJudgement {
  const address = readAddress(text);
  const fix = "write it like https://status.example.com";
  return judgementOf(
    address,
    address.faults.map(({ problem, fix: usual }) => ({
      problem,
      fix: usual === NO_URL.fix ? fix : usual,
    })),
  );
}

/** The model listing (spec 4.1), below a base address. */
export const MODELS_PATH = "/v1/models";

/** `path` begins with a slash; the result holds the prefix `/v1` once when the base address was judged. */
export function endpointUrl(baseUrl: string, path: string): string {
  return baseUrl + path;
}

/** `url`: scheme, host and path, as far as they can be told; null: there is at least one fault. */
interface Address {
  readonly url: URL | null;
  readonly faults: readonly UrlFault[];
}

function judgementOf({ url }: Address, faults: readonly UrlFault[]): BaseUrlJudgement {
  return url === null || faults.length > 0
    ? { ok: false, faults }
    : { ok: true, baseUrl: withoutTrailingSlash(url) };
}

/** Scheme, authority, path, query, fragment (RFC 3986, appendix B). */
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)([^?#]*)(\?[^#]*)?(#.*)?$/i;

/** What holds for every address; told from the text where the parser would fix a mistake silently. */
function readAddress(text: string): Address {
  if (text.trim() === "" || text.length > MAX_URL_LENGTH) return { url: null, faults: [NO_URL] };
  // oxlint-disable-next-line no-control-regex -- the parser drops tabs and line ends without a word
  const cleaned = text.replaceAll(/[\s\u0000-\u001f\u007f]/g, "").replaceAll("\\", "/");
  const characters = cleaned === text ? [] : [CHARACTERS];
  const [, scheme = "", authority = "", path = "", query, fragment] = PARTS.exec(cleaned) ?? [];
  if (scheme === "") return { url: null, faults: [...characters, NO_URL] };
  const isWeb = /^https?$/i.test(scheme);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const url = parseUrl(`${isWeb ? scheme : "https"}://${host}${path}`);
  const faults = [
    ...characters,
    ...(isWeb ? [] : [OTHER_SCHEME]),
    ...(authority.includes("@") ? [USER_INFO] : []),
    ...(query === undefined ? [] : [QUERY]),
    ...(fragment === undefined ? [] : [FRAGMENT]),
  ];
  const isNamed = url !== null && /[a-z0-9]/.test(url.hostname);
  return isNamed ? { url, faults } : { url: null, faults: [...faults, NO_URL] };
}

const CHARACTERS: UrlFault = {
  problem: "holds a space, a backslash or a control character",
  fix: "remove it",
};
const OTHER_SCHEME: UrlFault = { problem: "is neither https nor http", fix: NO_URL.fix };
const USER_INFO: UrlFault = {
  problem: "carries user info",
  fix: "remove everything between // and @; a key belongs in a secret",
};
const QUERY: UrlFault = { problem: "carries a query", fix: "remove the ? and all that follows" };
const ADDED_PATH: UrlFault = {
  problem: "carries the path that Gatepulse adds itself",
  fix: "remove /v2/enqueue or /bot",
};
const FRAGMENT: UrlFault = { problem: "carries a fragment", fix: "remove the # and all that follows" };

/** Null: it is none. Node 20, where the command line runs too, has no `URL.parse`. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function versionFaults(url: URL): readonly UrlFault[] {
  const hasVersion = url.pathname.split("/").some((segment) => decoded(segment).toLowerCase() === "v1");
  if (!hasVersion) return [];
  return [{ problem: "carries /v1, which every path brings itself", fix: "remove /v1 and all that follows" }];
}

function plainHttpFaults(url: URL, fix: string): readonly UrlFault[] {
  if (url.protocol === "https:" || isPrivateHost(url.hostname)) return [];
  return [
    {
      problem: "would send the key unencrypted: http to a host that is neither this machine nor private",
      fix,
    },
  ];
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
