/** What holds answers against the description finds what is not as it says. */
import { expect, test } from "vitest";
import { probePoint } from "../../src/http/visible.ts";
import { sampleAt } from "../history/published-history.ts";
import { statusDocument } from "../http/documents.ts";
import { faultsOf } from "./description.ts";

const [JSON_TYPE, PROBLEM_JSON] = ["application/json; charset=utf-8", "application/problem+json"];
const HEADERS = { "content-type": JSON_TYPE, etag: '"1"', "access-control-allow-origin": "*" };

interface Answer {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  /** Undefined: it is left out. */
  readonly headers?: Record<string, string | undefined>;
  readonly body?: unknown;
}

function faults({ method = "GET", path = STATUS, status = 200, headers = HEADERS, body = DOCUMENT }: Answer) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return faultsOf({ method, path }, { status, headers: new Headers(given), text });
}

const DOCUMENT = statusDocument();
const STATUS = "/api/v1/status";
const HISTORY = "/api/v1/gateways/acme/monitors/models/history";
const TITLES = { title: "Service unavailable", detail: "There is no result yet." };
const PROBLEM = { ...TITLES, type: "about:blank", status: 503, instance: STATUS };
const PROBLEM_TYPE = { "content-type": PROBLEM_JSON };

test("what is as it is described has no faults", () => {
  expect(faults({})).toEqual([]);
  expect(faults({ method: "HEAD", body: "" })).toEqual([]);
  const late = { ...PROBLEM_TYPE, "retry-after": "60" };
  expect(faults({ status: 503, headers: late, body: PROBLEM })).toEqual([]);
});

test.each<[string, Answer, RegExp]>([
  ["a member too many", { body: { ...DOCUMENT, hostname: "10.0.0.1" } }, /hostname/u],
  ["a member too few", { body: { ...DOCUMENT, putOff: undefined } }, /putOff/u],
  ["a status that there is not", { status: 418, body: PROBLEM, headers: PROBLEM_TYPE }, /no such status/u],
  ["no tag", { headers: { ...HEADERS, etag: undefined } }, /etag is missing/u],
  ["a 503 that does not say when", { status: 503, headers: PROBLEM_TYPE, body: PROBLEM }, /retry-after/u],
  ["a 304 with a body", { status: 304 }, /has a body/u],
  ["a good answer where there is nothing", { path: "/api/v1/secrets" }, /what is not there takes no GET/u],
  ["a POST that does something", { method: "POST" }, /takes no POST/u],
  [
    "a 304 without its choice",
    { path: HISTORY, status: 304, headers: HEADERS, body: "" },
    /vary is missing/u,
  ],
])("%s is a fault", (_, answer, fault) => {
  expect(faults(answer).join("\n")).toMatch(fault);
});

test("points of lines and rows are held against it too", () => {
  const path = HISTORY;
  const { cause, ...causeless } = probePoint(sampleAt(Date.UTC(2026, 10, 20)), false);
  const headers = { ...HEADERS, vary: "accept", "content-type": "application/x-ndjson; charset=utf-8" };
  expect(faults({ path, headers, body: `${JSON.stringify({ ...causeless, cause })}\n` })).toEqual([]);
  expect(faults({ path, headers, body: JSON.stringify(causeless) })).not.toEqual([]);
});
