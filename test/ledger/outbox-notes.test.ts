/** When it is noted that something was delivered, what that costs, and what comes again where it was not. */
import { describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { channel, draft, drafts, HOUR, MINUTE, NOON, SECOND } from "../fixtures/outbox.ts";
import { begun, grownUp, playOutbox } from "./outbox-sqlite.ts";

const CHANNELS = ["a", "b", "c"];
const THOUSANDS = rounds(2000, 10_000);

/** Answers come when they are called for. */
function playByHand() {
  const answers: { host: string; give: () => void }[] = [];
  const { of, storage } = playOutbox(CHANNELS, {
    fetch: async (url) => {
      await new Promise<void>((give) => answers.push({ host: new URL(url).host.slice(0, 1), give }));
      return new Response();
    },
  });
  const give = async (host: string): Promise<void> => {
    await begun();
    const at = answers.findIndex((answer) => answer.host === host);
    if (at < 0) throw new Error(`${host} was not asked`);
    answers.splice(at, 1)[0]?.give();
    await begun();
  };
  return { of, storage, answers, give };
}

describe("what was delivered", () => {
  test("of thousands drains with 40 requests an alarm, in order, and is noted when all is told", async () => {
    const { of, storage, receiver } = playOutbox(["ops"]);
    of.nowMs += 10 * SECOND;
    const ids = of.append(...drafts(THOUSANDS)).map(({ id }) => id);
    const [rows, logRows] = [storage.rowsWritten, storage.count("alert")];
    let alarms = 0;
    for (let before = 0; of.courier.nextWakeMs() !== null; before = receiver.requests) {
      await of.alarm();
      expect(receiver.requests - before).toBeLessThanOrEqual(40);
      alarms += 1;
    }
    expect(receiver.arrived.get("ops.example")).toEqual(ids);
    expect(alarms).toBe(THOUSANDS / 40);
    expect(storage.count("alert")).toBe(0);
    // When it is known which secrets there are, at the end, and the rows of the log.
    expect(storage.rowsWritten - rows).toBe(1 + 1 + logRows);
  });

  test("is noted by itself in the first ten seconds of a life: an object that dies again and again gets on", async () => {
    const { of, give, answers } = playByHand();
    of.append(...drafts(2));
    for (const left of [1, 0]) {
      await of.deliver();
      await give("a");
      answers.length = 0;
      of.restart();
      expect(of.outbox.statuses(NOON)[0]?.waiting?.count ?? 0).toBe(left);
    }
  });

  test("of a long run is noted once a second", async () => {
    const { of, storage, receiver } = playOutbox(["a"]);
    await grownUp(of, 10 * SECOND);
    receiver.answer = () => {
      of.nowMs += 250;
      return 200;
    };
    of.append(...drafts(40));
    const rows = storage.rowsWritten;
    await of.alarm();
    // Ten seconds: with every fifth answer, and the row of the log that goes.
    expect(storage.rowsWritten - rows).toBe(8 + 1);
  });

  test("is noted with a failure of another channel", async () => {
    const { of, receiver } = playOutbox(CHANNELS);
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
    await grownUp(of, 10 * SECOND);
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

  test("one that fails: after an hour, and when the first event is given up, not at each try, nor after a restart", async () => {
    const { of, receiver } = playOutbox(["ops"]);
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
});

describe("what waits", () => {
  test("is counted by the channel's filter, up to a thousand events of the log", async () => {
    const { of, receiver } = playOutbox([channel("ops", { gateways: ["acme"] }), "all"]);
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
    const { of, receiver } = playOutbox(["ops", "busy", "well"]);
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
