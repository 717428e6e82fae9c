import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { webhook } from "../../src/alert/channels/webhook.ts";
import { CHANNELS, render, SECRETS } from "./channel-configs.ts";
import { bodyOf, letterOf, occasion, opened, resolved, stalled, tested } from "./telling.ts";

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

test("a silence of one shard of several has its number", async () => {
  const body = bodyOf(await render(CHANNEL, [{ ...stalled(), shard: 2 }]));
  expect(body).toMatchObject({ data: { shard: 2 } });
});

test("webhook-id is the event's id, and the time is that of the try", async () => {
  const { headers, url, method } = letterOf(await render(CHANNEL, [tested()]));
  expect({ method, url }).toEqual({ method: "POST", url: SECRETS.HOOK_URL });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": "2026-11-20-test-11",
    "webhook-timestamp": "1795176060",
  });
});

describe("at a real receiver", () => {
  interface Received {
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }

  async function deliver(secrets: Readonly<Record<string, string>>, signingSecrets: readonly string[]) {
    const received: Received[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((done) => {
      server.listen(0, "127.0.0.1", done);
    });
    try {
      const { port } = server.address() as AddressInfo;
      const known = { ...secrets, LOCAL_URL: `http://127.0.0.1:${port}/hook?a=1` };
      const channel = { ...CHANNEL, urlSecret: "LOCAL_URL", signingSecrets };
      for (const event of [opened(), resolved()]) {
        const now = occasion(known, { nowMs: Date.now() });
        const { url, method, headers, body } = letterOf(await webhook.render([event], channel, now));
        const response = await fetch(url, { method, headers, body });
        const answer = { status: response.status, headers: {}, body: "" };
        expect(webhook.read(answer, Date.now())).toEqual({ type: "delivered" });
      }
      return received;
    } finally {
      await new Promise((done) => {
        server.close(done);
      });
    }
  }

  function verified(secret: string, { headers, body }: Received): unknown {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  }

  test("the signature is verified as it came over the wire", async () => {
    const received = await deliver(SECRETS, ["HOOK_SECRET"]);
    const types = received.map((one) => (verified(SECRETS.HOOK_SECRET, one) as { type: string }).type);
    expect(types).toEqual(["incident.opened", "incident.resolved"]);
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([
      "acme-models-20261120t120000z-incident-opened-7",
      "acme-models-20261120t120000z-incident-resolved-9",
    ]);
    expect(() => verified(SECRETS.OLD_HOOK_SECRET, received[0]!)).toThrow("No matching signature");
  });

  test("while the secret is rotated, by the old one and by the new one", async () => {
    const [first] = await deliver(SECRETS, ["HOOK_SECRET", "OLD_HOOK_SECRET"]);
    expect(verified(SECRETS.HOOK_SECRET, first!)).toEqual(verified(SECRETS.OLD_HOOK_SECRET, first!));
  });
});
