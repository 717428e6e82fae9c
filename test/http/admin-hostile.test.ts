import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { judgeBearer } from "../../src/http/auth.ts";
import { BEARER, openDesk, TOKEN, unauthorizedAt } from "./admin-desk.ts";
import { lockedHeaders, METHODS } from "./every-route.ts";

const ADMIN = "/api/v1/admin";
const INCIDENT = "acme.models-20261120t080000z";
const MODELS = "gateways/acme/monitors/models";
const ADDRESSES =
  `/ /alerts /alerts/test /backup /backup/ledgers/0 /backup/value /maintenance /maintenance/mb3k2x /${MODELS}/pause
  /incidents/${INCIDENT}/notes /nothing/like/this /%00`
    .split(/\s+/u)
    .concat("")
    .map((below) => `${ADMIN}${below}`);

/** All that an answer tells, but for its own address. */
async function toldBy(response: Response, path: string): Promise<unknown> {
  const text = (await response.text()).replaceAll(path, "<path>");
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

test.each([
  ["not set", null],
  ["empty", ""],
  ["of 15 characters", "fifteen-letters"],
])("with a token that is %s there is nothing at any address, for nobody", async (_, adminToken) => {
  const desk = openDesk(undefined, adminToken);
  for (const method of METHODS) {
    const unknown = await toldBy(await desk.send("/api/v1/nothing", { method }), "/api/v1/nothing");
    for (const path of ADDRESSES) {
      const headers = { authorization: `Bearer ${adminToken ?? TOKEN}` };
      for (const init of [{ method }, { method, headers }]) {
        expect(await toldBy(await desk.send(path, init), path), `${method} ${path}`).toEqual(unknown);
      }
    }
  }
  expect((await desk.send("/api/v1/admin/alerts")).status).toBe(404);
  expect(desk.orders).toEqual([]);
});

test("who has no token is told the same at every address, by every method, with every body", async () => {
  const desk = openDesk();
  const answers = new Set<string>();
  for (const method of METHODS.filter((name) => name !== "HEAD")) {
    for (const path of ADDRESSES) {
      const bodies = method === "GET" ? [undefined] : [undefined, "{", `{"text":"${"x".repeat(20_000)}"}`];
      for (const body of bodies) {
        const response = await desk.send(path, { method, ...(body !== undefined && { body }) });
        answers.add(JSON.stringify(await toldBy(response, path)));
      }
    }
  }
  const text = JSON.stringify(unauthorizedAt("<path>"));
  const told = { status: 401, headers: lockedHeaders("Bearer"), text };
  expect([...answers].map((answer) => JSON.parse(answer) as unknown)).toEqual([told]);
  expect(desk.orders).toEqual([]);
});

test("the body of a stranger is not read", async () => {
  const pull = vi.fn<() => void>();
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  const init = { method: "POST", body, duplex: "half" } as const;
  expect((await openDesk().send(`${ADMIN}/alerts/test`, init)).status).toBe(401);
  expect(pull).not.toHaveBeenCalled();
});

test("a browser's preflight gets no leave", async () => {
  const asked = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };
  for (const token of [{}, BEARER]) {
    const headers = { ...token, ...asked, origin: "https://evil.example" };
    const response = await openDesk().send(`${ADMIN}/alerts/test`, { method: "OPTIONS", headers });
    expect(response.ok).toBe(false);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});

const NO_ADDRESSES = String.raw`
  ${MODELS} ${MODELS}/probe/ ${MODELS}/delete gateways//monitors/models/probe
  gateways/acme/monitors/%6dodels%2F..%2Fx/probe gateways/ACME/monitors/models/probe
  gateways/acme%20/monitors/models/probe gateways/acme%00/monitors/models/probe
  gateways/acme/monitors/m%C3%B6dels/probe gateways/acme/monitors/__proto__/pause
  gateways/${"a".repeat(41)}/monitors/models/probe incidents/constructor/acknowledge
  incidents/__proto__/notes incidents/hasOwnProperty/notes incidents/acme.models/acknowledge
  incidents/${INCIDENT}%0a/acknowledge incidents/${"a".repeat(5000)}-20261120t080000z/acknowledge
  maintenance/ maintenance/x/y maintenance/__proto__
  alerts/ alerts/test/x alerts%2Ftest alerts\test\x`
  .trim()
  .split(/\s+/u);

test.each(["", ...NO_ADDRESSES])("%j is no address, and asks the Ledger nothing", async (path) => {
  const desk = openDesk();
  for (const method of ["GET", "POST", "DELETE"]) {
    const response = await desk.ask(method, path);
    expect(response.status, method).toBe(404);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  }
  expect(desk.orders).toEqual([]);
});

const ALERTS = "/api/v1/admin/alerts";

test.each([
  ["another token", "Bearer wrong-horse-battery-staple"],
  ["its beginning", `Bearer ${TOKEN.slice(0, -1)}`],
  ["it and more", `Bearer ${TOKEN}x`],
  ["it as Basic", `Basic ${TOKEN}`],
  ["spaces around something else", `Bearer${" ".repeat(5000)}x${" ".repeat(5000)}y`],
])("%s is not the token, and is as good as none", async (_, authorization) => {
  const desk = openDesk();
  const without = await whole(await desk.send(ALERTS));
  expect(await whole(await desk.send(ALERTS, { headers: { authorization } }))).toEqual(without);
  expect(without.status).toBe(401);
  expect(without.headers["www-authenticate"]).toBe("Bearer");
  expect(JSON.parse(without.text)).toEqual(unauthorizedAt(ALERTS));
  expect(desk.orders).toEqual([]);
});

async function whole(response: Response) {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), text: await response.text() };
}

test("no header but the right one is, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (text) => {
      fc.pre(!text.includes(TOKEN));
      expect(await judgeBearer(text, TOKEN)).not.toBe("right");
      expect(await judgeBearer(`Bearer ${text}`, TOKEN)).not.toBe("right");
    }),
  );
});

test("white space that a shell left around the secret belongs to nobody's token", async () => {
  const desk = openDesk(undefined, `${TOKEN}\n`);
  expect((await desk.send(ALERTS, { headers: BEARER })).status).toBe(200);
  const short = openDesk(undefined, `fifteen-letters${" ".repeat(9)}`);
  expect((await short.send(ALERTS, { headers: BEARER })).status).toBe(404);
});

const RESTORE = "restore=8d2f3c1e-0000-4000-8000-000000000000";

test.each([
  ["POST", `backup/ledgers/0?step=begin`, 400, "#/restore"],
  ["POST", `backup/ledgers/0?step=begin&restore=1`, 400, "#/restore"],
  ["POST", `backup/ledgers/0?${RESTORE}`, 400, "#/step"],
  ["POST", `backup/ledgers/0?${RESTORE}&step=clear`, 400, "#/step"],
  ["POST", `backup/ledgers/0?${RESTORE}&step=end`, 400, "#/layout"],
  ["POST", `backup/ledgers/0?${RESTORE}&step=end&layout=two`, 400, "#/layout"],
  ["GET", "backup/value", 400, "#/key"],
  ["GET", "backup/value?key=v1/0/snapshots", 400, "#/key"],
  ["POST", "backup/value?key=v1/0/year/2026", 400, "#/key"],
  ["DELETE", "backup/value?key=../v1/0/snapshot", 400, "#/key"],
  ["GET", "backup/ledgers/100", 404, null],
  ["GET", "backup/ledgers/-1", 404, null],
  ["GET", "backup/values", 404, null],
  ["PUT", "backup/ledgers/0", 405, null],
  ["DELETE", "backup", 405, null],
  // KV and the Ledger fail.
  ["GET", "backup", 503, null],
  ["GET", "backup/ledgers/0", 503, null],
  ["POST", `backup/ledgers/0?${RESTORE}&step=begin`, 503, null],
  ["GET", "backup/value?key=v1/0/hour/2026-11-20T09", 503, null],
  ["POST", "backup/value?key=v1/0/month/2026-11", 503, null],
])("%s %s is answered %i", async (method, path, status, pointer) => {
  const answer = await openDesk().ask(method, path);
  expect(answer.status).toBe(status);
  const { errors = [] } = (await answer.json()) as { errors?: readonly { pointer: string }[] };
  expect(errors.map((fault) => fault.pointer)).toEqual(pointer === null ? [] : [pointer]);
});

test.each([
  [`backup/ledgers/0?${RESTORE}&step=rows`, 8],
  ["backup/value?key=v1/0/snapshot", 25],
])("%s takes at most %i MiB", async (path, most) => {
  const body = new Uint8Array(most * 1024 * 1024 + 1);
  const answer = await openDesk().send(`${ADMIN}/${path}`, { method: "POST", headers: BEARER, body });
  expect(answer.status).toBe(413);
});

test("metadata that are no JSON are refused", async () => {
  const headers = { ...BEARER, "gatepulse-metadata": "{" };
  const answer = await openDesk().send(`${ADMIN}/backup/value?key=v1/0/snapshot`, {
    method: "POST",
    headers,
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ errors: [{ detail: "write JSON", pointer: "#/gatepulse-metadata" }] }),
  ]);
});
