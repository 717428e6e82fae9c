import { describe, expect, test } from "vitest";
import {
  channel,
  draft,
  drafts,
  MINUTE,
  NOON,
  OutboxPlay,
  postedIn,
  postsJson,
  SECOND,
} from "../fixtures/outbox.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

describe("bundles", () => {
  const of = (gateway: string, tickMs: number | null, n: number) =>
    draft(n, { gateway: { id: gateway, name: gateway, monitors: 1 }, tickMs });

  test("the events of one gateway in one tick are one message, in the order of the first", async () => {
    const { receiver, bundling } = playBundling(() => false);
    bundling.append(of("a", NOON, 0), of("b", NOON, 1));
    bundling.append(
      of("a", NOON, 2),
      of("a", NOON + MINUTE, 3),
      of("b", NOON, 4),
      of("a", null, 5),
      of("a", null, 6),
    );
    await bundling.alarm();
    const urls = receiver.messages.map((events) => events.map(({ url }) => url));
    expect(urls).toEqual([["/0", "/2"], ["/1", "/4"], ["/3"], ["/5"], ["/6"]]);
    expect(bundling.outbox.statuses(bundling.nowMs)[0]?.waiting).toBeNull();
  });

  test("a bundle waits for its gateway's tick to end, and for a minute at most", async () => {
    const open = new Set(["a", "b"]);
    const { receiver, bundling } = playBundling((gateway) => open.has(gateway ?? ""));
    bundling.append(of("a", NOON, 0), of("b", NOON, 1));
    await bundling.alarm();
    expect(receiver.messages).toEqual([]);
    expect(bundling.courier.nextWakeMs()).toBe(NOON + MINUTE);
    bundling.nowMs += 20 * SECOND;
    bundling.append(of("a", NOON, 2));
    open.delete("a");
    await bundling.alarm();
    expect(receiver.messages.map((events) => events.length)).toEqual([2]);
    bundling.nowMs = NOON + MINUTE;
    await bundling.alarm();
    expect(receiver.messages.map((events) => events.length)).toEqual([2, 1]);
  });

  test("what the channel does not want is in no bundle, nor what came long after the tick", async () => {
    const { receiver, bundling } = playBundling(() => false);
    bundling.restart([channel("chat", { events: ["models.changed"] })]);
    bundling.append(of("a", NOON, 0), { ...of("a", NOON, 1), type: "monitoring.stalled" }, of("a", NOON, 2));
    bundling.nowMs += 5 * MINUTE + 1;
    bundling.append(of("a", NOON, 3));
    await bundling.alarm();
    const urls = receiver.messages.map((events) => events.map(({ url }) => url));
    expect(urls).toEqual([["/0", "/2"], ["/3"]]);
  });

  test("no event goes before an older one of its gateway: another tick of it ends the bundle", async () => {
    const { receiver, bundling } = playBundling(() => false);
    bundling.append(
      of("a", NOON, 0),
      of("b", NOON, 1),
      of("a", NOON + MINUTE, 2),
      of("a", NOON, 3),
      of("b", NOON, 4),
    );
    await bundling.alarm();
    const urls = receiver.messages.map((events) => events.map(({ url }) => url));
    expect(urls).toEqual([["/0"], ["/1", "/4"], ["/2"], ["/3"]]);
  });

  test("an event of the gateway that the channel does not want ends no bundle", async () => {
    const { receiver, bundling } = playBundling(() => false);
    bundling.restart([channel("chat", { events: ["models.changed"] })]);
    bundling.append(of("a", NOON, 0), { ...of("a", null, 1), type: "incident.opened" }, of("a", NOON, 2));
    await bundling.alarm();
    expect(receiver.messages.map((events) => events.map(({ url }) => url))).toEqual([["/0", "/2"]]);
  });

  test("a hundred events are enough for one message", async () => {
    const { receiver, bundling } = playBundling(() => false);
    bundling.append(...drafts(250, { tickMs: NOON }));
    await bundling.alarm();
    expect(receiver.messages.map((events) => events.length)).toEqual([100, 100, 50]);
  });

  test("what went ahead in a bundle does not go again, though the object dies in between", async () => {
    const { receiver, bundling, answers } = playBundling(() => false);
    bundling.append(of("a", NOON, 0), of("b", NOON, 1), of("a", NOON, 2), of("c", NOON, 3));
    answers.push(200, 500);
    await bundling.alarm();
    bundling.restart();
    await bundling.runUntil(NOON + MINUTE);
    const urls = receiver.messages.map((events) => events.map(({ url }) => url));
    expect(urls).toEqual([["/0", "/2"], ["/1"], ["/1"], ["/3"]]);
  });
});

function playBundling(isTickOpen: (gatewayId: string | null) => boolean) {
  const answers: number[] = [];
  const receiver = { messages: [] as { id: string; url: string }[][] };
  const bundling = new OutboxPlay({
    storage: sqliteStorage(),
    channels: [channel("chat")],
    kindOf: () => ({ ...postsJson, bundles: true }),
    isTickOpen,
    fetch: async (_, { body }) => {
      receiver.messages.push([...postedIn(body).events]);
      return new Response(null, { status: answers.shift() ?? 200 });
    },
  });
  return { receiver, bundling, answers };
}
