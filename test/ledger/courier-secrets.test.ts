import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import { excerptOf, identifyChannels } from "../../src/ledger/deliver/channel-client.ts";
import { channel, EVERYTHING } from "../fixtures/outbox.ts";

const [ONE, ANOTHER] = ["https://a.example/1", "https://a.example/2"];
const DISCORD = { kind: "discord", id: "ops", only: EVERYTHING, url: "OPS_URL" } as const;
const TOPIC = {
  kind: "ntfy",
  id: "ntfy",
  url: "NTFY_URL",
  token: undefined,
  only: EVERYTHING,
} as const;

const identityOf = async (of: ChannelConfig, secret: string | null): Promise<string | undefined> =>
  (await identifyChannels([of], "salt", () => secret))["ops"];

test.each<[is: "the same" | "another", of: ChannelConfig, secret: string | null]>([
  ["the same", channel("ops"), ONE],
  ["another", channel("ops"), ANOTHER],
  ["another", channel("ops"), null],
  ["another", DISCORD, ONE],
  // Its events, and which gateways there are, say nothing about its address.
  ["the same", channel("ops", { gateways: ["acme"] }), ONE],
  ["the same", channel("ops", { owners: ["caller"] }), ONE],
])("%s channel is %o with the secret %s", async (is, of, secret) => {
  const isSame = (await identityOf(of, secret)) === (await identityOf(channel("ops"), ONE));
  expect(isSame).toBe(is === "the same");
});

test.each([
  [TOPIC, "https://ntfy.sh/my-alerts", "topic my-alerts not found", "topic [redacted] not found"],
  [TOPIC, "https://ntfy.example/push/acmeops/", "no acmeops here", "no [redacted] here"],
  [TOPIC, "https://ntfy.sh/a%2Dopsx", "no a-opsx here", "no [redacted] here"],
  [TOPIC, "https://ntfy.sh/ops", "topic ops not found", "topic ops not found"],
  [TOPIC, "https://ntfy.sh", "no ntfy.sh without a topic", "no ntfy.sh without a topic"],
  [channel("a"), "https://a.example/hook/a7f-3c?wait=1", "no hook a7f-3c", "no hook [redacted]"],
  [TOPIC, "tk_0123456789", "the token tk_0123456789 is wrong", "the token [redacted] is wrong"],
  [channel("a"), "https://a.example/send?access_token=a7f-3c", "no token a7f-3c", "no token [redacted]"],
  [channel("a"), "https://a.example/api/webhook", "the webhook is away", "the webhook is away"],
])(
  "of %o at %s an answer is shown without what its address ends with, where that is a secret",
  (kind, url, body, shown) => {
    expect(
      excerptOf({ status: 400, headers: {}, body }, { channel: kind, secretOf: () => url, url: "" }),
    ).toBe(shown);
  },
);
