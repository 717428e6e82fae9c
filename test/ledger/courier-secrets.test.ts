import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/channels.ts";
import { identifyChannels } from "../../src/ledger/courier-secrets.ts";
import { channel } from "../fixtures/outbox.ts";

const identityOf = async (of: ChannelConfig, secret: string | null): Promise<string | undefined> =>
  (await identifyChannels([of], "salt", () => secret))["ops"];

test("a channel with another secret, or another kind, is another one", async () => {
  const known = await identityOf(channel("ops"), "https://a.example/1");
  expect(await identityOf(channel("ops"), "https://a.example/1")).toBe(known);
  expect(await identityOf(channel("ops"), "https://a.example/2")).not.toBe(known);
  expect(await identityOf(channel("ops"), null)).not.toBe(known);
  const { id, only } = channel("ops");
  const discord = { kind: "discord", id, only, urlSecret: "OPS_URL" } as const;
  expect(await identityOf(discord, "https://a.example/1")).not.toBe(known);
});

test("what it is told of, and which gateways there are, says nothing of where it leads", async () => {
  const known = await identityOf(channel("ops", { gateways: ["acme"] }), "https://a.example/1");
  expect(await identityOf(channel("ops"), "https://a.example/1")).toBe(known);
  expect(await identityOf(channel("ops", { owners: ["caller"] }), "https://a.example/1")).toBe(known);
});
