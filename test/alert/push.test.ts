import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { reception } from "../../src/alert/channel.ts";
import { push } from "../../src/alert/channels/people/push.ts";
import { pushChannel } from "../../src/config/channel-schema.ts";
import { browser, VAPID } from "./browser.ts";
import { incident, NOW_MS, occasion, opened } from "./telling.ts";

const READER = browser("https://updates.push.services.mozilla.com/wpush/v2/gAAAAA");
const SECRETS = { PUSH_KEY: VAPID.privateKey };
const SETTINGS = {
  publicKey: VAPID.publicKey,
  privateKey: "PUSH_KEY",
  subject: "mailto:oncall@acme.example",
};
const CHANNEL = { ...pushChannel({ ...SETTINGS, services: [] }), subscription: READER.subscription };

/** What the browser reads of the request, with its headers. */
async function told(event: AlertEvent, over: Parameters<typeof occasion>[1] = {}) {
  const letter = await push.render([event], CHANNEL, occasion(SECRETS, over));
  if (letter.type !== "http" || letter.bytes === undefined) throw new Error("no request was made");
  expect(letter.url).toBe(READER.subscription.endpoint);
  return { headers: letter.headers, read: READER.read(letter.headers, letter.bytes) };
}

test("an incident is told with the page to open; older words about it are replaced", async () => {
  const event = opened();
  const end = { ...event, type: "incident.resolved", atMs: event.atMs + 720_000 } as const;
  const [first, last] = [await told(event), await told(end)];
  const tag = event.incident?.id;
  expect(first.read).toEqual({ title: "Acme: down", body: "Acme gateways", tag, url: event.url });
  expect(last.read).toEqual({
    title: "Recovered: Acme",
    body: "Acme gateways",
    tag,
    url: event.url,
  });
  expect([first.headers["urgency"], last.headers["urgency"]]).toEqual(["high", "normal"]);
  expect(first.headers["topic"]).toBe(last.headers["topic"]);
  expect(first.headers["ttl"]).toBe("86400");
});

test("neither cause nor advice nor the gateway's words are told: the page may not show them", async () => {
  const { read } = await told(opened());
  expect(JSON.stringify(read)).not.toMatch(/upstream|channel|503|provider/i);
});

test("the words are those of the site's language", async () => {
  expect((await told(opened(), { language: "zh" })).read).toMatchObject({ title: "Acme：故障" });
  const welcome = opened({ type: "test", incident: null, gateway: null });
  expect((await told(welcome)).read).toMatchObject({ title: "Notifications are on" });
  expect((await told(welcome, { language: "zh" })).read).toMatchObject({ title: "通知已开启" });
});

test("the longest names stay within 4,096 bytes", async () => {
  const name = "网".repeat(3000);
  const event = opened({ gateway: { id: "acme", name, monitors: 1 } });
  const { read } = await told(event, { title: name });
  expect((read as { title: string }).title).toMatch(/^网{300,}…$/);
});

describe("an answer", () => {
  test.each([
    [201, "delivered"],
    [404, "gone"],
    [410, "gone"],
    [413, "refused"],
    [403, "later"],
    [429, "later"],
    [500, "later"],
  ])("%i: %s", (status, type) => {
    expect(reception(push, { status, headers: {}, body: "" }, NOW_MS).type).toBe(type);
  });
});

test("gateways of one provider are named, and the provider is not: pages of health alone do not show it", async () => {
  const gateways = [
    { id: "acme", name: "Acme" },
    { id: "beta", name: "Beta" },
  ];
  const shared = incident({
    monitors: ["acme/models", "beta/models"],
    provider: { name: "OpenAI", gateways },
  });
  const event = opened({ incident: shared });
  expect((await told(event)).read).toMatchObject({ title: "Acme and Beta: down" });
  expect((await told({ ...event, type: "incident.resolved" })).read).toMatchObject({
    title: "Recovered: Acme and Beta",
  });
});
