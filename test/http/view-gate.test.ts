/** The private view: every address by every method, with the token and without; which tokens open it, and how they may be sent. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Env, viewTokenOf } from "../../src/compose/env.ts";
import type * as app from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import {
  BROWSER,
  EVERY_ROUTE,
  expectPrivate,
  headersOf,
  lockedHeaders,
  METHODS,
  ODD_ADDRESSES,
  publishAll,
} from "./every-route.ts";
import { NOW_MS } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();
/** In each test one isolate, which remembers what it read. */
let memory = new SnapshotMemory();
const ask: typeof world.ask = (path, init, deps) =>
  world.ask(path, init, { viewToken: TOKEN, memory, ...deps });
beforeEach(async () => {
  memory = new SnapshotMemory();
  await publishAll(world);
});

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

const TOKEN = "let-me-see:the-page";
const BEARER = { authorization: `Bearer ${TOKEN}` };
const BASIC = { authorization: basic(`prometheus:${TOKEN}`) };
const CLOSED = Object.values(EVERY_ROUTE).filter(({ url }) => url !== "/healthz");
const ADMIN = "correct-horse-battery-staple";
const REPORT = "/api/v1/reports/acme-models-20261120t080000z-1";

const EVERYWHERE = [...CLOSED.map(({ url }) => url), "/api/v1/explain", ...ODD_ADDRESSES];
const SCHEMES = 'Basic realm="Gatepulse", charset="UTF-8", Bearer realm="Gatepulse"';
const LOCKED_HEADERS = lockedHeaders(SCHEMES);

const LOCKED = {
  type: "about:blank",
  title: "This page is private",
  status: 401,
  detail: "Send the token as a bearer token, or as the password of any user.",
};

describe("without the token", () => {
  test("every address, good or not, says the same to every method, and reads nothing", async () => {
    const kv = { getWithMetadata: () => Promise.reject(new Error("nothing is read for nobody")) };
    const administer = vi.fn<AppDeps["administer"]>();
    for (const adminToken of [null, ADMIN]) {
      for (const path of EVERYWHERE) {
        for (const method of METHODS) {
          const response = await ask(path, { method }, { kv, adminToken, administer });
          expect(response.status, `${method} ${path}`).toBe(401);
          expect(headersOf(response)).toEqual(LOCKED_HEADERS);
          const { pathname } = new URL(`https://status.example${path}`);
          const told = method === "HEAD" ? "" : JSON.stringify({ ...LOCKED, instance: pathname });
          expect(await response.text()).toBe(told);
        }
      }
    }
    expect(administer).not.toHaveBeenCalled();
  });

  test("a browser is shown a page, which loads nothing and names nothing", async () => {
    for (const path of "/ /gateways/acme /metrics /badge/acme.svg /nope // /assets/x.css".split(" ")) {
      const response = await ask(path, { headers: BROWSER });
      expect(response.status).toBe(401);
      expectPrivate(response, path);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("www-authenticate")).toBe(SCHEMES);
      const html = await response.text();
      expect(html).toContain("<h1>This page is private</h1>");
      expect(html.match(/(?:href|src|action)="[^"]*"/gu)).toEqual(['href="data:,"']);
      expect(html).not.toMatch(/acme/iu);
    }
    const chinese = await ask("/", { headers: { ...BROWSER, "accept-language": "zh-CN,en;q=0.5" } });
    expect(await chinese.text()).toContain('<html lang="zh-Hans">');
    const api = await ask("/api/v1/status", { headers: BROWSER });
    expect(api.headers.get("content-type")).toBe("application/problem+json");
    const head = await ask("/", { method: "HEAD", headers: BROWSER });
    expect([head.status, await head.text()]).toEqual([401, ""]);
  });
});

describe("with the token", () => {
  test.each(CLOSED)(
    "$url tells what it tells everybody otherwise, and nobody may keep it",
    async ({ url }) => {
      const open = await ask(url, {}, { viewToken: null });
      const body = await open.text();
      for (const headers of [BEARER, BASIC]) {
        const response = await ask(url, { headers });
        expect(response.status).toBe(200);
        expectPrivate(response, url);
        for (const name of ["content-type", "content-security-policy"])
          expect(response.headers.get(name)).toBe(open.headers.get(name));
        expect(await response.text()).toBe(body);
        const head = await ask(url, { method: "HEAD", headers });
        expect([head.status, await head.text()]).toEqual([200, ""]);
        expect(headersOf(head)).toEqual(headersOf(response));
      }
      // A cache that kept a public answer must not hear that it is still good.
      for (const known of [open.headers.get("etag") ?? "", "*"]) {
        const again = await ask(url, { headers: { ...BEARER, "if-none-match": known } });
        expect(again.status).toBe(200);
        expectPrivate(again, url);
      }
    },
  );

  test("what cannot be shown is not kept either", async () => {
    const kv = { getWithMetadata: () => Promise.reject(new Error("KV GET failed: 500")) };
    const broken = { now: vi.fn<() => number>().mockThrow(new Error("secret-ish detail")) };
    const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const { url } of CLOSED) {
      for (const deps of [{ kv }, broken]) expectPrivate(await ask(url, { headers: BEARER }, deps), url);
    }
    expect(complaints).toHaveBeenCalled();
    complaints.mockRestore();
    const inTheClear = await ask("/", { headers: { ...BEARER, "cf-visitor": '{"scheme":"http"}' } });
    expect(inTheClear.status).toBe(308);
    expectPrivate(inTheClear, "in the clear");
  });
});

test("/healthz alone stays open, and tells whether the monitoring works and nothing more", async () => {
  for (const viewToken of [TOKEN, "short"]) {
    for (const headers of [{}, BEARER, { "if-none-match": "*" }]) {
      for (const [laterMs, status, text] of [
        [0, 200, '{"status":"pass"}'],
        [3_600_000, 503, '{"status":"fail"}'],
      ] as const) {
        const response = await ask("/healthz", { headers }, { viewToken, now: () => NOW_MS + laterMs });
        expectPrivate(response, "/healthz");
        expect(response.headers.get("content-type")).toBe("application/health+json");
        expect([response.status, await response.text()]).toEqual([status, text]);
      }
    }
  }
  const head = await ask("/healthz", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await ask("/healthz", { method: "POST" })).status).toBe(405);
});

describe("the administrator's token", () => {
  const NO_ALERTS = { channels: [], undelivered: [] };
  const NONE_REPLAYED = { replayed: 0, triedNow: 0 };
  const deps: Partial<AppDeps> = {
    adminToken: ADMIN,
    administer: async ({ type }) => ({ ok: true, value: type === "list_alerts" ? NO_ALERTS : NONE_REPLAYED }),
  };
  const asAdmin = { authorization: `Bearer ${ADMIN}` };

  test("opens administration and full reports by itself, and nothing else", async () => {
    const alerts = await ask("/api/v1/admin/alerts", { headers: asAdmin }, deps);
    expect([alerts.status, await alerts.json()]).toEqual([200, NO_ALERTS]);
    expectPrivate(alerts, "admin");
    const note = { method: "POST", headers: asAdmin, body: "{}" };
    expect((await ask("/api/v1/admin/alerts/replay", note, deps)).status).toBe(200);
    const report = await ask(REPORT, { headers: asAdmin }, deps);
    expect(await report.json()).toMatchObject({ endpoint: "https://api.acme.example/v1/models" });
    expectPrivate(report, "report");
    const others = EVERYWHERE.filter(
      (path) => !path.startsWith("/api/v1/reports/") && !/^\/api\/v1\/admin(?:\/|$)/u.test(path),
    );
    expect(others.length).toBeGreaterThan(50);
    for (const path of others) expect((await ask(path, { headers: asAdmin }, deps)).status, path).toBe(401);
  });

  test("is not the viewer's: with that one administration stays closed, and a report is the public's", async () => {
    for (const headers of [BEARER, BASIC]) {
      expect((await ask("/api/v1/admin/alerts", { headers }, deps)).status).toBe(401);
      expect((await ask("/api/v1/admin/alerts", { headers })).status).toBe(404);
      const report = await ask(REPORT, { headers }, deps);
      expect(report.status).toBe(200);
      expect(await report.json()).toMatchObject({ endpoint: "$GATEWAY_BASE_URL/v1/models" });
    }
    const wrong = { headers: { authorization: "Bearer neither-this-nor-that-one" } };
    for (const path of [REPORT, "/api/v1/admin/alerts"]) {
      const response = await ask(path, wrong, deps);
      expect(response.status).toBe(401);
      expect(headersOf(response)).toEqual(LOCKED_HEADERS);
    }
  });
});

test.each([
  ["another token", "Bearer wrong-horse-battery-staple"],
  ["it as the user name", basic(`${TOKEN}:`)],
  ["its beginning as the password", basic(`prometheus:${TOKEN.slice(0, -1)}`)],
  ["what is not UTF-8", `Basic ${Buffer.from([0x75, 0x3a, 0xff, 0xfe]).toString("base64")}`],
])("%s is not the token", async (_, authorization) => {
  const response = await ask("/api/v1/status", { headers: { authorization } });
  expect(response.status).toBe(401);
  expectPrivate(response, "");
  expect(await response.text()).not.toContain(TOKEN);
});

test.each([
  ["a bearer token", `Bearer ${TOKEN}`],
  ["one whose scheme is written otherwise", `bEARER   ${TOKEN}  `],
  ["a password", basic(`prometheus:${TOKEN}`)],
  ["a password of somebody beyond ASCII", basic(`观察者:${TOKEN}`)],
])("%s opens the page", async (_, authorization) => {
  const response = await ask("/", { headers: { authorization } });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("Acme gateways");
});

test.each([
  ["empty", ""],
  ["of 15 characters", "fifteen-letters"],
  ["of several words", "let me see the page"],
  ["beyond ASCII", "lass-mich-die-seite-séhen"],
])("a token that is %s opens nothing to nobody, and the log says why, once", async (_, viewToken) => {
  vi.resetModules();
  // What stands in its place in tests (described-answers.ts) outlives the reset.
  const fresh = await vi.importActual<typeof app>("../../src/http/app.ts");
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    const ways: Record<string, string>[] = [{}, BEARER, { authorization: basic(`u:${viewToken}`) }];
    const bare = viewToken.trim();
    if (/^[\u0021-\u007e]+$/u.test(bare)) ways.push({ authorization: `Bearer ${bare}` });
    for (const { url } of CLOSED) {
      for (const headers of ways) {
        const request = new Request(`https://status.example${url}`, { headers });
        const response = await fresh.handleRequest(request, depsOf(world.kv, { viewToken }));
        expect(response.status).toBe(503);
        expectPrivate(response, url);
        expect(response.headers.get("www-authenticate")).toBeNull();
        expect(await response.json()).toMatchObject({ title: "This page is private" });
      }
    }
    expect(complaints.mock.calls).toEqual([
      [expect.stringMatching(/^http: .*VIEW_TOKEN is .*: no page is shown to anyone$/u)],
    ]);
    if (bare !== "") expect(String(complaints.mock.calls)).not.toContain(bare);
  } finally {
    complaints.mockRestore();
  }
});

test.each([
  [undefined, null],
  [TOKEN, TOKEN],
  [{ fetch: () => null }, ""],
])("VIEW_TOKEN bound to %j is the token %j: what is no text closes the page", (bound, token) => {
  const env: Pick<Env, "VIEW_TOKEN"> = { VIEW_TOKEN: bound };
  expect(viewTokenOf(env as Env)).toBe(token);
});

test("white space that a shell left around the token belongs to nobody's", async () => {
  for (const viewToken of [`${TOKEN}\n`, ` ${TOKEN} `]) {
    expect((await ask("/", { headers: BEARER }, { viewToken })).status).toBe(200);
  }
});
