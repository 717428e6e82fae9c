import { describe, expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/channels.ts";
import {
  channel,
  draft,
  drafts,
  MINUTE,
  NOON,
  OutboxPlay,
  type PlayOptions,
  postsJson,
  Receiver,
  SECOND,
} from "../fixtures/outbox.ts";
import { PATIENTLY } from "./outbox-receiver.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

function play(options: Partial<PlayOptions> & { channels: readonly ChannelConfig[] }) {
  const storage = sqliteStorage();
  const receiver = new Receiver();
  return { receiver, storage, of: new OutboxPlay({ storage, fetch: receiver.fetch, ...options }) };
}

describe("one alarm", () => {
  test("begins 40 requests at most over all channels, and the next alarm comes at once", async () => {
    const { of, receiver } = play({ channels: [channel("a"), channel("b"), channel("c")] });
    of.append(...drafts(50));
    const requests: number[] = [];
    for (let total = 0; total < 150; total = receiver.requests) {
      expect(of.courier.nextWakeMs()).toBe(NOON);
      await of.alarm();
      requests.push(receiver.requests - total);
    }
    expect(requests).toEqual([40, 40, 40, 30]);
    expect(of.courier.nextWakeMs()).toBeNull();
    for (const host of ["a.example", "b.example", "c.example"]) {
      expect(receiver.arrived.get(host)).toHaveLength(50);
    }
  });

  test("an invocation that comes while messages go out adds no request to what was begun before it", async () => {
    const { of, receiver } = play({ channels: [channel("a")] });
    of.append(...drafts(100));
    receiver.answer = () => {
      if (receiver.requests === 20) of.courier.renew();
      return 200;
    };
    await of.alarm();
    expect(receiver.requests).toBe(40);
    expect(of.courier.nextWakeMs()).toBe(NOON);
  });

  test("where all requests are used up the next one has its own, and what still waits for an answer has none of them", async () => {
    const answers: (() => void)[] = [];
    const hosts: string[] = [];
    const { of } = play({
      channels: [channel("a"), channel("b")],
      fetch: async (url) => {
        const { host } = new URL(url);
        hosts.push(host);
        if (host === "a.example") await new Promise<void>((resolve) => answers.push(resolve));
        return new Response();
      },
    });
    of.append(...drafts(60));
    await of.deliver();
    await expect.poll(() => of.rearmed, PATIENTLY).toBe(1);
    expect([hosts.length, of.courier.nextWakeMs()]).toEqual([40, NOON]);
    await of.deliver();
    await expect.poll(() => of.rearmed, PATIENTLY).toBe(2);
    expect(hosts.filter((host) => host === "b.example")).toHaveLength(60);
    answers.shift()?.();
    await expect.poll(() => of.rearmed, PATIENTLY).toBe(3);
    expect(hosts.filter((host) => host === "a.example")).toHaveLength(1);
    expect(of.courier.nextWakeMs()).toBe(NOON);
  });

  test("one message is under way a channel, and channels go side by side", async () => {
    const waiting: (() => void)[] = [];
    const hosts: string[] = [];
    const { of } = play({
      channels: [channel("a"), channel("b")],
      fetch: async (url) => {
        hosts.push(new URL(url).host);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return new Response();
      },
    });
    of.append(...drafts(2));
    await of.deliver();
    await of.deliver();
    expect(hosts).toEqual(["a.example", "b.example"]);
    waiting.shift()?.();
    await expect.poll(() => hosts, PATIENTLY).toEqual(["a.example", "b.example", "a.example"]);
    expect(of.rearmed).toBe(0);
    waiting.splice(0).forEach((answer) => answer());
    await expect.poll(() => hosts.length, PATIENTLY).toBe(4);
    waiting.splice(0).forEach((answer) => answer());
    await of.idle();
    expect([hosts.length, of.rearmed]).toEqual([4, 2]);
  });

  test("a message that is under way is guarded: the object wakes in three minutes, should it be killed", async () => {
    const { of } = play({ channels: [channel("a")], fetch: () => new Promise(() => undefined) });
    of.append(draft(1));
    await of.deliver();
    expect(of.courier.nextWakeMs()).toBe(NOON + 3 * MINUTE);
    of.restart();
    expect(of.courier.nextWakeMs()).toBe(NOON);
  });

  test("storage that fails when a failed try is to be noted: the channel rests for half a minute, and sends it again", async () => {
    const { of, receiver, storage } = play({ channels: [channel("a")] });
    await of.alarm();
    const [event] = of.append(draft(1));
    receiver.answer = () => {
      storage.fails = true;
      return 500;
    };
    await of.alarm();
    expect(of.warnings).toEqual(["the channel a rests, as the outbox failed: Error: disk I/O error"]);
    expect(of.courier.nextWakeMs()).toBe(NOON + 30 * SECOND);
    await of.alarm();
    expect(receiver.requests).toBe(1);
    storage.fails = false;
    receiver.answer = () => 200;
    await of.runUntil(NOON + MINUTE);
    expect(receiver.arrived.get("a.example")).toEqual([event?.id, event?.id]);
  });

  test("a kind that throws is a bug that holds up its own channel alone", async () => {
    const { of, receiver } = play({
      channels: [channel("a"), channel("b"), channel("c")],
      kindOf: ({ id }) => ({
        ...postsJson,
        ...(id === "a" && { render: () => Promise.reject(new TypeError("secret words")) }),
        ...(id === "b" && {
          read: () => {
            throw new TypeError("secret words");
          },
        }),
      }),
    });
    of.append(draft(1));
    await of.alarm();
    expect(receiver.arrived.get("c.example")).toHaveLength(1);
    expect(of.outbox.statuses(NOON).map(({ problem }) => problem)).toEqual([
      "no message could be made of the event",
      "HTTP 200",
      null,
    ]);
    expect(of.warnings).toEqual([
      "no message could be made for the channel a: TypeError",
      "an answer of the channel b could not be read: TypeError",
    ]);
  });

  test.each(["delivered", "refused", "gone"] as const)(
    "a redirect is a failed try, even for a kind that takes it for %s, and its address is not told",
    async (type) => {
      const { of, receiver } = play({
        channels: [channel("a")],
        kindOf: () => ({ ...postsJson, read: () => ({ type }) }),
      });
      receiver.answer = () =>
        new Response("Moved to https://final.example/hook/5c9f5a3e", {
          status: 302,
          headers: { location: "https://final.example/hook/5c9f5a3e" },
        });
      of.append(draft(1));
      await of.alarm();
      const problem = "HTTP 302: a redirect is not followed: set the secret to the final address";
      expect(of.outbox.statuses(NOON)).toMatchObject([
        { problem, disabled: null, undelivered: 0, waiting: { tries: 1 } },
      ]);
    },
  );

  test("a row of the log that cannot be read holds up no other channel's alarm", async () => {
    const { of, storage } = play({ channels: [channel("a")] });
    of.append(draft(1));
    storage.sql.exec("UPDATE alert SET body = '[{}]'");
    of.restart();
    await of.alarm();
    expect(of.warnings.length).toBeGreaterThan(0);
    expect(of.courier.nextWakeMs()).toBe(NOON + 30 * SECOND);
  });
});
