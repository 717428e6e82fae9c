import { beforeEach, expect, test, vi } from "vitest";
import { createApp, handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/snapshot-memory.ts";
import { EVERY_ROUTE, ODD_ADDRESSES } from "./every-route.ts";
import { depsOf, publishedIncident, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument(), { incidents: [publishedIncident()] }));

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

test("an unknown address is a problem for programs and a page for browsers, and nobody keeps it", async () => {
  const problem = await world.ask("/nope");
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
  const page = await world.ask("/nope", { headers: BROWSER });
  expect(page.status).toBe(404);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toContain("There is nothing at this address.");
  const api = await world.ask("/api/v1/nope", { headers: BROWSER });
  expect(api.headers.get("content-type")).toBe("application/problem+json");
});

const OF_ALL = {
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000",
  "x-content-type-options": "nosniff",
};
const OF_PAGES = {
  ...OF_ALL,
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const OF_DATA = { ...OF_ALL, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };

test.each([null, "let-me-see-the-page", "short"])(
  "with the view token %j pages may load nothing but what this host serves, data nothing at all, and neither may be framed",
  async (viewToken) => {
    vi.spyOn(console, "error").mockReturnValue();
    const paths = [...Object.values(EVERY_ROUTE).map(({ url }) => url), ...ODD_ADDRESSES];
    const memory = new SnapshotMemory();
    for (const path of paths) {
      for (const headers of [BROWSER, {}]) {
        const deps = depsOf(world.kv, { viewToken, memory });
        const response = await handleRequest(new Request(`https://status.example${path}`, { headers }), deps);
        const told = Object.fromEntries(response.headers);
        const isPage = told["content-type"]?.startsWith("text/html") === true;
        const sharing = viewToken === null ? "cross-origin" : "same-origin";
        const data = { ...OF_DATA, "cross-origin-resource-policy": sharing };
        expect(told, path).toMatchObject(isPage ? OF_PAGES : data);
        expect(told).not.toHaveProperty("set-cookie");
        const clear = { ...headers, "cf-visitor": '{"scheme":"http"}' };
        const inTheClear = new Request(`http://status.example${path}`, { headers: clear });
        const led = await handleRequest(inTheClear, deps);
        expect([led.status, led.headers.get("location")]).toEqual([
          308,
          new URL(inTheClear.url.replace("http:", "https:")).href,
        ]);
      }
    }
    vi.restoreAllMocks();
  },
);

test("the stylesheet that pages name is served, and kept for ever", async () => {
  const html = await (await world.ask("/")).text();
  const path = /<link rel="stylesheet" href="([^"]+)"/u.exec(html)?.[1] ?? "";
  expect(path).toMatch(/^\/assets\/[0-9a-f]{16}\.css$/u);
  const response = await world.ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await world.ask("/assets/0000000000000000.css")).status).toBe(404);
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
    expect((await world.ask(path)).status, path).toBe(404);
  }
});
