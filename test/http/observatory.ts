/**
 * Mozilla's HTTP Observatory (version 5, developer.mozilla.org/en-US/observatory): its ten tests and what each result
 * adds to, or takes from, 100. Of extra credit nothing counts below 90 without it. What only a scan of a host can find
 * out is an argument: whether plain HTTP leads to HTTPS, and whether browsers have the host in their preload list.
 */

export interface Scanned {
  readonly headers: Headers;
  /** "" where it is no HTML. */
  readonly html: string;
  readonly redirection: "redirection-to-https" | "redirection-missing" | "redirection-not-needed-no-http";
  readonly preloaded: boolean;
}

export interface Scan {
  readonly score: number;
  readonly grade: string;
  /** The names of the results, by Mozilla's. */
  readonly results: readonly string[];
}

const EXTRA_CREDIT_FROM = 90;

export const MODIFIERS: Readonly<Record<string, number>> = {
  "csp-implemented-with-no-unsafe-default-src-none": 10,
  "csp-implemented-with-no-unsafe": 5,
  "csp-implemented-with-unsafe-inline-in-style-src-only": 0,
  "csp-implemented-with-insecure-scheme-in-passive-content-only": -10,
  "csp-implemented-with-unsafe-eval": -10,
  "csp-implemented-with-unsafe-inline": -20,
  "csp-implemented-with-insecure-scheme": -20,
  "csp-not-implemented": -25,
  "cookies-secure-with-httponly-sessions-and-samesite": 5,
  "cookies-secure-with-httponly-sessions": 0,
  "cookies-not-found": 0,
  "cookies-without-secure-flag-but-protected-by-hsts": -5,
  "cookies-without-secure-flag": -20,
  "cookies-session-without-httponly-flag": -30,
  "cross-origin-resource-sharing-not-implemented": 0,
  "cross-origin-resource-sharing-implemented-with-public-access": 0,
  "cross-origin-resource-sharing-implemented-with-restricted-access": 0,
  "cross-origin-resource-sharing-implemented-with-universal-access": -50,
  "redirection-to-https": 0,
  "redirection-not-needed-no-http": 0,
  "redirection-missing": -20,
  "referrer-policy-private": 5,
  "referrer-policy-not-implemented": 0,
  "referrer-policy-unsafe": -5,
  "referrer-policy-header-invalid": -5,
  "hsts-preloaded": 5,
  "hsts-implemented-max-age-at-least-six-months": 0,
  "hsts-implemented-max-age-less-than-six-months": -10,
  "hsts-not-implemented": -20,
  "hsts-header-invalid": -20,
  "sri-implemented-and-all-scripts-loaded-securely": 5,
  "sri-not-implemented-response-not-html": 0,
  "sri-not-implemented-but-no-scripts-loaded": 0,
  "sri-not-implemented-but-all-scripts-loaded-from-secure-origin": 0,
  "sri-not-implemented-but-external-scripts-loaded-securely": -5,
  "sri-not-implemented-and-external-scripts-not-loaded-securely": -50,
  "x-content-type-options-nosniff": 0,
  "x-content-type-options-not-implemented": -5,
  "x-content-type-options-header-invalid": -5,
  "x-frame-options-implemented-via-csp": 5,
  "x-frame-options-sameorigin-or-deny": 0,
  "x-frame-options-not-implemented": -20,
  "x-frame-options-header-invalid": -20,
  "cross-origin-resource-policy-implemented-with-same-origin": 10,
  "cross-origin-resource-policy-implemented-with-same-site": 10,
  "cross-origin-resource-policy-implemented-with-cross-origin": 0,
  "cross-origin-resource-policy-not-implemented": 0,
  "cross-origin-resource-policy-header-invalid": -5,
};

export function scan(scanned: Scanned): Scan {
  const { headers, html, redirection, preloaded } = scanned;
  const csp = parsePolicy(headers.get("content-security-policy"));
  const hsts = judgeHsts(headers.get("strict-transport-security"), preloaded);
  const results = [
    judgeCsp(csp),
    judgeCookies(headers.getSetCookie(), hsts),
    judgeCors(headers),
    redirection,
    judgeReferrer(headers.get("referrer-policy")),
    hsts,
    judgeScripts(headers.get("content-type") ?? "", html),
    judgeNosniff(headers.get("x-content-type-options")),
    judgeFraming(headers.get("x-frame-options"), csp),
    judgeEmbedding(headers.get("cross-origin-resource-policy")),
  ];
  const modifiers = results.map(modifierOf);
  const bare = 100 + sum(modifiers.filter((modifier) => modifier < 0));
  const credit = sum(modifiers.filter((modifier) => modifier > 0));
  const score = Math.max(0, bare >= EXTRA_CREDIT_FROM ? bare + credit : bare);
  return { score, grade: gradeOf(score), results };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function modifierOf(result: string): number {
  const modifier = MODIFIERS[result];
  if (modifier === undefined) throw new Error(`no rule is called ${result}`);
  return modifier;
}

const GRADES: readonly (readonly [least: number, grade: string])[] = [
  [100, "A+"],
  [90, "A"],
  [85, "A-"],
  [80, "B+"],
  [70, "B"],
  [65, "B-"],
  [60, "C+"],
  [50, "C"],
  [45, "C-"],
  [40, "D+"],
  [30, "D"],
  [25, "D-"],
];

function gradeOf(score: number): string {
  return GRADES.find(([least]) => score >= least)?.[1] ?? "F";
}

type Policy = ReadonlyMap<string, readonly string[]>;

function parsePolicy(header: string | null): Policy {
  const directives = (header ?? "")
    .split(";")
    .map((directive) => directive.trim().toLowerCase().split(/\s+/u))
    .filter(([name]) => name !== "");
  return new Map(directives.map(([name = "", ...sources]) => [name, sources]));
}

const BROAD = new Set(["ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"]);

function judgeCsp(csp: Policy): string {
  if (csp.size === 0) return "csp-not-implemented";
  const byDefault = csp.get("default-src") ?? ["*"];
  const of = (name: string): readonly string[] => csp.get(name) ?? byDefault;
  const scripts = effective(of("script-src"));
  const styles = effective(of("style-src"));
  const isOpen = (source: string): boolean =>
    BROAD.has(source) || source === "'unsafe-inline'" || source === "data:";
  const isClear = (source: string): boolean => /^(?:http|ftp):/u.test(source);
  const active = [...csp].filter(([name]) => name !== "img-src" && name !== "media-src");
  if (scripts.some(isOpen) || of("object-src").some((source) => BROAD.has(source))) {
    return "csp-implemented-with-unsafe-inline";
  }
  if (active.flatMap(([, sources]) => sources).some(isClear)) return "csp-implemented-with-insecure-scheme";
  if ([...scripts, ...styles].includes("'unsafe-eval'")) return "csp-implemented-with-unsafe-eval";
  if ([...of("img-src"), ...of("media-src")].some(isClear)) {
    return "csp-implemented-with-insecure-scheme-in-passive-content-only";
  }
  if (styles.some(isOpen)) return "csp-implemented-with-unsafe-inline-in-style-src-only";
  const isNone = byDefault.length === 1 && byDefault[0] === "'none'";
  return `csp-implemented-with-no-unsafe${isNone ? "-default-src-none" : ""}`;
}

/** Beside a nonce or a hash browsers ignore 'unsafe-inline'. */
function effective(sources: readonly string[]): readonly string[] {
  const isStrict = sources.some((source) => /^'(?:nonce|sha256|sha384|sha512)-/u.test(source));
  return isStrict ? sources.filter((source) => source !== "'unsafe-inline'") : sources;
}

function judgeCookies(cookies: readonly string[], hsts: string): string {
  if (cookies.length === 0) return "cookies-not-found";
  const flags = cookies.map((cookie) =>
    cookie
      .toLowerCase()
      .split(";")
      .map((part) => part.trim()),
  );
  const isSession = ([pair = ""]: readonly string[]): boolean => /^[^=]*(?:login|sess)/u.test(pair);
  if (flags.some((of) => isSession(of) && !of.includes("httponly"))) {
    return "cookies-session-without-httponly-flag";
  }
  if (flags.some((of) => !of.includes("secure"))) {
    const isProtected = hsts === "hsts-preloaded" || hsts.endsWith("at-least-six-months");
    return `cookies-without-secure-flag${isProtected ? "-but-protected-by-hsts" : ""}`;
  }
  const areBound = flags.every((of) => of.some((flag) => flag.startsWith("samesite=")));
  return `cookies-secure-with-httponly-sessions${areBound ? "-and-samesite" : ""}`;
}

/** Whether the origin that asked is told back, with credentials: `*` costs nothing. */
function judgeCors(headers: Headers): string {
  const rule = "cross-origin-resource-sharing";
  const origin = headers.get("access-control-allow-origin");
  if (origin === null) return `${rule}-not-implemented`;
  if (origin.trim() === "*") return `${rule}-implemented-with-public-access`;
  const isOpen = headers.get("access-control-allow-credentials") === "true";
  return `${rule}-implemented-with-${isOpen ? "universal" : "restricted"}-access`;
}

const PRIVATE = new Set(["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"]);
const UNSAFE = new Set(["origin", "origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade"]);

function judgeReferrer(header: string | null): string {
  if (header === null) return "referrer-policy-not-implemented";
  const known = header.split(",").map((policy) => policy.trim().toLowerCase());
  const last = known.findLast((policy) => PRIVATE.has(policy) || UNSAFE.has(policy));
  if (last === undefined) return "referrer-policy-header-invalid";
  return PRIVATE.has(last) ? "referrer-policy-private" : "referrer-policy-unsafe";
}

/** Neither `includeSubDomains` nor `preload` counts: only that browsers have the host in their list. */
function judgeHsts(header: string | null, preloaded: boolean): string {
  if (preloaded) return "hsts-preloaded";
  if (header === null) return "hsts-not-implemented";
  const seconds = /(?:^|;)\s*max-age=(\d+)/iu.exec(header)?.[1];
  if (seconds === undefined || header.includes(",")) return "hsts-header-invalid";
  // Mozilla's six months.
  return `hsts-implemented-max-age-${Number(seconds) >= 15_552_000 ? "at-least" : "less-than"}-six-months`;
}

function judgeScripts(type: string, html: string): string {
  if (!/^(?:text\/html|application\/xhtml\+xml)/u.test(type)) return "sri-not-implemented-response-not-html";
  const scripts = html.match(/<script\b[^>]*>/giu) ?? [];
  if (scripts.length === 0) return "sri-not-implemented-but-no-scripts-loaded";
  const named = scripts.filter((script) => /\ssrc=/iu.test(script));
  const foreign = named.filter((script) => /\ssrc=["']?(?:https?:)?\/\//iu.test(script));
  const bare = foreign.filter((script) => !/\sintegrity=/iu.test(script));
  if (bare.some((script) => !/\ssrc=["']?https:/iu.test(script))) {
    return "sri-not-implemented-and-external-scripts-not-loaded-securely";
  }
  if (bare.length > 0) return "sri-not-implemented-but-external-scripts-loaded-securely";
  const isWhole = named.some((script) => /\sintegrity=/iu.test(script));
  return isWhole
    ? "sri-implemented-and-all-scripts-loaded-securely"
    : "sri-not-implemented-but-all-scripts-loaded-from-secure-origin";
}

function judgeNosniff(header: string | null): string {
  if (header === null) return "x-content-type-options-not-implemented";
  const isRight = header.trim().toLowerCase() === "nosniff";
  return `x-content-type-options-${isRight ? "nosniff" : "header-invalid"}`;
}

function judgeFraming(header: string | null, csp: Policy): string {
  if (csp.has("frame-ancestors")) return "x-frame-options-implemented-via-csp";
  if (header === null) return "x-frame-options-not-implemented";
  const isRight = ["deny", "sameorigin"].includes(header.trim().toLowerCase());
  return `x-frame-options-${isRight ? "sameorigin-or-deny" : "header-invalid"}`;
}

function judgeEmbedding(header: string | null): string {
  const rule = "cross-origin-resource-policy";
  if (header === null) return `${rule}-not-implemented`;
  const policy = header.trim().toLowerCase();
  const isKnown = ["same-origin", "same-site", "cross-origin"].includes(policy);
  return isKnown ? `${rule}-implemented-with-${policy}` : `${rule}-header-invalid`;
}
