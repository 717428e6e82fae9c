/** `npm start` with VIEW_TOKEN as a user runs it: the real Worker behind the real server, and what is on the wire. */
import { afterAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "./program.ts";
import { askRaw, bodyOf, headLines, type RawRequest } from "./raw-client.ts";
import { watchedScene } from "./support/watched-directory.ts";

const TOKEN = "let-me-see-the-page-0123";
const PASS = '{"status":"pass"}';

const watched = async (token: string, whenOver: (clean: () => Promise<void>) => void) =>
  (await watchedScene(whenOver)).watch({ gateways: ["acme"], env: { VIEW_TOKEN: token } });

const monitor = await watched(TOKEN, (clean) => afterAll(clean));

/** The status (0: the server has hung up on what is no HTTP), the headers and the body. */
async function raw(request: RawRequest, { address } = monitor) {
  const answer = await askRaw(address, request);
  const [first = "", ...headers] = headLines(answer);
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: bodyOf(answer) };
}

test("the page is asked for by Basic and by Bearer, and opens by either; whether it works is told to everybody", async () => {
  await eventually(async () => (await raw({ path: "/healthz" })).body === PASS);
  const closed = await raw({ path: "/", headers: { accept: "text/html" } });
  const schemes = 'WWW-Authenticate: Basic realm="Gatepulse", charset="UTF-8", Bearer realm="Gatepulse"';
  expect(closed.headers.join("\n").toLowerCase()).toContain(schemes.toLowerCase());
  expect([closed.status, closed.body]).toEqual([401, expect.stringContaining("This page is private")]);
  const password = Buffer.from(`me:${TOKEN}`).toString("base64");
  for (const authorization of [`Bearer ${TOKEN}`, `Basic ${password}`]) {
    const opened = await raw({ path: "/api/v1/status", headers: { authorization, "if-none-match": "*" } });
    expect([opened.status, opened.body]).toEqual([200, expect.stringContaining('"acme"')]);
  }
});

const bearer = `Bearer ${TOKEN}`;
const STATUS = "/api/v1/status";
test.each<[path: string, headers?: Readonly<Record<string, string>>, method?: string]>([
  ["//"],
  ["//healthz"],
  ["/healthz/.."],
  ["/healthz/../api/v1/status"],
  ["/healthz/%2e%2e/api/v1/status"],
  ["/healthz/..%2fapi/v1/status"],
  ["/healthz?/../api/v1/status"],
  ["/api/v1/admin/../status"],
  [STATUS, {}, "HEAD"],
  [STATUS, {}, "OPTIONS"],
  [STATUS, { authorization: `Bearer\t${TOKEN}` }],
  [STATUS, { authorization: TOKEN }],
  [STATUS, { "Authorization ": bearer }],
  [STATUS, { "x-a": `b\r\n authorization: ${bearer}` }],
  [STATUS, { authorization: `Bearer \u00ff\u00fe${TOKEN}` }],
  [STATUS, { authorization: "Basic \u0000" }],
  [STATUS, { authorization: `Basic ${"A".repeat(1_000_000)}` }],
  ["/api/v1/status HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\nGET /healthz"],
])("%j with %.60j neither gets past the token nor shows it", async (path, headers = {}, method = "GET") => {
  const { status, body } = await raw({ path, headers, method });
  if (path.startsWith("/healthz?")) expect([status, body]).toEqual([200, PASS]);
  else expect([0, 400, 401, 404, 431, 502]).toContain(status);
  expect(body).not.toMatch(/acme|generatedAt/iu);
  expect(body).not.toContain(TOKEN);
});

test("a token that cannot be used closes the page, and `npm start` says why", async () => {
  const closed = await watched("", onTestFinished);
  await closed.program.printed(/VIEW_TOKEN is shorter than 16 characters: no page is shown to anyone\./u);
  for (const authorization of ["", "Bearer ", `Basic ${Buffer.from("me:").toString("base64")}`]) {
    expect((await raw({ path: "/", headers: { authorization } }, closed)).status).toBe(503);
  }
  expect((await raw({ path: "/healthz" }, closed)).body).toMatch(/^\{"status":"(?:pass|fail)"\}$/u);
});
