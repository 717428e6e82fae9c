/** What a cache before the Worker can show to whom: nothing that is private, and what was public for seconds alone. */
import { beforeEach, expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/cache.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { spread } from "../extent.ts";
import { edgeBefore } from "./edge.ts";
import { EVERY_ROUTE, ODD_ADDRESSES, publishAll } from "./every-route.ts";
import { BASIC, BEARER, TOKEN } from "./private-view.ts";
import { NOW_MS, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();
beforeEach(() => publishAll(world));

const ADMIN = "correct-horse-battery-staple";
const AS_ADMIN = { authorization: `Bearer ${ADMIN}` };
const ROUTES = Object.values(EVERY_ROUTE);
const KEPT_FOR_SECONDS = ROUTES.filter(({ caching }) => caching === "shared").map(({ url }) => url);
const REPORT = "/api/v1/reports/acme-models-20261120t080000z-1";

/** A Worker behind an edge; its secrets and its clock may change. */
function worldBehindEdge(viewToken: string | null) {
  const deps: { viewToken: string | null } = { viewToken };
  const clock = { ms: NOW_MS };
  const fixed: Partial<AppDeps> = {
    adminToken: ADMIN,
    memory: new SnapshotMemory(),
    administer: async () => ({ ok: true, value: { channels: [], undelivered: [] } }),
  };
  const worker = (request: Request): Promise<Response> =>
    handleRequest(request, depsOf(world.kv, { ...fixed, ...deps, now: () => clock.ms }));
  return { edge: edgeBefore(worker, () => clock.ms), deps, clock };
}

test("the edge does keep what is public, and answers with it", async () => {
  const { edge, clock } = worldBehindEdge(null);
  for (const url of KEPT_FOR_SECONDS) await edge.ask(url);
  expect([...edge.kept.keys()]).toEqual(KEPT_FOR_SECONDS);
  for (const [laterMs, isHit] of [
    [14_999, true],
    [45_000, false],
  ] as const) {
    clock.ms += laterMs;
    for (const url of KEPT_FOR_SECONDS) expect((await edge.ask(url)).hit).toBe(isHit);
  }
});

test.each([
  [null, false],
  ["https://status.public.example", true],
])("what names the site is kept for all hosts only where it is configured: %s", async (url, isKept) => {
  await world.publish(statusDocument(), { url });
  const { edge } = worldBehindEdge(null);
  for (const path of ["/feed.atom", "/api/v2/summary.json", "/api/v2/status.json"]) {
    const first = await edge.ask(path);
    expect((await edge.ask(path)).hit, path).toBe(isKept);
    expect(first.body.includes("status.public.example"), path).toBe(isKept);
  }
});

test("nothing private is ever kept: who comes after one who may look sees nothing", async () => {
  const { edge } = worldBehindEdge(TOKEN);
  for (const path of [...ROUTES.map(({ url }) => url), ...ODD_ADDRESSES]) {
    for (const headers of [BEARER, BASIC, AS_ADMIN, {}]) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) await edge.ask(path, { method, headers });
      expect(edge.kept.size, path).toBe(0);
    }
    const status = path === "/healthz" ? 200 : 401;
    expect((await edge.ask(path)).status, path).toBe(status);
  }
});

test("in a public view, nothing of the administrator's is kept, nor taken from what the public was told", async () => {
  const { edge } = worldBehindEdge(null);
  await edge.ask(REPORT);
  expect((await edge.ask(REPORT, { headers: AS_ADMIN })).body).toContain("https://api.acme.example");
  expect((await edge.ask(REPORT)).body).not.toContain("https://api.acme.example");
  expect((await edge.ask("/api/v1/admin/alerts", { headers: AS_ADMIN })).status).toBe(200);
  expect((await edge.ask("/api/v1/admin/alerts")).status).toBe(401);
});

test.each([
  ["a token", TOKEN, 45_000, 401],
  ["a token of no use", "short", 75_000, 503],
])(
  "once %s is set, what was public is gone within seconds, whoever asks",
  async (_, token, withinMs, status) => {
    const firsts = [0, 14_000, 16_000, withinMs - 1, withinMs];
    const cases = [{}, { "if-none-match": "*" }, BEARER].flatMap((headers) =>
      firsts.map((firstAfterMs) => ({ headers, firstAfterMs })),
    );
    for (const { headers, firstAfterMs } of spread(cases, 7)) {
      const { edge, deps, clock } = worldBehindEdge(null);
      for (const url of KEPT_FOR_SECONDS) await edge.ask(url);
      deps.viewToken = token;
      clock.ms += firstAfterMs;
      // Even one who may look gives the kept answer no new life.
      for (const url of KEPT_FOR_SECONDS) await edge.ask(url, { headers });
      clock.ms += withinMs - firstAfterMs;
      for (const url of KEPT_FOR_SECONDS) expect((await edge.ask(url)).status).toBe(status);
    }
  },
);
