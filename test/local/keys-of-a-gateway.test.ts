/** A gateway is sent several keys, and may name each of them in answers to another. Real Worker, real sockets. */
import type { RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../probe/small-server.ts";
import { everyAnswer, everythingKept } from "./support/everything.ts";
import { findLeaks } from "./support/leaks.ts";
import { statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld } from "./support/world.ts";

const ADMIN_TOKEN = "adm-0123456789-0123456789-abcdefgh";
const KEYS = {
  GATEWAY_KEY: "Zq83hYtR5mVx20KpLw7nBd4c",
  LOGIN_TOKEN: "9Jd7Lw3Rv5Xp1Nc8Tb2Hy6Ks",
  CANARY_KEY: "4Fg6Wk2Qs8Zm0Ux5Ce1Ra7Pt",
  OTHER_KEY: "6Hx2Vb9Tn4Lq7Yw1Dk8Sj3Mz",
  REGION_KEY: "8Rk5Zt1Ws7Pd3Fy9Mc4Ga6Uv",
};
const ALL = Object.values(KEYS);

const sent = new Set<string | undefined>();

/** Each answer names all of them, whichever was sent. */
const echo: RequestListener = ({ headers }, response) => {
  sent.add(headers.authorization?.replace("Bearer ", ""));
  const said = ALL.join(" ");
  const error = { message: said, code: ALL[1], type: ALL[3], request_id: ALL[2] };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ error, id: said }));
};

test("whichever key is sent, no key of the gateway or of its host is shown, kept or logged", async () => {
  const baseUrl = await serveHttp(echo);
  const world = await startWorld({
    secrets: { ADMIN_TOKEN, ...KEYS },
    gateways: [
      {
        id: "a",
        baseUrl,
        apiKey: "GATEWAY_KEY",
        monitors: [
          { kind: "models" },
          { kind: "image", model: "m" },
          { kind: "chat", model: "m", apiKey: "CANARY_KEY" },
          { kind: "console", apiKey: "LOGIN_TOKEN" },
        ],
      },
      { id: "b", baseUrl: `${baseUrl}/b`, apiKey: "OTHER_KEY" },
      { id: "c", baseUrl: `${baseUrl}/c`, apiKey: "REGION_KEY", regions: ["weur", "apac", "enam"] },
    ],
    config: { open: 1 },
    stands: true,
  });
  onTestFinished(() => world.stop());
  await world.tick(world.startMs);
  await world.tick(world.startMs + 40 * MINUTE_MS);
  await world.publish();
  const { gateways } = await statusOf(world);
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  const ids = ["a/models", "a/image-m", "a/chat-m", "a/console", "b/models", "c/models"];
  const seen = monitors.map(({ id, diagnosis }) => [id, diagnosis?.cause]);
  expect(seen).toEqual(ids.map((id) => [id, "api_error"]));
  expect(sent).toEqual(new Set(ALL));
  const region = await world.get("/api/v1/gateways/c/monitors/models/history?region=apac");
  const haystacks = [
    ...(await everyAnswer(world, ids, ADMIN_TOKEN)),
    { name: "a region", bytes: Buffer.from(region.text) },
    ...(await everythingKept(world)),
  ];
  expect(findLeaks(haystacks, ALL)).toEqual([]);
});
