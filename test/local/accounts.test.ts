/** A gateway names the account and the address of its caller in each of its words. Real Worker, real sockets. */
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { serveHttp } from "../probe/small-server.ts";
import { ADMIN_TOKEN, alertingHouse, passMinutes } from "./support/alerting.ts";
import { everyAnswer } from "./support/everything.ts";
import { findLeaks, type Haystack } from "./support/leaks.ts";
import { statusOf } from "./support/readings.ts";

const { receiver, start } = await alertingHouse();

const ORGANIZATION = "org-Zq83hYtR5mVx20KpLw7nBd4c";
const USER = "user-9Jd7Lw3Rv5Xp1Nc8Tb2Hy6Ks";
const NUMBER = "987654321098";
const PROJECT = "payments-prod-31";
const ADDRESS = "203.0.113.77";
const ALL = [ORGANIZATION, USER, NUMBER, PROJECT, ADDRESS];
const TASK = `projects/${PROJECT}/operations/0c3357`;
const REQUEST_ID = "req_8Rk5Zt1Ws7Pd3Fy9Mc4Ga6Uv";

const error = {
  message: `Limit of ${ORGANIZATION} and arn:aws:iam::${NUMBER}:user/joe reached from ${ADDRESS}.`,
  type: `limit of ${ORGANIZATION}`,
  code: `${USER}:${ADDRESS}`,
};

/** Lists and chats are refused; a task is created, and then fails. */
const gateway: RequestListener = ({ method, url = "" }, response) => {
  const isVideo = url.includes("/videos");
  const created = { id: TASK, status: "queued" };
  const failed = { id: TASK, status: "failed", error };
  const [status, body] = isVideo ? [200, method === "POST" ? created : failed] : [403, { error }];
  const headers = { "content-type": "application/json", "x-request-id": REQUEST_ID };
  response.writeHead(status, headers).end(JSON.stringify(body));
};

test("who asked is on no page, in no feed, metric and public answer; own channels and the administrator read it", async () => {
  const baseUrl = await serveHttp(gateway);
  const world = await start(
    {},
    { ops: undefined },
    {
      gateways: [
        {
          id: "a",
          baseUrl,
          apiKey: "KEY",
          showEndpoint: true,
          monitors: [
            { kind: "models" },
            { kind: "chat", model: "m", every: "1m" },
            { kind: "video", model: "m", deadline: "2m", every: "5m" },
          ],
        },
        { id: "b", baseUrl: `${baseUrl}/b`, apiKey: "KEY", regions: ["weur", "apac"] },
      ],
      config: { open: 1 },
    },
  );
  await passMinutes(world, 0, 1);
  await world.publish();
  const running = [bytesOf("status with a task", (await world.get("/api/v1/status")).text)];
  expect(running[0]?.bytes.toString()).toContain('"state":"queued"');
  await passMinutes(world, 4, 3);
  await world.publish();

  const { gateways } = await statusOf(world);
  const monitors = gateways.flatMap((one) => one.monitors);
  expect(monitors.map(({ id, diagnosis }) => [id, diagnosis?.requestId])).toEqual(
    ["a/models", "a/chat-m", "a/video-m", "b/models"].map((id) => [id, REQUEST_ID]),
  );
  const ids = monitors.map(({ id }) => id);
  expect(findLeaks([...running, ...(await everyAnswer(world, ids, null))], ALL)).toEqual([]);

  const full = await Promise.all(
    monitors.map(({ report }) =>
      world.get(`/api/v1/reports/${report}`, { authorization: `Bearer ${ADMIN_TOKEN}` }),
    ),
  );
  const toAdministrator = full.map(({ text }) => text).join("\n");
  const toChannel = receiver
    .at("ops")
    .map(({ body }) => body)
    .join("\n");
  for (const one of ALL) {
    expect(toAdministrator).toContain(one);
    expect(toChannel).toContain(one);
  }
});

function bytesOf(name: string, text: string): Haystack {
  return { name, bytes: Buffer.from(text) };
}
