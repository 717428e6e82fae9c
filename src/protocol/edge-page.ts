/** What HTTP itself says: the meaning of statuses, redirects, and pages of an edge in place of an answer. Pure. */
import { type Cause, RETRY_STATUSES } from "./diagnosis.ts";
import { asObject, asText, firstOf, isUnreadJson, type Body } from "./json.ts";

export function causeOfStatus(status: number): Cause {
  if (status >= 300 && status < 400) return "wrong_url";
  return BY_STATUS.get(status) ?? "http_error";
}

/** The cause that an HTTP status inside a good answer's error object names; null where it names nothing more. */
export function causeOfStatusInBody(code: string | null): Cause | null {
  if (code === null || !/^[45]\d\d$/.test(code)) return null;
  const status = Number(code);
  return status === 405 || status === 500 || status >= 520 ? null : (BY_STATUS.get(status) ?? null);
}

/** Statuses under which names in the body may say something more specific than the status. */
export function isRefinedByCodes(status: number): boolean {
  return (status >= 400 && status < 500) || status === 500;
}

/** Statuses that say by themselves whose turn it is: a page that comes with them is decoration. */
export function isPageIgnored(status: number): boolean {
  return status === 401 || status === 402 || status === 429 || status >= 500;
}

export function retryStatuses(cause: Cause): readonly number[] {
  return RETRY_STATUSES[cause] ?? [];
}

export function isRetryAllowed(status: number | null, cause: Cause): boolean {
  return status !== null && retryStatuses(cause).includes(status);
}

const MALFORMED = [400, 406, 409, 411, 412, 413, 414, 415, 416, 417, 421, 422, 424, 426, 428, 431];

const BY_STATUS: ReadonlyMap<number, Cause> = new Map<number, Cause>([
  ...MALFORMED.map((status): [number, Cause] => [status, "malformed_request"]),
  [401, "authentication"],
  [402, "insufficient_balance"],
  [403, "permission_denied"],
  [404, "not_found"],
  [405, "wrong_url"],
  [429, "rate_limited"],
  [500, "service_misconfigured"],
  [502, "upstream_unavailable"],
  [503, "upstream_unavailable"],
  [504, "upstream_unavailable"],
  [529, "upstream_unavailable"],
  [520, "connection_failed"],
  [521, "connection_failed"],
  [522, "timeout"],
  [523, "connection_failed"],
  [524, "timeout"],
  [525, "tls_failure"],
  [526, "tls_failure"],
  [530, "connection_failed"],
]);

export function redirectWords(headers: Readonly<Record<string, string>>): string | null {
  const place = placeOf(headers["location"]?.trim() ?? "");
  return place === "" ? null : `It redirects to ${place}, and redirects are not followed.`;
}

/** Longer ones are mostly what carries a session. */
const LONGEST = 150;

/** Without what may carry a secret or changes each time: user info, query and fragment. */
function placeOf(location: string): string {
  const bare = location.slice(0, 4 * LONGEST).replace(/[?#].*$/su, "");
  const whole = bare.replace(/^((?:https?:)?\/\/)[^/]*@/iu, "$1");
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
}

export interface EdgePage {
  readonly cause: Cause;
  readonly words: string | null;
}

/** What an edge says about a request that failed; null where it only repeats the status, or where the origin spoke. */
export function readEdgePage(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  body: Body,
): EdgePage | null {
  const words = pageWords(text, body);
  if ((headers["cf-mitigated"] ?? headers["x-vercel-mitigated"] ?? "") !== "") {
    return { cause: "edge_blocked", words };
  }
  if (body.form === "json") {
    const json = asObject(body.json);
    if (json?.["cloudflare_error"] !== true) return null;
    const code = Number(asText(json["error_code"]) ?? Number.NaN);
    const cause = causeOfEdgeCode(code, status);
    return cause === null ? null : { cause, words };
  }
  if (isUnreadJson(body)) return null;
  const page = text.slice(0, PAGE_LENGTH).toLowerCase();
  const isCloudflare = headers["server"] === "cloudflare" || headers["cf-ray"] !== undefined;
  const cause =
    causeOfMarkedCode(page, status, isCloudflare) ??
    causeOfMarks(page, isCloudflare) ??
    (isPageIgnored(status) ? null : causeOfWords(page, status)) ??
    (headers["x-amzn-waf-action"] === undefined ? null : "edge_blocked");
  return cause === null ? null : { cause, words };
}

/** The default page of a proxy that cannot reach the gateway behind it. Some send a status with nothing. */
export function isProxyPage({ status, headers, body: text }: PageAnswer, body: Body): boolean {
  if (status < 502 || status > 504) return false;
  if (body.form === "empty") return BARE_PROXY.test(headers["server"] ?? "");
  return body.form === "other" && PROXY_PAGE.test(text.slice(0, PAGE_LENGTH));
}

interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** nginx, AWS, Cloudflare's front; HAProxy; Traefik and others in Go; Envoy, Istio, Apache, Cloudflare, Google, Varnish, CloudFront, IIS. */
const PROXY_PAGE =
  /<center>(?:<h1>)?50[234] [\w -]+(?:<\/h1>)?<\/center>|<h1>50[234] [\w -]+<\/h1>\s*(?:the server (?:returned an invalid|didn't respond)|no server is available)|^\s*(?:(?:50[234] )?(?:bad gateway|gateway time-?out|service unavailable)|no available server)\s*$|upstream connect error or disconnect|^\s*no healthy upstream|^\s*upstream request timeout|50[23] proxy error|the gateway did not receive a timely response|temporarily unable to service your|cf-error-code[^>]*>50[24]<|error code:? ?(?:<[^>]*>)?50[24]\b|encountered a temporary error and could not complete your request|backend fetch failed|guru meditation|generated by cloudfront|while acting as a gateway or proxy server|err_ngrok_(?:3004|8012)|herokucdn\.com\/error-pages|back-end server timeout/i;

const BARE_PROXY = /^(?:caddy|traefik|envoy|istio-envoy|nginx|openresty|awselb|haproxy|fly)\b/i;

export function isHtml(text: string): boolean {
  return /<(?:!doctype html|html|head|body|title|h1|center)\b/i.test(text.slice(0, PAGE_LENGTH));
}

/** The title or heading of a page, or a short text as it is. */
export function pageWords(text: string, body: Body): string | null {
  if (body.form !== "other") return null;
  const page = text.slice(0, PAGE_LENGTH);
  if (!/<[a-z!?/]/i.test(page)) return page.trim().slice(0, WORDS_LENGTH) || null;
  return firstOf(["title", "h1", "message", "h2", "body"], (tag) => betweenTags(page, tag));
}

const PAGE_LENGTH = 65_536;
const WORDS_LENGTH = 1200;

/** Cloudflare's plain text is this line and nothing else. */
const CODE_ALONE = /^\s*error code: (\d{3,4})\s*$/;
/** In Cloudflare's HTML: an element made for the number, or the number in a page that says whose it is. */
const CODE_ELEMENT = /cf-(?:error-code|code-label)[^>]{0,40}>(?:error code:? ?)?(?:<[^>]{0,80}>)?(\d{3,4})</;
const CODE_IN_WORDS = /error\s?(?:<[^>]{0,80}>\s{0,20}){0,3}(1\d{3})\b|error code:? (1\d{3})\b/;
const CLOUDFLARE_MARKUP =
  /cf-error-(?:details|type|code|description|footer)|cf-wrapper|cf-footer-item|cf-code-label|\/cdn-cgi\/styles|\bray id\b|\| cloudflare<|used cloudflare to restrict/;

/** By the number of an edge's own page; pages that only happen to hold one, of databases and sockets, say nothing. */
function causeOfMarkedCode(page: string, status: number, isCloudflare: boolean): Cause | null {
  const alone = CODE_ALONE.exec(page);
  if (alone !== null) {
    const cause = causeOfEdgeCode(Number(alone[1]), status);
    // 1006 alone is also how a socket was closed behind a gateway that fails.
    return cause === "edge_blocked" && status >= 500 && !isCloudflare ? null : cause;
  }
  const found = CODE_ELEMENT.exec(page) ?? (CLOUDFLARE_MARKUP.test(page) ? CODE_IN_WORDS.exec(page) : null);
  return found === null ? null : causeOfEdgeCode(Number(found[1] ?? found[2]), status);
}

const BY_EDGE_CODE: ReadonlyMap<number, Cause> = new Map<number, Cause>([
  ...[1000, 1002, 1003, 1004, 1013, 1014, 1018, 1023, 1042].map((code): [number, Cause] => [
    code,
    "wrong_url",
  ]),
  ...[1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1020, 1106].map((code): [number, Cause] => [
    code,
    "edge_blocked",
  ]),
  [1001, "dns_failure"],
  [1015, "rate_limited"],
  [1016, "dns_failure"],
  [1033, "connection_failed"],
  [1101, "service_misconfigured"],
  [1102, "service_misconfigured"],
]);

/** The edge's own number; the numbers 520 to 526 only repeat the status. */
function causeOfEdgeCode(code: number, status: number): Cause | null {
  const cause = BY_EDGE_CODE.get(code) ?? null;
  return cause === "rate_limited" && status !== 429 ? null : cause;
}

/** Only a server that was spoken to in the wrong way, or at the wrong name, says so. */
const WRONG_PORT =
  /plain http request was sent to https port|client sent an http request to an https server|speaking plain http to an ssl-enabled server|fastly error: unknown domain/;

const WRONG_PLACE =
  /unknown domain|no such app\b|there is no app configured|application not found|deployment_not_found|the deployment could not be found|err_ngrok_3200|tunnel [^<\n]{0,80} not found|site not found|not found - request id|no-such-app|domain not (?:found|configured)|this domain is not (?:configured|connected)|misdirected request|invalid host header|there isn't a github pages site|project not found/;

const CHALLENGE =
  /attention required!|just a moment\.\.\.|checking your browser|enable javascript and cookies|cf-chl|challenge-platform|cf-browser-verification|you have been blocked|ddos protection by|request unsuccessful\. incapsula|_incapsula_|please verify you are (?:a )?human|verify you are human|captcha|(?:request|page|site|access) (?:is |was |has been )?blocked|block access from your country|web application firewall|access denied[^]{0,400}reference&?#?|pardon our interruption|px-captcha|datadome|sucuri website firewall|bot (?:detection|management|protection)|been blocked (?:by|as|due)|security (?:check|policy) |安全(?:拦截|验证|防护)|访问被(?:拦截|阻断|禁止)|请求被(?:拦截|阻断)|您的请求[^<\n]{0,20}(?:拦截|阻断|攻击)|\bwaf\b/;

/** Pages of firewalls, recognized by their words; some are 200. The same firewalls report outages with 5xx. */
const REFUSAL =
  /request unsuccessful\. incapsula|_incapsula_resource|sorry, you have been blocked|<title>just a moment\.\.\.<|sucuri website firewall/;
const CLOUDFLARE_REFUSAL =
  /sorry, you have been blocked|<title>just a moment\.\.\.<|<title>attention required! \| cloudflare<|used cloudflare to restrict access/;

/** Only in refusals, never on a page about an outage. Cloudflare puts other scripts of its challenges into the origin's pages too. */
const REFUSAL_MARKUP =
  /the requested url was rejected\. please consult|challenge-platform\/h\/\w{1,8}\/orchestrate|_cf_chl_|cf-chl-|cf-browser-verification|awswaf\.com|captcha-delivery\.com|id="px-captcha"|\/\.well-known\/ddos-guard/;

const SLEEPING = /service (?:waking up|is starting|suspended)|this service has been suspended/;

function causeOfMarks(page: string, isCloudflare: boolean): Cause | null {
  if (WRONG_PORT.test(page)) return "wrong_url";
  if (REFUSAL_MARKUP.test(page)) return "edge_blocked";
  return isCloudflare && CLOUDFLARE_REFUSAL.test(page) ? "edge_blocked" : null;
}

/** General words; a challenge is believed under the statuses that challenges use. */
function causeOfWords(page: string, status: number): Cause | null {
  if (WRONG_PLACE.test(page)) return "wrong_url";
  if (SLEEPING.test(page)) return null;
  if (REFUSAL.test(page)) return "edge_blocked";
  const mayChallenge = status === 403 || status === 405 || status === 406 || status === 418;
  return mayChallenge && CHALLENGE.test(page) ? "edge_blocked" : null;
}

/** The text of the first such element, its own tags taken out; linear in the page. */
function betweenTags(page: string, tag: string): string | null {
  const lower = page.toLowerCase();
  const open = lower.indexOf(`<${tag}`);
  if (open < 0) return null;
  const start = lower.indexOf(">", open);
  if (start < 0) return null;
  const end = lower.indexOf(`</${tag}`, start);
  const inner = page.slice(start + 1, end < 0 ? start + 1 + WORDS_LENGTH : end).slice(0, WORDS_LENGTH * 4);
  const plain = inner
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? null : plain;
}
