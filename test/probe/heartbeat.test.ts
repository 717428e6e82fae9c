import { expect, test } from "vitest";
import { systemClock } from "../../src/probe/clock.ts";
import type { Fetch } from "../../src/probe/exchange.ts";
import { callHeartbeat, type HeartbeatPorts } from "../../src/probe/heartbeat.ts";
import { handClock } from "./probing.ts";
import { serveHttp, serveInTurn, status } from "./small-server.ts";

const PATH = "/ping/5c9f5a3e-secret?rid=1";

const beat = (address: string | null, ports: HeartbeatPorts = { fetch, clock: systemClock() }) =>
  callHeartbeat("HEARTBEAT_URL", address, ports);

test.each([
  [200, null],
  [204, null],
  [302, "HTTP 302"],
  [500, "HTTP 500"],
])(
  "of one GET that %i answers is said %j; nothing is sent again, and no redirect is followed",
  async (code, said) => {
    const { url, seen } = await serveInTurn(status(code, "", { "retry-after": "1", location: "/elsewhere" }));
    expect(await beat(` ${url}${PATH}\n`)).toBe(said);
    expect(seen).toMatchObject([{ method: "GET", url: PATH, body: "" }]);
    expect(seen[0]?.headers).toMatchObject({ "user-agent": "gatepulse/0.3.0 (model gateway monitor)" });
  },
);

test("an answer without an end is not read: its connection is closed", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await serveHttp((request, response) => {
    request.socket.once("close", () => resolve());
    response.writeHead(200);
    response.write("x".repeat(1000));
  });
  expect(await beat(`${url}${PATH}`)).toBeNull();
  await closed;
});

test("a service that does not answer is given up after ten seconds", async () => {
  const clock = handClock();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const url = await serveHttp(() => resolve());
  const beating = beat(`${url}${PATH}`, { fetch, clock });
  await asked;
  clock.passLimit();
  expect(await beating).toBe("no answer within 10 seconds");
  expect(clock.limits).toEqual([10_000]);
});

test.each([
  ["not set", null],
  ["not an address that begins with https://", "5c9f5a3e-secret"],
  ["an address with user info, which requests cannot send", "https://u:5c9f5a3e-secret@beats.example/"],
  ["an http: address of a public host; use https:", "http://beats.example/5c9f5a3e-secret"],
])("nothing is sent where the secret is %s, and its name alone is told", async (problem, address) => {
  const never: Fetch = () => expect.unreachable("nothing is to be sent");
  const said = await beat(address, { fetch: never, clock: systemClock() });
  expect(said).toBe(`the secret HEARTBEAT_URL is ${problem}`);
});

test("a service that cannot be reached is told without its address, which fetch may repeat", async () => {
  const talking: Fetch = (url) => Promise.reject(new TypeError(`fetch of ${url} failed`));
  const expected = "the service could not be reached";
  expect(await beat(`https://beats.example${PATH}`, { fetch: talking, clock: systemClock() })).toBe(expected);
});
