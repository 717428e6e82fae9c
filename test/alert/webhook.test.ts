/** The body of the webhook, and its signature by the Standard Webhooks. */
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signatureHeaders, signingKeyOf, webhook } from "../../src/alert/channels/programs/webhook.ts";
import { CHANNELS, ENTRIES, render, SECRETS } from "./channel-configs.ts";
import { bodyOf, letterOf, occasion, opened, stalled } from "./telling.ts";

const CHANNEL = CHANNELS.webhook;

test("what an event does not have is null, not absent", async () => {
  const { data, ...rest } = bodyOf(await render(CHANNEL, [stalled()])) as { data: object };
  const head = { schemaVersion: 1, type: "monitoring.stalled", timestamp: "2026-11-20T12:00:00.000Z" };
  expect(rest).toEqual(head);
  const none = "reason incident gateway gatewayName monitor diagnosis models shard report".split(" ");
  expect(data).toEqual({
    ...Object.fromEntries(none.map((member) => [member, null])),
    eventId: "2026-11-20-monitoring-stalled-11",
    lastTickAt: "2026-11-20T11:57:00.000Z",
    url: "https://status.acme.example/",
  });
});

const SECRET = ENTRIES.webhook.secrets.HOOK_SECRET;
const OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

test("the signature is the one that the standard's own library computes", async () => {
  const sent = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    body: '{"test": 2432232314}',
  };
  expect(await signatureHeaders(sent, 1_614_265_330_999, [signingKeyOf(SECRET)])).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("while a secret is rotated, a receiver with either of them can verify", async () => {
  const channel = { ...CHANNEL, secret: ["OLD_HOOK_SECRET", "HOOK_SECRET"] };
  const event = opened({ gateway: { id: "acme", name: "Ü", monitors: 1 } });
  const { headers, body } = letterOf(
    await webhook.render(
      [event],
      channel,
      occasion({ ...SECRETS, OLD_HOOK_SECRET: OTHER }, { nowMs: Date.now() }),
    ),
  );
  expect(headers["webhook-id"]).toBe(event.id);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const secret of [SECRET, OTHER]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
});
