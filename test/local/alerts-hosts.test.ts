/**
 * A gateway that repeats its own address in its answers: nobody who is told of it learns where it is, unless its endpoint
 * is public. Real Worker, real Ledger, real sockets.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import type { AlertsAnswer } from "../../src/ledger/admin/admin-answers.ts";
import { admin, alertingHouse, passMinutes, urlSecretOf, webhook } from "./support/alerting.ts";

const { receiver, start } = await alertingHouse();
/** Of this machine, and nothing else here has it. */
const HOST = "127.0.0.3";
const server = createServer(({ url, headers }, response) => {
  const words = `http://${headers.host}${url}?key=of-somebody refused at ${HOST}`;
  const body = { error: { message: words, type: headers.host, code: `at_${HOST}` } };
  response.writeHead(500, { "content-type": "application/json", "x-request-id": `${HOST}-1` });
  response.end(JSON.stringify(body));
});

await once(server.listen(0, HOST), "listening");
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** All that is told and kept of the gateway, by where. */
async function toldOf(showEndpoint: boolean): Promise<Readonly<Record<string, string>>> {
  const { port } = server.address() as AddressInfo;
  const gateways = [{ id: "acme", baseUrl: `http://${HOST}:${port}`, apiKey: "KEY", showEndpoint }];
  const chat = { kind: "slack", id: "chat", url: urlSecretOf("chat") } as const;
  const config = { alerts: [webhook("ops"), webhook("ailing"), chat] };
  const world = await start({}, { ops: undefined, ailing: undefined, chat: undefined }, { gateways, config });
  receiver.answer("ailing", { status: 500 });
  receiver.answer("chat", { status: 400 });
  await passMinutes(world, 0, 4);
  const messages = (channel: string) => JSON.stringify(receiver.at(channel).map(({ body }) => body));
  const rows = await world.ledgerRows(["alert", "channels", "undelivered"]);
  const alerts = await admin<AlertsAnswer>(world, "GET alerts");
  const told = {
    webhook: messages("ops"),
    chat: messages("chat"),
    outbox: JSON.stringify(rows),
    administration: JSON.stringify(alerts),
    logs: world.logs.join("\n"),
    status: (await world.get("/api/v1/status")).text,
    page: (await world.get("/")).text,
  };
  expect(told.webhook).toContain("incident.opened");
  expect(told.chat).toContain("acme is down");
  expect(told.outbox).toContain("incident.opened");
  expect(alerts.undelivered).toHaveLength(1);
  return told;
}

const naming = (told: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(told).filter((where) => told[where]?.includes(HOST) || told[where]?.includes("of-somebody"));

test("a private host is in no message, no owed one, no log and no page", async () => {
  expect(naming(await toldOf(false))).toEqual([]);
});

test("a public one may be named", async () => {
  expect(naming(await toldOf(true))).toEqual(expect.arrayContaining(["webhook", "chat", "outbox"]));
});
