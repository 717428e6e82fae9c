/** What holds answers against the description finds what is not as it says. */
import { expect, test } from "vitest";
import { statusDocument } from "../http/published-status.ts";
import { faultsOf } from "./description.ts";

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  etag: '"1"',
  "access-control-allow-origin": "*",
};

function faults(over: {
  method?: string;
  path?: string;
  status?: number;
  /** Undefined: it is left out. */
  headers?: Record<string, string | undefined>;
  body?: unknown;
}): readonly string[] {
  const { method = "GET", path = "/api/v1/status", status = 200, headers = HEADERS } = over;
  const { body = statusDocument() } = over;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return faultsOf({ method, path }, { status, headers: new Headers(Object.fromEntries(given)), text });
}

const PROBLEM = {
  type: "about:blank",
  title: "Service unavailable",
  status: 503,
  detail: "There is no result yet.",
  instance: "/api/v1/status",
};
const PROBLEM_TYPE = { "content-type": "application/problem+json" };
const PRIVATE = { "content-type": "application/json", "cache-control": "private, no-store" };
const HTML = { ...HEADERS, "content-type": "text/html; charset=utf-8" };
const ASKING = { ...PROBLEM_TYPE, "www-authenticate": "Bearer", "cache-control": "private, no-store" };
const LOCKED = { ...PROBLEM, title: "This page is private", status: 401 };
const HISTORY = "/api/v1/gateways/acme/monitors/models/history";
const ALERTS = "/api/v1/admin/alerts";

test("what is as it is described has no faults", () => {
  expect(faults({})).toEqual([]);
  expect(faults({ method: "HEAD", body: "" })).toEqual([]);
  const late = { ...PROBLEM_TYPE, "retry-after": "60" };
  expect(faults({ status: 503, headers: late, body: PROBLEM })).toEqual([]);
});

test.each<[string, Parameters<typeof faults>[0], RegExp]>([
  ["a member too many", { body: { ...statusDocument(), hostname: "10.0.0.1" } }, /hostname/u],
  [
    "a member of a member too many",
    { body: statusDocument({ gateways: [gatewayWith({ key: "x" })] }) },
    /key/u,
  ],
  ["a member too few", { body: { ...statusDocument(), putOff: undefined } }, /putOff/u],
  ["a member of another type", { body: { ...statusDocument(), stale: "no" } }, /stale/u],
  ["a word that there is not", { body: { ...statusDocument(), status: "fine" } }, /status/u],
  [
    "an instant without milliseconds",
    { body: { ...statusDocument(), generatedAt: "2026-11-20T12:00:00Z" } },
    /generatedAt/u,
  ],
  ["a status that there is not", { status: 418, body: PROBLEM, headers: PROBLEM_TYPE }, /no such status/u],
  ["a type that there is not", { headers: { ...HEADERS, "content-type": "text/plain" } }, /no such type/u],
  ["no tag", { headers: { ...HEADERS, etag: undefined } }, /etag is missing/u],
  ["a header that there is not", { headers: { ...HEADERS, "x-internal": "1" } }, /x-internal/u],
  ["a 503 that does not say when", { status: 503, headers: PROBLEM_TYPE, body: PROBLEM }, /retry-after/u],
  ["a 304 with a body", { status: 304 }, /has a body/u],
  ["a HEAD with a body", { method: "HEAD" }, /HEAD has a body/u],
  ["a good answer where there is nothing", { path: "/api/v1/secrets" }, /what is not there takes no GET/u],
  ["a POST that does something", { method: "POST" }, /takes no POST/u],
  [
    "a POST to administration that reads",
    { method: "POST", path: ALERTS, headers: PRIVATE },
    /takes no POST/u,
  ],
  ["a choice that nobody is told of", { headers: { ...HEADERS, vary: "cookie" } }, /vary is not described/u],
  [
    "another choice than the one that is told of",
    { path: "/", headers: { ...HTML, vary: "cookie" } },
    /vary: .*constant/u,
  ],
  [
    "a 304 that does not say what chose it",
    { path: HISTORY, status: 304, headers: HEADERS, body: "" },
    /vary is missing/u,
  ],
  [
    "a page under /api/",
    { status: 401, headers: { "content-type": "text/html", "www-authenticate": "Basic" }, body: "<p>" },
    /a page under/u,
  ],
  ["a redirection to nowhere", { status: 308, headers: PRIVATE, body: "" }, /location is missing/u],
  [
    "a refusal that asks for nothing",
    { status: 401, headers: PROBLEM_TYPE, body: LOCKED },
    /www-authenticate/u,
  ],
  ["a closed /healthz", { path: "/healthz", status: 401, headers: ASKING, body: LOCKED }, /no such status/u],
  ["OPTIONS that allows nothing", { method: "OPTIONS", status: 204, headers: {}, body: "" }, /allow/u],
])("%s is a fault", (_, over, fault) => {
  expect(faults(over).join("\n")).toMatch(fault);
});

function gatewayWith(more: object) {
  const [gateway] = statusDocument().gateways;
  return { ...gateway!, ...more };
}

test("an answer that is nobody else's needs neither a tag nor CORS", () => {
  const { "content-type": type } = HEADERS;
  expect(faults({ headers: { "content-type": type, "cache-control": "private, no-store" } })).toEqual([]);
  expect(faults({ headers: { "content-type": type } }).join("\n")).toMatch(/etag is missing/u);
});

const EVERYWHERE = [
  "/",
  "/api/v1/status",
  "/docs",
  "/badge/a.svg",
  "/badge/a.png",
  "/assets/b.css",
  "//",
  "/no/such?a=b",
];

test.each(EVERYWHERE)("at %s may be answered what any address may answer", (path) => {
  const { "content-type": _, ...led } = { ...PRIVATE, location: "https://status.example/" };
  const other = { ...PROBLEM_TYPE, allow: "GET, HEAD, OPTIONS" };
  for (const method of ["GET", "POST", "OPTIONS", "PROPFIND"]) {
    expect(faults({ method, path, status: 308, headers: led, body: "" })).toEqual([]);
    expect(faults({ method, path, status: 401, headers: ASKING, body: LOCKED })).toEqual([]);
    expect(faults({ method, path, status: 405, headers: other, body: PROBLEM })).toEqual([]);
    expect(faults({ method, path, status: 500, headers: PROBLEM_TYPE, body: PROBLEM })).toEqual([]);
    // Not even when to come back is told where the token is of no use.
    const closed = { ...PROBLEM_TYPE, "cache-control": "private, no-store" };
    expect(faults({ method, path, status: 503, headers: closed, body: PROBLEM })).toEqual([]);
  }
});

test("points of lines and rows are held against it too", () => {
  const path = HISTORY;
  const point = {
    at: "2026-11-20T12:00:00.000Z",
    health: "up",
    cause: "ok",
    latencyMs: 1,
    attempts: 1,
    waitedMs: 0,
    httpStatus: 200,
    inMaintenance: false,
    generation: null,
  };
  const headers = { ...HEADERS, vary: "accept", "content-type": "application/x-ndjson; charset=utf-8" };
  expect(faults({ path, headers, body: `${JSON.stringify(point)}\n` })).toEqual([]);
  const { cause: _, ...causeless } = point;
  expect(faults({ path, headers, body: JSON.stringify(causeless) })).not.toEqual([]);
  const csv = { ...headers, "content-type": "text/csv; charset=utf-8" };
  expect(faults({ path, headers: csv, body: "when,health\r\n" })).toEqual(["the CSV has another header"]);
});
