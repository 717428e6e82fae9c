import { beforeEach, expect, test, vi } from "vitest";
import { createApp, handleRequest } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/cache.ts";
import { BROWSER, EVERY_ROUTE, ODD_ADDRESSES } from "./every-route.ts";
import { publishedIncident, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument(), { incidents: [publishedIncident()] }));

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
      }
    }
    vi.restoreAllMocks();
  },
);

test("a bug is a 500 that shows nothing of itself", async () => {
  const now = vi.fn<() => number>().mockThrow(new Error("secret-ish detail"));
  const request = new Request("https://status.example/api/v1/status");
  const response = await createApp().fetch(request, depsOf(world.kv, { now }));
  expect(response.status).toBe(500);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.text()).not.toContain("secret-ish");
});
