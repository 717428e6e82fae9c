/** When it is noted that something was delivered, what that costs, and what comes again where it was not. */
import { describe, expect, test } from "vitest";
import {
  channel,
  draft,
  drafts,
  HOUR,
  MINUTE,
  NOON,
  OutboxPlay,
  Receiver,
  SECOND,
} from "../fixtures/outbox.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

const CHANNELS = ["a", "b", "c"].map((id) => channel(id));

function play(channels = CHANNELS) {
  const storage = sqliteStorage();
  const receiver = new Receiver();
  const of = new OutboxPlay({ storage, channels, fetch: receiver.fetch });
  return { of, storage, receiver };
}

/** It has lived for a while, and knows its secrets. */
async function grownUp(of: OutboxPlay): Promise<void> {
  await of.alarm();
  of.nowMs += 10 * SECOND;
}

/** Answers come when they are called for. */
function playByHand() {
  const answers: { host: string; give: () => void }[] = [];
  const storage = sqliteStorage();
  const of: OutboxPlay = new OutboxPlay({
    storage,
    channels: CHANNELS,
    fetch: async (url) => {
      await new Promise<void>((give) => answers.push({ host: new URL(url).host.slice(0, 1), give }));
      return new Response();
    },
  });
  const give = async (host: string): Promise<void> => {
    await asked();
    const at = answers.findIndex((answer) => answer.host === host);
    if (at < 0) throw new Error(`${host} was not asked`);
    answers.splice(at, 1)[0]?.give();
    await asked();
  };
  return { of, storage, answers, give };
}

/** All that can begin without an answer has begun. */
async function asked(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

describe("what was delivered", () => {
  test("of a burst to three channels is noted once, when nothing is under way any more", async () => {
    const { of, storage } = play();
    await grownUp(of);
    of.append(...drafts(13));
    const rows = storage.rowsWritten;
    await of.alarm();
    expect(of.courier.nextWakeMs()).toBeNull();
    expect(storage.rowsWritten - rows).toBe(1);
  });

  test("of a long run is noted once a second", async () => {
    const { of, storage, receiver } = play([channel("a")]);
    await grownUp(of);
    receiver.answer = () => {
      of.nowMs += 250;
      return 200;
    };
    of.append(...drafts(40));
    const rows = storage.rowsWritten;
    await of.alarm();
    // Ten seconds: with every fifth answer.
    expect(storage.rowsWritten - rows).toBe(8);
  });

  test("is not kept back by a receiver that hangs for longer than a second, once another one answers", async () => {
    const { of, storage, give } = playByHand();
    await grownUp(of);
    of.append(...drafts(2));
    const rows = storage.rowsWritten;
    await of.deliver();
    await give("a");
    await give("b");
    await give("b");
    expect(storage.rowsWritten).toBe(rows);
    of.nowMs += SECOND;
    await give("a");
    expect(storage.rowsWritten - rows).toBe(1);
    await give("c");
    await give("c");
    expect(storage.rowsWritten - rows).toBe(1 + 1);
  });

  test("by an object that has just started is noted with each message: it may die again and again", async () => {
    const { of, storage } = play([channel("a")]);
    await grownUp(of);
    of.restart();
    of.append(...drafts(5));
    of.nowMs += 9 * SECOND;
    const rows = storage.rowsWritten;
    await of.alarm();
    expect(storage.rowsWritten - rows).toBe(5);
  });

  test("by a clock that is set back is noted at once", async () => {
    const { of, storage, give } = playByHand();
    await grownUp(of);
    of.append(...drafts(3));
    const rows = storage.rowsWritten;
    await of.deliver();
    await give("a");
    of.nowMs -= MINUTE;
    await give("a");
    expect(storage.rowsWritten - rows).toBe(1);
  });

  test("is noted with a failure of another channel", async () => {
    const { of, receiver } = play();
    receiver.answer = (host) => (host === "b.example" ? 500 : 200);
    of.append(...drafts(2));
    await of.alarm();
    of.restart();
    await of.alarm();
    expect(receiver.arrived.get("a.example")).toHaveLength(2);
    expect(of.outbox.statuses(NOON)[1]).toMatchObject({ problem: "HTTP 500", waiting: { tries: 1 } });
  });

  test("and not noted comes again, from the first of it on, and new events after it", async () => {
    const { of, give, answers } = playByHand();
    await grownUp(of);
    of.append(...drafts(2));
    await of.deliver();
    await give("a");
    await give("a");
    expect(of.outbox.statuses(NOON)[0]?.waiting).toBeNull();
    // The object dies while others are under way.
    answers.length = 0;
    of.restart();
    const [first] = of.outbox.statuses(NOON);
    expect(first?.waiting).toMatchObject({ count: 2 });
  });
});

describe("what operators find in the log", () => {
  const REPLAY = 'POST /api/v1/admin/alerts/replay {"channel": "ops"}';

  test("a channel that is gone: once, with the reason and what to do", async () => {
    const { of, receiver } = play([channel("ops")]);
    receiver.answer = () => new Response("gone\nfor https://ops.example/hook", { status: 410 });
    of.append(...drafts(3));
    await of.runUntil(NOON + 20 * HOUR);
    expect(of.warnings).toEqual([
      `the channel ops is out of use until it is mended. Change its configuration or its secret, or ${REPLAY}. ` +
        "The reason: HTTP 410: gone for [redacted]",
    ]);
  });

  test("one that fails: after an hour, and when the first event is given up, not at each try, nor after a restart", async () => {
    const { of, receiver } = play([channel("ops")]);
    receiver.answer = () => 500;
    for (let hours = 0; hours < 60; hours += 1) {
      of.append(draft(hours));
      await of.runUntil(of.nowMs + HOUR);
      of.restart();
    }
    expect(receiver.requests).toBeGreaterThan(50);
    expect(of.outbox.statuses(of.nowMs)[0]?.undelivered).toBeGreaterThan(20);
    expect(of.warnings).toEqual([
      `the channel ops has taken nothing for an hour, and is tried on. To try it now: ${REPLAY}. The reason: HTTP 500`,
      `the channel ops did not take an event, which is kept as undelivered. To send it again: ${REPLAY}. ` +
        "The reason: HTTP 500",
    ]);
  });

  test("the first event that is refused, and the next one after the channel took some", async () => {
    const { of, receiver } = play([channel("ops")]);
    receiver.answer = (_, { events }) => (["/0", "/1", "/3"].includes(events[0]?.url ?? "") ? 400 : 200);
    of.append(...drafts(4));
    await of.alarm();
    expect(of.warnings).toEqual([
      expect.stringContaining("did not take an event"),
      expect.stringContaining("did not take an event"),
    ]);
  });
});

describe("what waits", () => {
  test("is counted by the channel's filter, up to a thousand events of the log", async () => {
    const { of, receiver } = play([channel("ops", { gateways: ["acme"] }), channel("all")]);
    receiver.answer = () => 500;
    const other = { gateway: { id: "other", name: "Other", monitors: 1 } };
    of.append(draft(0), draft(1, other), draft(2));
    await of.alarm();
    expect(of.outbox.statuses(NOON)).toMatchObject([
      { waiting: { count: 2, more: false } },
      { waiting: { count: 3, more: false } },
    ]);
    of.append(...drafts(997));
    expect(of.outbox.statuses(NOON)[1]).toMatchObject({ waiting: { count: 1000, more: false } });
    of.append(draft(1001, other));
    expect(of.outbox.statuses(NOON)).toMatchObject([
      { waiting: { count: 999, more: true } },
      { waiting: { count: 1000, more: true } },
    ]);
  });

  test("is tried at once by a replay, and counted, but not where the receiver asked for rest", async () => {
    const { of, receiver } = play([channel("ops"), channel("busy"), channel("well")]);
    receiver.answer = (host) => {
      if (host === "well.example") return 200;
      return host === "busy.example"
        ? new Response(null, { status: 429, headers: { "retry-after": "3600" } })
        : 500;
    };
    of.append(...drafts(5));
    await of.runUntil(NOON + 10 * MINUTE);
    receiver.answer = () => 200;
    const replayed = ["ops", "busy", "well"].map((name) => {
      let answer: unknown = null;
      of.transact((outbox) => (answer = outbox.replay(name, null, of.nowMs)));
      return answer;
    });
    expect(replayed).toEqual([
      { replayed: 0, triedNow: 5 },
      { replayed: 0, triedNow: 0 },
      { replayed: 0, triedNow: 0 },
    ]);
    await of.alarm();
    expect(of.outbox.statuses(of.nowMs).map(({ waiting }) => waiting?.count ?? 0)).toEqual([0, 5, 0]);
  });
});
