import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeBearer } from "../../src/http/auth.ts";
import { BEARER, notTheToken, openDesk, TOKEN, unauthorizedAt } from "./admin-desk.ts";

const ALERTS = "/api/v1/admin/alerts";

test.each(notTheToken(TOKEN))("%s is not the token, and is as good as none", async (_, authorization) => {
  const desk = openDesk();
  const without = await whole(await desk.send(ALERTS));
  expect(await whole(await desk.send(ALERTS, { headers: { authorization } }))).toEqual(without);
  expect(without.status).toBe(401);
  expect(without.headers["www-authenticate"]).toBe("Bearer");
  expect(JSON.parse(without.text)).toEqual(unauthorizedAt(ALERTS));
  expect(desk.orders).toEqual([]);
});

test("what is refused is the same whatever the secret is", async () => {
  const other = await whole(await openDesk(undefined, "another-secret-of-this-monitor").send(ALERTS));
  expect(await whole(await openDesk().send(ALERTS))).toEqual(other);
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

test("the scheme is written in any case, with any number of spaces", async () => {
  for (const authorization of [`bearer ${TOKEN}`, `BEARER   ${TOKEN}`]) {
    expect((await openDesk().send(ALERTS, { headers: { authorization } })).status).toBe(200);
  }
});

test("the token is taken from its header alone", async () => {
  const desk = openDesk();
  expect((await desk.send(`${ALERTS}?access_token=${TOKEN}&token=${TOKEN}`)).status).toBe(401);
  const bearer = `Bearer ${TOKEN}`;
  for (const headers of [
    { cookie: `authorization=${bearer}`, "x-authorization": bearer },
    { "proxy-authorization": bearer },
  ])
    expect((await desk.send(ALERTS, { headers })).status).toBe(401);
});
