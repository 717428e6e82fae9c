/** Bodies that are too large, over real sockets: each is answered, and the connection goes on. */
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { ADMIN_TOKEN } from "./support/alerting.ts";
import { type Sending, sendLarge } from "./support/large-body.ts";
import { watchedScene } from "./support/watched-directory.ts";

const scene = await watchedScene((clean) => afterAll(clean));
const { address } = await scene.watch({ gateways: ["acme"], tickSeconds: 60 });

const closed = await scene.watch({
  gateways: ["acme"],
  tickSeconds: 60,
  persist: join(scene.directory, "private"),
  env: { VIEW_TOKEN: "let-me-see-the-page-0123" },
});

const TEXT = { "content-type": "text/plain" };
const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
const ADMIN = { "content-type": "application/json", authorization: `Bearer ${ADMIN_TOKEN}` };
const NEXT = "/openapi.json";
const PAUSE = "/api/v1/admin/gateways/acme/monitors/models/pause";

const TOO_LARGE = [
  ["the API", "/api/v1/explain", TEXT, "At most 262,144 bytes"],
  ["the form", "/explain", FORM, "At most 262,144 bytes"],
  ["administration", PAUSE, ADMIN, "at most 16384 bytes"],
] as const;

const SENDINGS: readonly (readonly [how: string, times: number, sending: Sending])[] = [
  ["with its length", rounds(2, 100), { hasLength: true }],
  ["in chunks", rounds(2, 100), {}],
  ["after 100 Continue", rounds(2, 100), { hasLength: true, waitsForContinue: true }],
  ["slowly", 1, { hasLength: true, pauseMs: rounds(5, 100) }],
  ["slowly in chunks", 1, { pauseMs: rounds(5, 100) }],
  ["and 30 MB", 1, { hasLength: true, pieces: 480 }],
];

test.each(SENDINGS)("3 MB, %s, are answered with 413 and the limit, each time", async (_, times, sending) => {
  for (const [where, path, headers, limit] of TOO_LARGE) {
    for (let round = 0; round < times; round += 1) {
      const answer = await sendLarge(address, { path, headers, next: NEXT }, sending);
      expect([where, answer]).toEqual([
        where,
        { status: 413, text: expect.stringContaining(limit), after: 200 },
      ]);
    }
  }
});

test.each(SENDINGS)(
  "3 MB, %s, to a page that is private are answered with 401, each time",
  async (_, times, sending) => {
    for (const [where, path, headers] of TOO_LARGE) {
      const asked = { path, headers: { ...headers, authorization: "Bearer of-somebody-else" }, next: NEXT };
      for (let round = 0; round < times; round += 1) {
        const answer = await sendLarge(closed.address, asked, sending);
        expect([where, answer]).toEqual([where, { status: 401, text: expect.any(String), after: 401 }]);
      }
    }
  },
);

test.each([
  ["another type", "/api/v1/explain", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["a wrong token", PAUSE, { ...ADMIN, authorization: "Bearer of-somebody-else" }, 401],
  ["a page that takes none", "/api/v1/status", TEXT, 405],
  ["no page", "/nope", TEXT, 404],
])("3 MB for %s are refused like a small body", async (_, path, headers, status) => {
  for (let round = 0; round < 3; round += 1) {
    const asked = { path, headers, next: NEXT };
    expect(await sendLarge(address, asked, { hasLength: true })).toMatchObject({ status, after: 200 });
  }
});

test("3 MB to the runtime's own paths are refused like a small body", async () => {
  const asked = { path: "/cdn-cgi/mf/scheduled", headers: TEXT, next: NEXT };
  expect(await sendLarge(address, asked)).toMatchObject({ status: 404, after: 200 });
});
