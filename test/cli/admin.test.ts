/** `gatepulse admin` against the application's own administration, over real HTTP. */
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AdminRequest } from "../../src/domain/tick.ts";
import { openDesk, TOKEN } from "../http/admin-desk.ts";
import { NOW_MS } from "../http/documents.ts";
import { runCli } from "./fake-io.ts";

const INCIDENT = "acme.models-20261120t080000z";
const HOUR_MS = 3_600_000;

let desk = openDesk();
const server = createServer((incoming, outgoing) => {
  const pieces: Buffer[] = [];
  incoming.on("data", (piece: Buffer) => pieces.push(piece));
  incoming.on("end", () => {
    const { method = "GET", url = "/", headers } = incoming;
    const body = pieces.length > 0 ? Buffer.concat(pieces).toString() : null;
    void desk
      .send(url, { method, headers: { authorization: headers.authorization ?? "" }, body })
      .then(async (answer) => outgoing.writeHead(answer.status).end(await answer.text()));
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${Object(server.address()).port}`;
});
afterAll(() => void server.close());

function admin(
  args: string,
  env: Readonly<Record<string, string>> = { ADMIN_TOKEN: TOKEN, GATEPULSE_URL: url },
) {
  desk = openDesk();
  return runCli(["admin", ...args.split(" ")], { env });
}

const BY = { by: "Anna" };

test.each<[args: string, order: AdminRequest]>([
  [`show ${INCIDENT}`, { type: "read_incident", incidentId: INCIDENT }],
  ["show acme", { type: "read_gateway", subject: "acme" }],
  [`acknowledge ${INCIDENT} --by Anna`, { type: "acknowledge", incidentId: INCIDENT, ...BY }],
  [
    `silence ${INCIDENT} --for 4h`,
    { type: "silence", incidentId: INCIDENT, untilMs: NOW_MS + 4 * HOUR_MS, by: null },
  ],
  [`silence ${INCIDENT} --by Anna`, { type: "silence", incidentId: INCIDENT, untilMs: null, ...BY }],
  [`check ${INCIDENT} --by Anna`, { type: "probe_incident", incidentId: INCIDENT, ...BY }],
  ["check acme", { type: "probe_now", subject: "acme" }],
  ["check acme/models", { type: "probe_now", subject: "acme/models" }],
  ["pause acme --for 2h --by Anna", { type: "pause", subject: "acme", untilMs: NOW_MS + 2 * HOUR_MS, ...BY }],
  [
    "pause acme/models --until 2026-11-20T13:00:00Z",
    { type: "pause", subject: "acme/models", untilMs: NOW_MS + HOUR_MS, by: null },
  ],
  ["resume acme/models", { type: "resume", subject: "acme/models" }],
  [
    `note ${INCIDENT} Ticket-4711. --private`,
    { type: "note", incidentId: INCIDENT, text: "Ticket-4711.", isPublic: false },
  ],
  [
    `delete-note ${INCIDENT} 2026-11-20T12:00:00.000Z`,
    { type: "delete_note", incidentId: INCIDENT, atMs: NOW_MS },
  ],
  [
    "plan acme beta --for 2h --title Move",
    {
      type: "plan_maintenance",
      gateways: ["acme", "beta"],
      fromMs: NOW_MS,
      toMs: NOW_MS + 2 * HOUR_MS,
      title: "Move",
    },
  ],
  [
    "announce Slow We-look. acme --kind incident",
    {
      type: "announce",
      said: {
        kind: "incident",
        title: "Slow",
        gateways: ["acme"],
        until: null,
        updates: [{ at: "2026-11-20T12:00:00.000Z", status: "investigating", body: "We-look." }],
      },
    },
  ],
  [
    "update a1x2y3 Soon. --for 2h --status monitoring",
    {
      type: "update_announcement",
      id: "a1x2y3",
      update: { at: "2026-11-20T12:00:00.000Z", status: "monitoring", body: "Soon." },
      until: "2026-11-20T14:00:00.000Z",
    },
  ],
  ["announcements", { type: "list_announcements" }],
  ["delete-announcement a1x2y3", { type: "delete_announcement", id: "a1x2y3" }],
])("%s", async (args, order) => {
  const { code, stdout, stderr } = await admin(args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toBeTypeOf("object");
  expect(desk.orders).toEqual([order]);
});

test.each<[args: string, env: Record<string, string> | undefined, code: number, words: string]>([
  ["acknowledge", undefined, 2, "acknowledge is followed by something else"],
  ["pause  acme", undefined, 2, "pause is followed by an empty word"],
  ["plan  acme --for 2h", undefined, 2, "plan is followed by an empty word"],
  ["announce Title", undefined, 2, "announce is followed by something else"],
  ["", undefined, 2, "verb is missing"],
  ["reboot acme", undefined, 2, "write one of: show, acknowledge"],
  ["toString acme", undefined, 2, "write one of:"],
  ["pause acme", { GATEPULSE_URL: "https://status.example" }, 2, "ADMIN_TOKEN is not set"],
  ["pause acme", { ADMIN_TOKEN: TOKEN }, 2, "the address of the page is missing, or wrong"],
  ["pause acme --url http://status.example", { ADMIN_TOKEN: TOKEN }, 2, "as --url or GATEPULSE_URL"],
  ["pause acme --url http://127.0.0.1:1", { ADMIN_TOKEN: TOKEN }, 1, "nobody answers"],
  ["pause acme --for soon", undefined, 2, 'for: write whole minutes from "1m" to "31d", like "2h"'],
])("%s is refused, and asks nothing of the Ledger", async (args, env, code, words) => {
  const answer = await admin(args, env);
  expect([answer.code, answer.stdout]).toEqual([code, ""]);
  expect(answer.stderr).toContain(words);
  expect(desk.orders).toEqual([]);
});

test("a wrong token is refused, and not repeated", async () => {
  const wrong = "wrong-token-0123456789";
  const { code, stdout, stderr } = await admin("pause acme", { ADMIN_TOKEN: wrong, GATEPULSE_URL: url });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("HTTP 401");
  expect(stderr).not.toContain(wrong);
});
