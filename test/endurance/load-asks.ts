/** What is asked under load: each route of the application's own table, in each way, and what must be refused. */
import { fillFace, routePaths } from "../bench/every-address.ts";

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
  return [...paths.flatMap(waysOf), ...(await posts(address)), ...refused(gateway)];
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

async function anIncident(address: string): Promise<{ incident: string; report: string }> {
  const { incidents } = (await (await fetch(`${address}/api/v1/incidents`)).json()) as {
    incidents: { id: string; report: string | null }[];
  };
  for (const { id, report } of incidents) if (report !== null) return { incident: id, report };
  throw new Error("there is no incident with a report");
}

const PASTED = `HTTP/1.1 401 Unauthorized
content-type: application/json

{"error":{"message":"bad key"}}`;

/** Of a text, in each form in which the routes take one. */
const BODIES: Readonly<Record<string, string>> = {
  "application/json": JSON.stringify({ text: PASTED }),
  "text/plain": PASTED,
  "application/x-www-form-urlencoded": new URLSearchParams({ text: PASTED }).toString(),
};

/** Whatever the API's description says to take a POST from everybody. */
async function posts(address: string): Promise<readonly Ask[]> {
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as {
    paths: Readonly<
      Record<string, { post?: { requestBody?: { content: Readonly<Record<string, unknown>> } } }>
    >;
  };
  const taking = Object.entries(paths).filter(
    ([path, { post }]) => post && !path.startsWith("/api/v1/admin/"),
  );
  if (taking.length === 0) throw new Error("nothing that takes a POST is described");
  return taking.flatMap(([path, { post }]) => {
    const bodies = Object.entries(BODIES).filter(([type]) =>
      Object.hasOwn(post?.requestBody?.content ?? {}, type),
    );
    if (bodies.length === 0) throw new Error(`nothing is known that ${path} takes`);
    return bodies.flatMap(([type, body]): Ask[] => [
      posted(path, type, body, [200], "authentication"),
      posted(path, "image/png", body, [415], null),
    ]);
  });
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
    ["/api/v1/admin/alerts", 404],
  ];
  return [
    ...bad.map(([path, status]) => plain(path, status)),
    posted("/api/v1/status", "application/json", "{}", [405], null),
  ];
}
