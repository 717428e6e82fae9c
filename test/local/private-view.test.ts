/** `npm start` with VIEW_TOKEN as a user runs it: the real Worker behind the real server, and what is on the wire. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "./program.ts";
import { bodyOf, headLines, readToEnd } from "./raw-client.ts";
import { ADMIN_TOKEN } from "./support/alerting.ts";
import { watchedScene } from "./support/watched-directory.ts";

const TOKEN = "let-me-see-the-page-0123";
const PATHS = ["/", "/api/v1/status", "/metrics", "/feed.atom", "/badge/acme.svg", "/api/v2/status.json"];
const PASS = '{"status":"pass"}';

const watched = async (token: string, whenOver: (clean: () => Promise<void>) => void) =>
  (await watchedScene(whenOver)).watch({ gateways: ["acme"], env: { VIEW_TOKEN: token } });

const monitor = await watched(TOKEN, (clean) => afterAll(clean));
afterAll(async () => expect(await monitor.program.stop()).toBe(0));

interface Seen {
  /** 0: the server has hung up on what is no HTTP. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the path and the headers as they are written here, whatever a client would make of them. */
async function raw(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Seen> {
  const { host, hostname, port } = new URL(address);
  const sent = Object.entries({ host, connection: "close", ...headers });
  const lines = sent.map(([name, value]) => `${name}: ${value}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write([`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"), "latin1");
  const answer = await readToEnd(socket);
  const [first = "", ...told] = headLines(answer);
  const pairs = told.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(" ")[1] ?? 0), headers: new Map(pairs), body: bodyOf(answer) };
}

describe("with a token", () => {
  beforeAll(() => eventually(async () => (await raw(monitor.address, "/healthz")).status === 200));

  test("it is asked for by Basic and by Bearer, and opens the page by either", async () => {
    const closed = await raw(monitor.address, "/", { accept: "text/html" });
    expect(closed.status).toBe(401);
    expect(closed.headers.get("www-authenticate")).toBe(
      'Basic realm="Gatepulse", charset="UTF-8", Bearer realm="Gatepulse"',
    );
    expect(closed.body).toContain("This page is private");
    const password = Buffer.from(`me:${TOKEN}`).toString("base64");
    for (const authorization of [`Bearer ${TOKEN}`, `Basic ${password}`]) {
      for (const path of PATHS) {
        const { status, headers } = await raw(monitor.address, path, { authorization, "if-none-match": "*" });
        expect([path, status]).toEqual([path, 200]);
        expect(headers.get("cache-control")).toBe("private, no-store");
        expect([...headers.keys()].filter((name) => /^(?:etag|access-control-.*)$/u.test(name))).toEqual([]);
      }
    }
    const alerts = await raw(monitor.address, "/api/v1/admin/alerts", {
      authorization: `Bearer ${ADMIN_TOKEN}`,
    });
    expect(alerts.status).toBe(200);
    expect((await raw(monitor.address, "/", { authorization: `Bearer ${ADMIN_TOKEN}` })).status).toBe(401);
  });

  test("whether it works is told to everybody, and no more", async () => {
    const { status, body, headers } = await raw(monitor.address, "/healthz");
    expect([status, body]).toEqual([200, PASS]);
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  test("no request on the wire gets past it, and none shows the token or the page", async () => {
    const bearer = `Bearer ${TOKEN}`;
    const odd: readonly (readonly [path: string, headers: Record<string, string>, method?: string])[] = [
      ["//", {}],
      ["//healthz", {}],
      ["/healthz/..", {}],
      ["/healthz/../api/v1/status", {}],
      ["/healthz/%2e%2e/api/v1/status", {}],
      ["/healthz/..%2fapi/v1/status", {}],
      ["/healthz?/../api/v1/status", {}],
      ["/api/v1/admin/../status", {}],
      ["/api/v1/status", {}, "HEAD"],
      ["/api/v1/status", {}, "OPTIONS"],
      ["/api/v1/status", { authorization: `Bearer\t${TOKEN}` }],
      ["/api/v1/status", { authorization: TOKEN }],
      ["/api/v1/status", { "Authorization ": bearer }],
      ["/api/v1/status", { "x-a": `b\r\n authorization: ${bearer}` }],
      ["/api/v1/status", { authorization: `Bearer \u00ff\u00fe${TOKEN}` }],
      ["/api/v1/status", { authorization: "Basic \u0000" }],
      ["/api/v1/status", { authorization: `Basic ${"A".repeat(1_000_000)}` }],
      ["/api/v1/status HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\nGET /healthz", {}],
    ];
    for (const [path, headers, method] of odd) {
      const { status, body } = await raw(monitor.address, path, headers, method);
      const where = `${method ?? "GET"} ${path} ${JSON.stringify(headers).slice(0, 80)}`;
      if (path.startsWith("/healthz?")) expect([status, body]).toEqual([200, PASS]);
      else expect([0, 400, 401, 404, 431, 502], where).toContain(status);
      expect(body, where).not.toMatch(/acme|generatedAt/iu);
      expect(body, where).not.toContain(TOKEN);
    }
  });
});

test("a token that cannot be used closes the page, and `npm start` says why", async () => {
  const closed = await watched("", onTestFinished);
  await closed.program.printed(/VIEW_TOKEN is shorter than 16 characters: no page is shown to anybody\./u);
  for (const authorization of ["", "Bearer ", `Basic ${Buffer.from("me:").toString("base64")}`]) {
    expect((await raw(closed.address, "/", { authorization })).status).toBe(503);
  }
  expect((await raw(closed.address, "/healthz")).body).toMatch(/^\{"status":"(?:pass|fail)"\}$/u);
});
