/** What is asked under load: each route of the application's own table, in each way, and what must be refused. */
import { anIncident, fillFace, routePaths } from "../bench/every-address.ts";

export interface Ask {
  readonly path: string;
  readonly expected: readonly number[];
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Of an answer of 200; null: nothing more is expected of it. */
  readonly contains: string | null;
  /** With the ETag that the address had before. */
  readonly isConditional: boolean;
}

/** More addresses of some routes. */
const MORE: readonly string[] = [
  "/feed.atom?gateway=:gateway",
  "/badge/:gateway.svg?label=%E7%8A%B6%E6%80%81",
  "/gateways/:gateway?lang=zh",
  "/?page=1",
];

function plain(path: string, status: number): Ask {
  return {
    path,
    expected: [status],
    method: "GET",
    headers: {},
    body: null,
    contains: null,
    isConditional: false,
  };
}

/** @throws where a route has a part that is not known here. */
export async function asksOf(address: string, gateway: string): Promise<readonly Ask[]> {
  const parts = { gateway, monitor: "models", ...(await anIncident(address)) };
  const paths = [...(await routePaths()), ...MORE].map((face) => fillFace(face, parts));
  return [...paths.flatMap(waysOf), ...posts(), ...refused(gateway)];
}

function waysOf(path: string): readonly Ask[] {
  const ask = plain(path, 200);
  return [
    ask,
    { ...ask, method: "HEAD" },
    { ...ask, headers: { "accept-encoding": "gzip" } },
    { ...ask, headers: { "accept-language": "zh-CN" } },
    { ...ask, isConditional: true, expected: [200, 304] },
  ];
}

const PASTED = `HTTP/1.1 401 Unauthorized
content-type: application/json

{"error":{"message":"bad key"}}`;

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** Each address that takes a text from everybody, in each form in which it takes one. */
const TEXTS: readonly (readonly [path: string, type: string, body: string])[] = [
  ["/api/v1/explain", JSON_TYPE, JSON.stringify({ text: PASTED })],
  ["/api/v1/explain", "text/plain", PASTED],
  ["/explain", FORM_TYPE, new URLSearchParams({ text: PASTED }).toString()],
];

function posts(): readonly Ask[] {
  return TEXTS.flatMap(([path, type, body]) => [
    posted(path, type, body, [200], "authentication"),
    posted(path, "image/png", body, [415], null),
  ]);
}

function posted(
  path: string,
  type: string,
  body: string,
  expected: readonly number[],
  contains: string | null,
): Ask {
  const headers = { "content-type": type };
  return { path, expected, method: "POST", headers, body, contains, isConditional: false };
}

function refused(gateway: string): readonly Ask[] {
  const of = `/api/v1/gateways/${gateway}/monitors/models`;
  const bad: readonly (readonly [path: string, status: number])[] = [
    ["/nothing/here", 404],
    ["/api/v1/gateways/none/monitors/none", 404],
    ["/api/v1/incidents/none", 404],
    ["/api/v1/reports/none", 404],
    ["/gateways/%E7%BD%91%E5%85%B3", 404],
    ["/badge/none.svg", 404],
    [`${of}/history?step=nonsense`, 400],
    ["/api/v1/incidents?before=yesterday", 400],
    ["/api/v1/admin/alerts", 401],
  ];
  return [
    ...bad.map(([path, status]) => plain(path, status)),
    posted("/api/v1/status", JSON_TYPE, "{}", [405], null),
  ];
}
