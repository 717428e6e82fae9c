/** Browsers as channels: how many there may be, and when one is forgotten. */
import { expect, test } from "vitest";
import { push } from "../../src/alert/channels/people/push.ts";
import { pushChannel } from "../../src/config/channel-schema.ts";
import { browser, VAPID } from "../alert/browser.ts";
import { opened } from "../alert/telling.ts";
import { HOUR, OutboxPlay, SECOND } from "../fixtures/outbox.ts";
import { NodeStorage } from "./node-storage.ts";

const SETTINGS = {
  publicKey: VAPID.publicKey,
  privateKey: "PUSH_KEY",
  subject: "mailto:oncall@acme.example",
};
const { subscription } = browser("https://fcm.googleapis.com/fcm/send/1");

function play() {
  const channel = pushChannel({ ...SETTINGS, services: [] });
  const receiver = { status: 201, seen: 0 };
  const of = new OutboxPlay({
    storage: new NodeStorage(),
    channels: [channel],
    secrets: { PUSH_KEY: VAPID.privateKey },
    kindOf: () => push,
    fetch: async () => {
      receiver.seen += 1;
      return new Response(null, { status: receiver.status });
    },
  });
  const subscribe = (n: number) =>
    of.courier.subscribe({ ...channel, id: `push-${n}`, subscription }, opened(), of.courier.renew());
  return { of, receiver, channel, subscribe, count: () => of.outbox.channels.length };
}

test("200 browsers can subscribe; the next one can when one is gone", async () => {
  const { of, receiver, subscribe, count } = play();
  for (let n = 0; n < 200; n += 1) expect(await subscribe(n)).toBe("subscribed");
  expect(await subscribe(200)).toBe("full");
  expect(await subscribe(7)).toBe("subscribed");
  expect(receiver.seen).toBe(200);
  of.append(opened());
  receiver.status = 410;
  await of.alarm();
  // An invocation has 45 requests.
  expect(count()).toBe(155);
  receiver.status = 201;
  await of.runUntil(of.nowMs + SECOND);
  expect(receiver.seen).toBe(400);
  expect(await subscribe(200)).toBe("subscribed");
  expect(of.warnings).toEqual([]);
});

test("after a day without an answer nothing is kept for anyone to replay", async () => {
  const { of, receiver, subscribe, count } = play();
  await subscribe(1);
  receiver.status = 503;
  of.append(opened());
  await of.runUntil(of.nowMs + 30 * HOUR);
  expect(of.outbox.statuses(of.nowMs)).toMatchObject([{ undelivered: 0, lost: 0, waiting: null }]);
  expect(count()).toBe(1);
  of.restart();
  expect(count()).toBe(1);
});

test("with another pair of keys, browsers of the former one are forgotten: no service would take its messages", async () => {
  const { of, channel, subscribe, count } = play();
  await subscribe(1);
  of.restart([{ ...channel, publicKey: `B${"A".repeat(86)}` }]);
  expect(count()).toBe(0);
  of.restart();
  expect(count()).toBe(0);
});
