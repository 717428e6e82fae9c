import { beforeEach, expect, test } from "vitest";
import { createApp, handleRequest } from "../../src/http/app.ts";
import { depsOf, publishedIncident, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument(), { incidents: [publishedIncident()] }));

const INCIDENT = "acme-models-20261120t080000z";
const API = [
  "/api/v1/status",
  "/api/v1/gateways/acme/monitors/models",
  "/api/v1/gateways/acme/monitors/models/history?from=2026-11-20T11:00:00Z&to=2026-11-20T11:00:00Z",
  "/api/v1/incidents",
  `/api/v1/incidents/${INCIDENT}`,
  `/api/v1/reports/${INCIDENT}-1`,
  "/healthz",
  "/openapi.json",
  "/schemas/status.v1.json",
  "/schemas/alert.v1.json",
];
const PAGES = ["/", "/gateways/acme", `/incidents/${INCIDENT}`, `/reports/${INCIDENT}-1`, "/docs", "/causes"];

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return handleRequest(new Request(`https://status.example${path}`, init), depsOf(world.kv));
}

// What tells the time has no tag: manners.test.ts.
test.each([...API, ...PAGES].filter((path) => path !== "/healthz"))(
  "%s has a strong tag, answers 304 and HEAD, and may be read from any origin",
  async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    const tag = response.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]+"$/u);
    expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/u);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const known = await ask(path, { headers: { "if-none-match": tag } });
    expect(known.status).toBe(304);
    expect(known.headers.get("access-control-allow-origin")).toBe("*");
    expect(await known.text()).toBe("");
    const head = await ask(path, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toBe(tag);
    expect(head.headers.get("content-type")).toBe(response.headers.get("content-type"));
    expect(await head.text()).toBe("");
  },
);

test.each([...API, ...PAGES])("%s refuses to be written to, and says what it can", async (path) => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "PROPFIND"]) {
    const response = await ask(path, { method });
    expect(response.status, method).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  const preflight = await ask(path, {
    method: "OPTIONS",
    headers: { origin: "https://a.example", "access-control-request-method": "GET" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
  expect(preflight.headers.get("access-control-allow-headers")).toBe("accept, if-none-match");
});

test("an unknown address is a problem for programs and a page for browsers, and nobody keeps it", async () => {
  const problem = await ask("/nope");
  expect(problem.status).toBe(404);
  expect(problem.headers.get("content-type")).toBe("application/problem+json");
  expect(problem.headers.get("cache-control")).toBe("no-store");
  expect(await problem.json()).toEqual({
    type: "about:blank",
    title: "Not found",
    status: 404,
    detail: "There is nothing at this address.",
    instance: "/nope",
  });
  const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  const page = await ask("/nope", { headers: browser });
  expect(page.status).toBe(404);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toContain("There is nothing at this address.");
  const api = await ask("/api/v1/nope", { headers: browser });
  expect(api.headers.get("content-type")).toBe("application/problem+json");
});

test("pages may load nothing but what this host serves, and may not be framed", async () => {
  for (const path of [...PAGES, "/gateways/nope"]) {
    const { headers } = await ask(path);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  }
});

test("the stylesheet that pages name is served, and kept for ever", async () => {
  const html = await (await ask("/")).text();
  const path = /<link rel="stylesheet" href="([^"]+)"/u.exec(html)?.[1] ?? "";
  expect(path).toMatch(/^\/assets\/[0-9a-f]{16}\.css$/u);
  const response = await ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await ask("/assets/0000000000000000.css")).status).toBe(404);
});

test("a bug is a 500 that shows nothing of itself", async () => {
  const broken = {
    ...depsOf(world.kv),
    now: (): number => {
      throw new Error("secret-ish detail");
    },
  };
  const response = await createApp().fetch(new Request("https://status.example/api/v1/status"), broken);
  expect(response.status).toBe(500);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.text()).not.toContain("secret-ish");
});

test("an address that is no URI path decodes to nothing harmful", async () => {
  for (const path of ["/gateways/%zz", "/incidents/%00", "/reports/%ff-1", "/gateways/%3Cscript%3E"]) {
    expect((await ask(path)).status, path).toBe(404);
  }
});
