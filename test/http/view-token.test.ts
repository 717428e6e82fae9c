/** Which tokens open the private view, and how they may be borne. */
import { beforeEach, expect, test, vi } from "vitest";
import { type Env, viewTokenOf } from "../../src/compose/env.ts";
import type * as app from "../../src/http/app.ts";
import { notTheToken } from "./admin-desk.ts";
import { publishAll } from "./every-route.ts";
import { asker, basic, BEARER, CLOSED, expectPrivate, TOKEN } from "./private-view.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();
const ask = asker(world);
beforeEach(() => publishAll(world));

test.each([
  ...notTheToken(TOKEN),
  ["it as the user name", basic(`${TOKEN}:`)],
  ["it without a colon", basic(TOKEN.replaceAll(":", ""))],
  ["nothing, by name", basic("prometheus:")],
  ["its beginning as the password", basic(`prometheus:${TOKEN.slice(0, -1)}`)],
  ["it with a line end", basic(`prometheus:${TOKEN}\n`)],
  ["it with a NUL", basic(`prometheus:${TOKEN}\0`)],
  ["it behind a mark of byte order", basic(`prometheus:\ufeff${TOKEN}`)],
  ["it in UTF-16", `Basic ${Buffer.from(`u:${TOKEN}`, "utf16le").toString("base64")}`],
  ["it not encoded", `Basic prometheus:${TOKEN}`],
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
  ["a password of nobody", basic(`:${TOKEN}`)],
  ["a password of somebody beyond ASCII", basic(`观察者:${TOKEN}`)],
  ["a password whose scheme is written otherwise", basic(`prometheus:${TOKEN}`).replace("Basic", "basic ")],
])("%s opens the page", async (_, authorization) => {
  const response = await ask("/", { headers: { authorization } });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("Acme gateways");
});

test.each([
  ["empty", ""],
  ["white space", " \n\t "],
  ["of 15 characters", "fifteen-letters"],
  ["of 15 characters in white space", "  fifteen-letters\n\n"],
  ["of several words", "let me see the page"],
  ["of several lines", "let-me-see\nthe-page"],
  ["beyond ASCII", "lass-mich-die-seite-séhen"],
  ["with a NUL", "let-me-see\0the-page"],
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
      [expect.stringMatching(/^http: .*VIEW_TOKEN is .*: no page is shown to anybody$/u)],
    ]);
    if (bare !== "") expect(String(complaints.mock.calls)).not.toContain(bare);
  } finally {
    complaints.mockRestore();
  }
});

test.each([
  [undefined, null],
  ["", ""],
  [TOKEN, TOKEN],
  [{ fetch: () => null }, ""],
  [7, ""],
])("VIEW_TOKEN bound to %j is the token %j: what is no text closes the page", (bound, token) => {
  const env: Pick<Env, "VIEW_TOKEN"> = { VIEW_TOKEN: bound };
  expect(viewTokenOf(env as Env)).toBe(token);
});

test("white space that a shell left around the token belongs to nobody's", async () => {
  for (const viewToken of [`${TOKEN}\n`, ` ${TOKEN} `]) {
    expect((await ask("/", { headers: BEARER }, { viewToken })).status).toBe(200);
  }
});
