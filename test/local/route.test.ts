/** The route of a real status page: for `gatepulse/fetch`, and for the scripts that order the gateways of LiteLLM and one-api. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createFetch } from "../../src/library/fetch/index.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { serveInTurn, status } from "../probe/small-server.ts";
import { startWorld } from "./support/world.ts";

const MODEL = "sim-chat-small";
const VIEW_TOKEN = "let-me-see-the-page-0123";
const IDS = ["acme", "beta", "gamma"];

const simulator = await simulatorOfFile();
simulator.play("acme", "balance_402");
const world = await startWorld({
  gateways: IDS.map((id) => ({
    id,
    baseUrl: simulator.named(id),
    apiKey: "KEY",
    monitors: [{ kind: "models" }, { kind: "chat", model: MODEL, stream: id === "gamma" }],
  })),
  secrets: { KEY: SIMULATOR_KEYS.good, VIEW_TOKEN },
});
afterAll(() => world.stop());
await world.tick(world.startMs);
await world.publish();
beforeEach(() => simulator.clear());

const page = world.url.href.replace(/\/$/u, "");

test("the page lists the gateways, the one whose first token is known before the other, and why one is left out", async () => {
  const path = `/api/v1/route?model=${MODEL}&protocol=chat`;
  const { json } = await world.get(path, { authorization: `Bearer ${VIEW_TOKEN}` });
  expect(json.gateways.map((one: { gateway: string }) => one.gateway)).toEqual(["gamma", "beta"]);
  expect(json.unavailable).toMatchObject([{ gateway: "acme", cause: "insufficient_balance", turn: "us" }]);
  expect((await world.get(path)).status).toBe(401);
});

test("gatepulse/fetch asks them in this order", async () => {
  const gateways = Object.fromEntries(
    IDS.map((id) => [id, { baseUrl: simulator.named(id), apiKey: SIMULATOR_KEYS.good }]),
  );
  const fetch = createFetch({ route: { statusUrl: page, viewToken: VIEW_TOKEN, gateways } });
  simulator.play("gamma", "unauthorized_invalid");
  const body = JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "ping" }] });
  await fetch(`${simulator.named("acme")}/v1/chat/completions`, { method: "POST", body });
  expect(simulator.requests.map(({ gateway }) => gateway)).toEqual(["g/gamma", "g/beta"]);
});

async function run(script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const file = fileURLToPath(new URL(`../../docs/${script}`, import.meta.url));
  return (await promisify(execFile)(process.execPath, [file, ...args], { env: { VIEW_TOKEN, ...env } }))
    .stdout;
}

test("the script for LiteLLM prints its list of models in this order", async () => {
  const gateways = Object.fromEntries(
    IDS.map((id) => [id, { apiBase: `https://${id}.example/v1`, key: `${id.toUpperCase()}_KEY` }]),
  );
  const printed = await run("route-litellm.js", [page, MODEL], { GATEWAYS: JSON.stringify(gateways) });
  const entry = (id: string, order: number) => `  - model_name: "${MODEL}"
    litellm_params:
      model: "openai/${MODEL}"
      api_base: "https://${id}.example/v1"
      api_key: os.environ/${id.toUpperCase()}_KEY
      order: ${order}
`;
  expect(printed).toBe(`model_list:\n${entry("gamma", 1)}${entry("beta", 2)}${entry("acme", 3)}`);
});

test("the script for one-api sets the priorities of its channels in this order, and hears a refusal", async () => {
  const env = { CHANNELS: JSON.stringify({ acme: 7, gamma: 9 }), ONE_API_TOKEN: "token-of-root" };
  const oneApi = await serveInTurn(status(200, '{"success":true,"message":""}'));
  await run("route-one-api.js", [page, MODEL, oneApi.url], env);
  expect(
    oneApi.seen.map(({ method, url, body, headers }) => [method, url, body, headers.authorization]),
  ).toEqual([
    ["PUT", "/api/channel/", '{"id":9,"priority":2}', "token-of-root"],
    ["PUT", "/api/channel/", '{"id":7,"priority":1}', "token-of-root"],
  ]);
  const refusing = await serveInTurn(status(200, '{"success":false,"message":"access token is wrong"}'));
  await expect(run("route-one-api.js", [page, MODEL, refusing.url], env)).rejects.toThrow(
    "access token is wrong",
  );
});
