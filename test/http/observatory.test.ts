import { beforeEach, expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { watched } from "../history/real-kv.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { EVERY_ROUTE, ODD_ADDRESSES, publishAll } from "./every-route.ts";
import { MODIFIERS, scan, type Scan } from "./observatory.ts";
import { depsOf, NOW_MS, useWorld } from "./published-status.ts";

const world = useWorld();
beforeEach(() => publishAll(world));

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const GOOD: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

function scanOf(headers: Readonly<Record<string, string>>, html = ""): Scan {
  return scan({ headers: new Headers(headers), html, redirection: "redirection-to-https", preloaded: false });
}

test("a host without any of these headers has an F, and extra credit counts from 90 on alone", () => {
  expect(scanOf({ "content-type": "text/html" })).toMatchObject({ score: 30, grade: "D" });
  const inTheClear = { headers: new Headers(), html: "", preloaded: false } as const;
  expect(scan({ ...inTheClear, redirection: "redirection-missing" })).toMatchObject({
    score: 10,
    grade: "F",
  });
  expect(scanOf(GOOD)).toMatchObject({ score: 130, grade: "A+" });
  const good = { headers: new Headers(GOOD), html: "", preloaded: false } as const;
  expect(scan({ ...good, redirection: "redirection-missing" })).toMatchObject({ score: 80, grade: "B+" });
  expect(scan({ ...good, redirection: "redirection-to-https", preloaded: true }).score).toBe(135);
});

const CSP = "content-security-policy";
const RULES: readonly (readonly [header: string, value: string, result: string])[] = [
  [CSP, "default-src 'none'", "csp-implemented-with-no-unsafe-default-src-none"],
  [CSP, "default-src 'self'", "csp-implemented-with-no-unsafe"],
  [CSP, "default-src 'none' https://a.example", "csp-implemented-with-no-unsafe"],
  [
    CSP,
    "default-src 'none'; style-src 'unsafe-inline'",
    "csp-implemented-with-unsafe-inline-in-style-src-only",
  ],
  [CSP, "default-src 'none'; script-src 'unsafe-inline'", "csp-implemented-with-unsafe-inline"],
  [CSP, "default-src 'none'; script-src data:", "csp-implemented-with-unsafe-inline"],
  [CSP, "default-src 'none'; object-src *", "csp-implemented-with-unsafe-inline"],
  [CSP, "frame-ancestors 'none'", "csp-implemented-with-unsafe-inline"],
  [
    CSP,
    "default-src 'none'; script-src 'nonce-a' 'unsafe-inline'",
    "csp-implemented-with-no-unsafe-default-src-none",
  ],
  [CSP, "default-src 'none'; script-src 'unsafe-eval'", "csp-implemented-with-unsafe-eval"],
  [CSP, "default-src 'none'; font-src http://a.example", "csp-implemented-with-insecure-scheme"],
  [
    CSP,
    "default-src 'none'; img-src http://a.example",
    "csp-implemented-with-insecure-scheme-in-passive-content-only",
  ],
  [CSP, "", "csp-not-implemented"],
  ["referrer-policy", "unsafe-url, strict-origin", "referrer-policy-private"],
  ["referrer-policy", "strict-origin, unsafe-url", "referrer-policy-unsafe"],
  ["referrer-policy", "never", "referrer-policy-header-invalid"],
  ["strict-transport-security", "max-age=15552000", "hsts-implemented-max-age-at-least-six-months"],
  ["strict-transport-security", "max-age=15551999; preload", "hsts-implemented-max-age-less-than-six-months"],
  ["strict-transport-security", "includeSubDomains", "hsts-header-invalid"],
  ["strict-transport-security", "max-age=63072000, max-age=0", "hsts-header-invalid"],
  ["x-content-type-options", "sniff", "x-content-type-options-header-invalid"],
  ["cross-origin-resource-policy", "same-site", "cross-origin-resource-policy-implemented-with-same-site"],
  [
    "cross-origin-resource-policy",
    "cross-origin",
    "cross-origin-resource-policy-implemented-with-cross-origin",
  ],
  ["cross-origin-resource-policy", "none", "cross-origin-resource-policy-header-invalid"],
  ["access-control-allow-origin", "*", "cross-origin-resource-sharing-implemented-with-public-access"],
  [
    "access-control-allow-origin",
    "https://a.example",
    "cross-origin-resource-sharing-implemented-with-restricted-access",
  ],
  ["set-cookie", "a=1; Secure; SameSite=Lax", "cookies-secure-with-httponly-sessions-and-samesite"],
  ["set-cookie", "a=1; Secure", "cookies-secure-with-httponly-sessions"],
  ["set-cookie", "a=1", "cookies-without-secure-flag-but-protected-by-hsts"],
  ["set-cookie", "session=1; Secure", "cookies-session-without-httponly-flag"],
];

test.each(RULES)("%s: %s is %s", (header, value, result) => {
  expect(scanOf({ ...GOOD, [header]: value }).results).toContain(result);
  expect(MODIFIERS).toHaveProperty(result);
});

test.each([
  ["cross-origin-resource-policy", "cross-origin-resource-policy-not-implemented", 120],
  ["referrer-policy", "referrer-policy-not-implemented", 125],
  ["strict-transport-security", "hsts-not-implemented", 80],
  ["x-content-type-options", "x-content-type-options-not-implemented", 125],
  [CSP, "x-frame-options-not-implemented", 55],
])("without %s it is %s, and %i in all", (header, result, score) => {
  const { [header]: _, ...others } = GOOD;
  expect(scanOf(others)).toMatchObject({ score, results: expect.arrayContaining([result]) });
});

test("an origin that is told back, with credentials, costs half of all", () => {
  const headers = {
    "access-control-allow-origin": "https://a.example",
    "access-control-allow-credentials": "true",
  };
  expect(scanOf({ ...GOOD, ...headers })).toMatchObject({ score: 50, grade: "C" });
});

test.each([
  [`<script src="/a.js"></script>`, "sri-not-implemented-but-all-scripts-loaded-from-secure-origin"],
  [`<script src="/a.js" integrity="sha384-x"></script>`, "sri-implemented-and-all-scripts-loaded-securely"],
  [`<script src="https://a.example/a.js">`, "sri-not-implemented-but-external-scripts-loaded-securely"],
  [`<script src="//a.example/a.js">`, "sri-not-implemented-and-external-scripts-not-loaded-securely"],
  ["<p>", "sri-not-implemented-but-no-scripts-loaded"],
])("%s is %s", (html, result) => {
  expect(scanOf(GOOD, html).results).toContain(result);
});

const TOKEN = "let-me-see-the-page";

async function scanAt(path: string, deps: Partial<AppDeps> = {}, kv = depsOf(world.kv).kv): Promise<Scan> {
  const request = (url: string, more: Record<string, string> = {}): Request =>
    new Request(url, { headers: { ...BROWSER, origin: "https://a.example", ...more } });
  const response = await handleRequest(request(`https://status.example${path}`), depsOf(kv, deps));
  const inTheClear = request(`http://status.example${path}`, { "cf-visitor": '{"scheme":"http"}' });
  const { headers } = await handleRequest(inTheClear, depsOf(kv, deps));
  const isLed = headers.get("location") === `https://status.example${path}`;
  return scan({
    headers: response.headers,
    html: await response.text(),
    redirection: isLed ? "redirection-to-https" : "redirection-missing",
    preloaded: false,
  });
}

const PAGE_RESULTS = [
  "csp-implemented-with-no-unsafe-default-src-none",
  "cookies-not-found",
  "cross-origin-resource-sharing-implemented-with-public-access",
  "redirection-to-https",
  "referrer-policy-private",
  "hsts-implemented-max-age-at-least-six-months",
  "x-content-type-options-nosniff",
  "x-frame-options-implemented-via-csp",
  "cross-origin-resource-policy-implemented-with-same-origin",
];

const PAGES = Object.values(EVERY_ROUTE).filter(({ type }) => type.startsWith("text/html"));
const DATA = Object.values(EVERY_ROUTE).filter(({ type }) => !type.startsWith("text/html"));

test.each(PAGES)("$url has an A+", async ({ url }) => {
  const { score, grade, results } = await scanAt(url);
  expect([score, grade]).toEqual([130, "A+"]);
  // The script is a file of the site's own; where no instant is shown, it is not loaded.
  const ofScripts = ["/docs", "/causes", "/explain"].includes(url)
    ? "no-scripts-loaded"
    : "all-scripts-loaded-from-secure-origin";
  expect(results.toSorted()).toEqual([...PAGE_RESULTS, `sri-not-implemented-but-${ofScripts}`].toSorted());
  expect(await scanAt(url, { now: () => NOW_MS + 3_600_000 })).toMatchObject({ score: 130, grade: "A+" });
});

test.each(DATA)("$url, which is no page, has one too", async ({ url }) => {
  expect(await scanAt(url)).toMatchObject({ score: 120, grade: "A+" });
});

test("so have failures, the private view and its door", async () => {
  for (const path of ODD_ADDRESSES.filter((odd) => !odd.includes("cdn-cgi"))) {
    const { score, grade } = await scanAt(path);
    expect({ grade, isHigh: score >= 120 }, path).toEqual({ grade: "A+", isHigh: true });
  }
  const dark = watched(world.kv, [snapshotKey(0)]);
  for (const { url } of PAGES) expect(await scanAt(url, {}, dark)).toMatchObject({ score: 130, grade: "A+" });
  for (const viewToken of [TOKEN, "short"]) {
    for (const { url } of Object.values(EVERY_ROUTE)) {
      expect(await scanAt(url, { viewToken })).toMatchObject({ score: 130, grade: "A+" });
    }
  }
});
