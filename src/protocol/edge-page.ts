/**
 * Pages of what stands before a gateway: CDNs, firewalls, proxies, tunnels. They come as HTML, as plain text, or as
 * RFC 9457 JSON. Pure. A page speaks only where the origin's own error did not.
 */
import { asObject, asText } from "./json.ts";
import type { Body } from "./json.ts";
import type { Cause } from "./diagnosis.ts";

export interface EdgePage {
  readonly cause: Cause;
  /** What the page says in plain words, for the message. */
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
  if ((headers["cf-mitigated"] ?? "") !== "") return { cause: "edge_blocked", words };
  if (body.form === "json") {
    const json = asObject(body.json);
    if (json?.["cloudflare_error"] !== true) return null;
    const code = Number(asText(json["error_code"]) ?? Number.NaN);
    const cause = causeOfEdgeCode(code, status);
    return cause === null ? null : { cause, words };
  }
  if (body.form === "cut_off") return null;
  const page = text.slice(0, PAGE_LENGTH).toLowerCase();
  const code = EDGE_CODE.exec(page)
    ?.slice(1)
    .find((part) => part !== undefined);
  const cause =
    (code === undefined ? null : causeOfEdgeCode(Number(code), status)) ??
    causeOfWords(page, status) ??
    (headers["x-amzn-waf-action"] === undefined ? null : "edge_blocked");
  return cause === null ? null : { cause, words };
}

/** The title or heading of a page, or a short text as it is. */
export function pageWords(text: string, body: Body): string | null {
  if (body.form !== "other") return null;
  const page = text.slice(0, PAGE_LENGTH);
  if (!/<[a-z!?/]/i.test(page)) return page.trim().slice(0, WORDS_LENGTH) || null;
  for (const tag of ["title", "h1", "message", "h2", "body"]) {
    const found = betweenTags(page, tag);
    if (found !== null) return found;
  }
  return null;
}

const PAGE_LENGTH = 65_536;
const WORDS_LENGTH = 1200;

/** "error code: 1016" alone, or Cloudflare's HTML pages that name theirs. */
const EDGE_CODE =
  /^\s*error code: (\d{3,4})\s*$|cf-error-code[^>]{0,40}>(\d{3,4})<|error\s?(?:<[^>]{0,80}>\s{0,20}){0,3}(1\d{3})\b|error code:? (1\d{3})\b/;

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

const WRONG_PLACE =
  /plain http request was sent to https port|client sent an http request to an https server|speaking plain http to an ssl-enabled server|unknown domain|no such app\b|there is no app configured|application not found|deployment_not_found|the deployment could not be found|err_ngrok_3200|tunnel [^<\n]{0,80} not found|ngrok[^<\n]{0,40}err_ngrok_(?:3200|3004|6022)|site not found|not found - request id|no-such-app|domain not (?:found|configured)|this domain is not (?:configured|connected)|misdirected request|invalid host header|there isn't a github pages site|project not found/;

const CHALLENGE =
  /attention required!|just a moment\.\.\.|checking your browser|enable javascript and cookies|cf-chl|challenge-platform|cf-browser-verification|you have been blocked|sorry, you have been blocked|ddos protection by|request unsuccessful\. incapsula|_incapsula_|the requested url was rejected\. please consult|please verify you are (?:a )?human|verify you are human|captcha|request blocked|web application firewall|access denied[^]{0,400}reference&?#?|pardon our interruption|px-captcha|datadome|sucuri website firewall|bot (?:detection|management|protection)|been blocked (?:by|as|due)|security (?:check|policy) |安全(?:拦截|验证|防护)|访问被(?:拦截|阻断|禁止)|请求被(?:拦截|阻断)|您的请求[^<\n]{0,20}(?:拦截|阻断|攻击)|\bwaf\b/;

/** Pages of firewalls that are told apart whatever their status, some of them 200. */
const REFUSAL =
  /the requested url was rejected\. please consult|request unsuccessful\. incapsula|_incapsula_resource|sorry, you have been blocked|<title>just a moment\.\.\.<|awswaf\.com|sucuri website firewall/;

const SLEEPING = /service (?:waking up|is starting|suspended)|this service has been suspended/;

/** General words of pages; a challenge is believed under the statuses that challenges use. */
function causeOfWords(page: string, status: number): Cause | null {
  if (WRONG_PLACE.test(page)) return "wrong_url";
  if (SLEEPING.test(page)) return null;
  if (REFUSAL.test(page)) return "edge_blocked";
  const mayChallenge =
    status === 403 || status === 405 || status === 406 || status === 429 || status === 503 || status === 418;
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
