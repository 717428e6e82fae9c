/** Web addresses in a configuration: what is refused, and which hosts are private. Pure. */
import { t } from "./spoken.ts";
import type { Fault } from "./faults.ts";

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

/** Loopback, unique local (RFC 4193) and link-local addresses. */
function isPrivateIpv6(address: string): boolean {
  return address === "::1" || /^f[cd][0-9a-f]{2}:/.test(address) || /^fe[89ab][0-9a-f]:/.test(address);
}

/** `baseUrl`: normalised, without a trailing slash. `faults`: every one; their words never repeat the address, which may hold a credential. */
export type BaseUrlJudgement =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly faults: readonly Pick<Fault, "problem" | "fix">[] };

const MAX_URL_LENGTH = 2_000;

/** `http:` is for this machine and private networks, unless `insecureHttp`. */
export function judgeBaseUrl(
  text: string,
  { insecureHttp }: { readonly insecureHttp: boolean },
): BaseUrlJudgement {
  return judge(text, "https://api.example.com", (url) => [
    [V1.test(url.pathname), t`contains /v1, which every path already has`, WITHOUT_V1],
    [!insecureHttp && isExposed(url), EXPOSED, t`use https, or allow it with insecureHttp: true`],
  ]);
}

/** The base address of a service that is sent alerts. */
export function judgeEndpoint(text: string): BaseUrlJudgement {
  return judge(text, "https://api.example.com", (url) => [[isExposed(url), EXPOSED, t`use https`]]);
}

/** The base address of a collector (OTLP): `/v1/metrics` and `/v1/traces` are below. */
export function judgeCollector(text: string): BaseUrlJudgement {
  return judge(text, "https://otlp.example.com", (url) => [
    [V1.test(url.pathname), t`contains /v1, which is added`, WITHOUT_V1],
    [isExposed(url), EXPOSED, t`use https`],
  ]);
}

/** Where a provider's status page is: its API is below. */
export function judgeStatusPage(text: string): BaseUrlJudgement {
  return judge(text, "https://status.example.com", (url) => [
    [/\/api(?:\/|$)/i.test(url.pathname), t`contains /api`, t`remove /api and everything after it`],
    [isExposed(url), t`is not https`, t`use https`],
  ]);
}

/** The address of the monitor's own page: it may be plain http, and `/v1` in it is no mistake. */
export function judgePublicUrl(text: string): BaseUrlJudgement {
  return judge(text, "https://status.example.com", () => []);
}

/** Where a reader is led: it may have a query and a fragment. */
export function judgeLink(text: string): BaseUrlJudgement {
  const url = isWhole(text) ? parseUrl(text) : null;
  const fix = t`write it like https://acme.example/contact`;
  if (url === null) return { ok: false, faults: [{ problem: t`is not a web address`, fix }] };
  const faults = faultsAmong([
    [url.protocol !== "https:", t`is not https`, fix],
    [url.username + url.password !== "", t`contains user info`, WITHOUT_USER],
  ]);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, baseUrl: url.href };
}

/** The model listing (spec 4.1), below a base address. */
export const MODELS_PATH = "/v1/models";

const V1 = /\/v1(?:\/|$)/i;
const WITHOUT_V1 = t`remove /v1 and everything after it`;
const EXPOSED = t`would send the key unencrypted: http to a host that is neither this machine nor private`;

function isExposed({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !isPrivateHost(hostname);
}

type Check = readonly [isWrong: boolean, problem: string, fix: string];

function judge(text: string, example: string, more: (url: URL) => readonly Check[]): BaseUrlJudgement {
  const fix = t`write it like ${example}`;
  const url = isWhole(text) ? parseUrl(text) : null;
  if (url === null) return { ok: false, faults: [{ problem: t`is not a web address`, fix }] };
  const faults = faultsAmong([
    [!/^https?:$/.test(url.protocol), t`is neither https nor http`, fix],
    [url.username + url.password !== "", t`contains user info`, WITHOUT_USER],
    [url.search !== "", t`has a query`, t`remove the ? and everything after it`],
    [url.hash !== "", t`has a fragment`, t`remove the # and everything after it`],
    ...more(url),
  ]);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, baseUrl: `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, "") };
}

/** The parser takes addresses without slashes or host for others. */
function isWhole(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]/i.test(text);
}

function faultsAmong(checks: readonly Check[]): readonly Pick<Fault, "problem" | "fix">[] {
  return checks.flatMap(([isWrong, problem, fix]) => (isWrong ? [{ problem, fix }] : []));
}

const WITHOUT_USER = t`remove everything between // and @; a key belongs in a secret`;

/** An address that a browser opens. Of a runbook, which may be a text too. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i.test(text);
}

/** Null: it is none. Node 20, where the command line runs too, has no `URL.parse`. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
