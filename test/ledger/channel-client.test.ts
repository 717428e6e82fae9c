/** What reaches a real receiver, and what its answer means. */
import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { send } from "../../src/ledger/deliver/channel-client.ts";
import { CHANNELS, PORTS, SECRETS } from "../alert/channel-configs.ts";
import { opened } from "../alert/telling.ts";
import { serveInTurn, status } from "../probe/small-server.ts";

async function sent(channel: ChannelConfig, answer: ReturnType<typeof status>) {
  const receiver = await serveInTurn(answer);
  const secretOf = (name: string) =>
    name.endsWith("_URL") ? `${receiver.url}/hook?key=abc` : (SECRETS[name] ?? null);
  const { verdict } = await send([opened()], channel, channelKind(channel), { ...PORTS, secretOf });
  return { verdict, seen: receiver.seen };
}

test("a GET has no body, and its query is added to that of the address", async () => {
  const channel = { ...CHANNELS.custom, method: "GET", json: undefined } as const;
  const { verdict, seen } = await sent(channel, status(200));
  expect(verdict).toEqual({ type: "delivered" });
  expect(seen).toMatchObject([
    { method: "GET", url: "/hook?key=abc&cause=upstream_unavailable&turn=upstream", body: "" },
  ]);
});
