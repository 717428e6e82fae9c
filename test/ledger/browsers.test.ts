/** Browsers as channels: how many there may be, and when one is forgotten. */
import { expect, test } from "vitest";
import { push } from "../../src/alert/channels/people/push.ts";
import { pushChannel } from "../../src/config/channel-schema.ts";
import type { SubscribeOrder } from "../../src/domain/tick.ts";
import { browser, VAPID } from "../alert/browser.ts";
import { opened } from "../alert/telling.ts";
import { channel, HOUR, OutboxPlay, postsJson, SECOND } from "../fixtures/outbox.ts";
import { NodeStorage } from "./node-storage.ts";

const SETTINGS = {
  publicKey: VAPID.publicKey,
  privateKey: "PUSH_KEY",
  subject: "mailto:oncall@acme.example",
};
const { subscription } = browser("https://fcm.googleapis.com/fcm/send/1");

function play() {
  const browsers = pushChannel({ ...SETTINGS, services: [] });
  const receiver = { status: 201, seen: 0 };
  const of = new OutboxPlay({
    storage: new NodeStorage(),
    channels: [browsers],
    secrets: { PUSH_KEY: VAPID.privateKey },
    kindOf: () => push,
    fetch: async () => {
      receiver.seen += 1;
      return new Response(null, { status: receiver.status });
    },
  });
  const subscribe = (n: number, order: SubscribeOrder = "on") => {
    const one = { ...browsers, id: `push-${n}`, subscription };
    return of.courier.subscribe(one, order, opened(), of.courier.renew());
  };
  return { of, receiver, browsers, subscribe, count: () => of.outbox.channels.length };
}

test("200 browsers can subscribe; the next one can when one is gone", async () => {
  const { of, receiver, subscribe, count } = play();
  for (let n = 0; n < 200; n += 1) expect(await subscribe(n)).toBe("done");
  expect(await subscribe(200)).toBe("full");
  expect(await subscribe(7)).toBe("done");
  expect(receiver.seen).toBe(200);
  of.append(opened());
  receiver.status = 410;
  await of.alarm();
  // An invocation has 45 requests.
  expect(count()).toBe(155);
  receiver.status = 201;
  await of.runUntil(of.nowMs + SECOND);
  expect(receiver.seen).toBe(400);
  expect(await subscribe(200)).toBe("done");
  expect(of.warnings).toEqual([]);
});

test("browsers whose push service hangs hold no other channel up", async () => {
  const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
  const arrived: string[] = [];
  const browsers = pushChannel({ ...SETTINGS, services: [] });
  let hangs = false;
  const of = new OutboxPlay({
    storage: new NodeStorage(),
    channels: [browsers, channel("ops"), channel("dev")],
    secrets: { PUSH_KEY: VAPID.privateKey },
    kindOf: ({ kind }) => (kind === "push" ? push : postsJson),
    fetch: async (url) => {
      const { host } = new URL(url);
      if (hangs && host === "fcm.googleapis.com") await hanging;
      arrived.push(host);
      return new Response(null, { status: 201 });
    },
  });
  for (let n = 0; n < 20; n += 1)
    await of.courier.subscribe(
      { ...browsers, id: `push-${n}`, subscription },
      "on",
      opened(),
      of.courier.renew(),
    );
  await of.alarm();
  arrived.length = 0;
  hangs = true;
  of.append(opened(), opened());
  await of.deliver();
  await expect
    .poll(() => arrived.toSorted())
    .toEqual(["dev.example", "dev.example", "ops.example", "ops.example"]);
  release();
  await of.idle();
  await of.runUntil(of.nowMs + SECOND);
  expect(arrived).toHaveLength(4 + 2 * 20);
});

test("of those that subscribe at once no more are taken, and each one once", async () => {
  const { of, receiver, subscribe, count } = play();
  for (let n = 0; n < 199; n += 1) await subscribe(n);
  const twins = await Promise.all([199, 199, 200, 201].map((n) => subscribe(n)));
  expect(twins.toSorted()).toEqual(["done", "done", "full", "full"]);
  receiver.seen = 0;
  of.append(opened());
  await of.runUntil(of.nowMs + SECOND);
  expect([receiver.seen, count()]).toEqual([200, 200]);
});

test("a push service that is busy does not know less: the browser may try again, unlike one that is unknown", async () => {
  const { receiver, subscribe, count } = play();
  for (const [status, answer] of [
    [503, "busy"],
    [429, "busy"],
    [404, "refused"],
    [410, "refused"],
  ] as const) {
    receiver.status = status;
    expect(await subscribe(1), String(status)).toBe(answer);
  }
  expect(count()).toBe(0);
});

test("a browser that unsubscribes while it is sent a message is forgotten without a word", async () => {
  const { of, receiver, subscribe, count } = play();
  await subscribe(1);
  of.append(opened());
  await of.deliver();
  expect(await subscribe(1, "off")).toBe("done");
  await of.idle();
  expect(await subscribe(1, "off")).toBe("done");
  of.restart();
  expect([count(), receiver.seen]).toEqual([0, 2]);
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
  const { of, browsers, subscribe, count } = play();
  await subscribe(1);
  of.restart([{ ...browsers, publicKey: `B${"A".repeat(86)}` }]);
  expect(count()).toBe(0);
  of.restart();
  expect(count()).toBe(0);
});
