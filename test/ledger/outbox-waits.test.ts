/** How often a channel that does not work is tried, and what that costs. */
import { describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import {
  channel,
  draft,
  drafts,
  HOUR,
  MINUTE,
  NOON,
  type OutboxPlay,
  SECOND,
  postsJson,
} from "../fixtures/outbox.ts";
import { playOutbox, begun } from "./outbox-sqlite.ts";
import type { CourierFetch } from "../../src/ledger/deliver/channel-client.ts";

const DAY = 24 * HOUR;

/** One channel; `tries` are instants from noon on, with the events and what came back. */
function play(only: Parameters<typeof channel>[1] = {}) {
  const tries: (readonly [atMs: number, url: string, status: number])[] = [];
  const receiver = {
    status: 500,
    headers: {} as Record<string, string>,
    meanwhile: () => {},
    statusOf: (_url: string) => receiver.status,
  };
  const played = playOutbox([channel("ops", only)]);
  const { of, storage } = played;
  played.receiver.answer = (_, { events: [event] }) => {
    receiver.meanwhile();
    const { headers } = receiver;
    const status = receiver.statusOf(event?.url ?? "");
    tries.push([of.nowMs - NOON, event?.url ?? "", status]);
    return new Response(null, { status, headers });
  };
  return { of, storage, tries, receiver };
}

/** Appends an event every so often, and lets alarms come. */
async function steadily(of: OutboxPlay, everyMs: number, untilMs: number): Promise<void> {
  for (let atMs = of.nowMs; atMs < untilMs; atMs += everyMs) {
    of.nowMs = atMs;
    of.append(draft(1));
    await of.runUntil(atMs + everyMs - 1);
  }
  of.nowMs = untilMs;
}

describe("a channel that was fixed", () => {
  test("is tried at once when something new is owed, and all that waits is told, in order", async () => {
    const { of, tries, receiver } = play();
    of.append(draft(0));
    await of.runUntil(NOON + 160 * MINUTE);
    expect(tries).toHaveLength(5);
    receiver.status = 200;
    of.nowMs = NOON + 161 * MINUTE;
    of.append(draft(1));
    expect(of.outbox.statuses(of.nowMs)[0]?.waiting?.nextTryAt).toBe(instant(of.nowMs));
    await of.alarm();
    expect(tries.slice(5)).toEqual([
      [161 * MINUTE, "/0", 200],
      [161 * MINUTE, "/1", 200],
    ]);
  });

  test("is tried five minutes after its last try where that was a moment ago", async () => {
    const { of, tries } = play();
    of.append(draft(0));
    await of.runUntil(NOON + 36 * MINUTE);
    expect(tries.at(-1)?.[0]).toBe(35 * MINUTE + 5 * SECOND);
    of.nowMs = NOON + 36 * MINUTE;
    of.append(draft(1));
    expect(of.courier.nextWakeMs()).toBe(NOON + 40 * MINUTE + 5 * SECOND);
    of.restart();
    expect(of.courier.nextWakeMs()).toBe(NOON + 40 * MINUTE + 5 * SECOND);
  });

  test("what came while a try was under way is new as well", async () => {
    const { of, tries, receiver } = play();
    of.append(draft(0));
    await of.runUntil(NOON + 30 * MINUTE);
    receiver.meanwhile = () => {
      receiver.meanwhile = () => {};
      of.append(draft(1));
    };
    await of.runUntil(NOON + 36 * MINUTE);
    expect(tries.at(-1)?.[0]).toBe(35 * MINUTE + 5 * SECOND);
    expect(of.courier.nextWakeMs()).toBe(NOON + 40 * MINUTE + 5 * SECOND);
  });

  test("Retry-After and a 410 are not broken by what is new", async () => {
    const { of, receiver } = play();
    Object.assign(receiver, { status: 429, headers: { "retry-after": "7200" } });
    of.append(draft(0));
    await of.alarm();
    of.nowMs += HOUR;
    of.append(draft(1));
    expect(of.courier.nextWakeMs()).toBe(NOON + 2 * HOUR);
    receiver.status = 410;
    await of.runUntil(NOON + 3 * HOUR);
    of.append(draft(2));
    expect(of.courier.nextWakeMs()).toBe(NOON + DAY);
  });
});

describe("a dead channel", () => {
  test.each([MINUTE, 5 * MINUTE, 30 * MINUTE])(
    "that is owed an event every %d ms is tried every five minutes at most, on the second day too",
    async (everyMs) => {
      const { of, tries } = play();
      await steadily(of, everyMs, NOON + 36 * HOUR);
      const waits = tries.slice(2).map(([atMs], index) => atMs - (tries[index + 1]?.[0] ?? 0));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(5 * MINUTE);
      const [first, second] = [0, 12].map(
        (from) => tries.filter(([atMs]) => atMs >= (from + 12) * HOUR && atMs < (from + 24) * HOUR).length,
      );
      expect(second).toBeLessThanOrEqual(first ?? 0);
    },
  );

  test("that gives up 10,000 events writes the newest thousand, and counts the rest", async () => {
    const { of, storage, tries } = play();
    const ids = of.append(...drafts(10_000)).map(({ id }) => id);
    const lastMs = NOON + 27 * HOUR + 35 * MINUTE + 5 * SECOND;
    await of.runUntil(lastMs - 1);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({
      undelivered: 0,
      waiting: { count: 1000, more: true },
    });
    const [rows, logRows] = [storage.rowsWritten, storage.count("alert")];
    await of.runUntil(lastMs);
    expect(tries).toHaveLength(8);
    expect(storage.rowsWritten - rows).toBe(1000 + 1 + logRows);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ undelivered: 1000, lost: 9000, waiting: null });
    expect(undelivered(of)).toEqual(ids.slice(9000));
    expect(storage.count("alert")).toBe(0);
  });

  test("an event that is never taken takes only those with it that have waited for a day", async () => {
    const { of, tries, receiver } = play();
    receiver.statusOf = (url) => (url === "/0" ? 500 : 200);
    const ids = of.append(...drafts(20)).map(({ id }) => id);
    await of.runUntil(NOON + 10 * HOUR);
    of.append(draft(20));
    await of.runUntil(NOON + 41 * HOUR);
    expect(undelivered(of)).toEqual(ids);
    expect(tries.filter(([, , status]) => status === 200)).toEqual([[expect.anything(), "/20", 200]]);
  });
});

function undelivered({ outbox }: OutboxPlay): readonly string[] {
  return outbox
    .queue("ops")
    .undelivered()
    .map(({ eventId }) => eventId);
}

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
      `the channel ops has accepted nothing for an hour. Gatepulse keeps trying. To try now: ${REPLAY}. The reason: HTTP 500`,
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
    const replayed = ["ops", "busy", "well"].map((id) => of.replay(id));
    expect(replayed).toEqual([
      { replayed: 0, triedNow: 5 },
      { replayed: 0, triedNow: 0 },
      { replayed: 0, triedNow: 0 },
    ]);
    await of.alarm();
    expect(of.outbox.statuses(of.nowMs).map(({ waiting }) => waiting?.count ?? 0)).toEqual([0, 5, 0]);
  });
});

// Who may send while others take their time.

/** Receivers that answer when told to; those whose name begins with `dead` only when their time is over. */
function playTurns(ids: readonly string[]) {
  const open: { host: string; answer: () => void }[] = [];
  const asked: string[] = [];
  let most = 0;
  const limits: AbortController[] = [];
  const fetch: CourierFetch = (url, { signal }) => {
    const host = new URL(url).host.replace(".example", "");
    asked.push(host);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        if (open.includes(connection)) open.splice(open.indexOf(connection), 1);
      };
      const connection = {
        host,
        answer: () => {
          end();
          resolve(new Response());
        },
      };
      open.push(connection);
      most = Math.max(most, open.length);
      signal.addEventListener("abort", () => {
        end();
        reject(new Error("the time is over"));
      });
    });
  };
  const timeoutSignal = () => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  };
  const { of } = playOutbox(ids, { fetch, world: { timeoutSignal } });
  return {
    of,
    asked,
    open,
    limits,
    most: () => most,
    hosts: () => open.map(({ host }) => host),
    /** One more event is owed, and on its way. */
    owe: async () => {
      of.append(draft(1));
      await of.deliver();
      await begun();
    },
    /** 15 seconds pass for all that was sent by now. */
    passLimits: async () => {
      await begun();
      of.nowMs += 15 * SECOND;
      for (const limit of limits.splice(0)) limit.abort();
      await begun();
    },
  };
}

const DEAD = ["dead0", "dead1", "dead2", "dead3"];

describe("at once", () => {
  test("four messages are under way over all channels, and the next one's time begins with its turn", async () => {
    const { of, open, limits, hosts, most, owe } = playTurns(["a", "b", "c", "d", "e", "f"]);
    await owe();
    expect(hosts()).toEqual(["a", "b", "c", "d"]);
    expect(limits).toHaveLength(4);
    open[1]?.answer();
    await begun();
    expect(hosts()).toEqual(["a", "c", "d", "e"]);
    expect(limits).toHaveLength(5);
    for (let answers = 0; answers < 5; answers += 1) {
      open[0]?.answer();
      await begun();
    }
    await of.idle();
    expect(most()).toBe(4);
    expect(of.courier.nextWakeMs()).toBeNull();
  });

  test("a message is made when its turn comes, of what is so by then", async () => {
    const all = playTurns([...DEAD, "a"]);
    await all.owe();
    delete all.of.secrets["A_URL"];
    await all.passLimits();
    await all.of.idle();
    expect(all.asked).toEqual(DEAD);
    expect(all.of.outbox.statuses(all.of.nowMs).at(-1)?.problem).toBe("the secret A_URL is not set");
  });
});

const ONE = { ...draft(1), id: "one", atMs: NOON };
const OTHER = { gateway: { id: "other", name: "Other", monitors: 1 } };
const AM = channel("am", { gateways: ["acme"] });

describe("what is told again while it lasts", () => {
  function playResending() {
    const standing = [ONE, { ...draft(2, OTHER), id: "two", atMs: NOON + MINUTE }];
    const played = playOutbox([AM, "ops"], {
      kindOf: ({ id }) => (id === "am" ? { ...postsJson, resendEveryMs: 4 * MINUTE } : postsJson),
      world: { standing: () => standing },
    });
    return { ...played, standing };
  }

  test("every four minutes, in one message, by its filter, and to no other channel", async () => {
    const { of, receiver, standing } = playResending();
    standing.push({ ...draft(3), id: "three", atMs: NOON + 2 * MINUTE });
    await of.alarm();
    expect([receiver.requests, of.courier.nextWakeMs()]).toEqual([0, NOON + 4 * MINUTE]);
    await of.runUntil(NOON + 13 * MINUTE);
    expect(receiver.sizes.get("am.example")).toEqual([2, 2, 2]);
    expect(receiver.firstArrivals("am.example")).toEqual(["one", "three"]);
    expect(receiver.arrived.has("ops.example")).toBe(false);
  });

  test("a failure is neither repeated nor listed, and nothing is told again where nothing lasts", async () => {
    const { of, receiver, standing } = playResending();
    receiver.answer = () => 500;
    await of.runUntil(NOON + 5 * MINUTE);
    expect(receiver.requests).toBe(1);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ problem: null, waiting: null, undelivered: 0 });
    standing.length = 0;
    expect(of.courier.nextWakeMs()).toBeNull();
  });

  test("nothing of it is for the channel: no row is written, and no alarm comes oftener", async () => {
    const { of, storage, standing } = playResending();
    standing.splice(0, 1);
    await of.alarm();
    const before = storage.rowsWritten;
    expect(await of.runUntil(NOON + 20 * MINUTE)).toBe(5);
    expect(storage.rowsWritten).toBe(before);
  });

  test("Retry-After holds the channel, events as well as what stands", async () => {
    const { of, receiver } = playResending();
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "1800" } });
    await of.runUntil(NOON + 4 * MINUTE);
    expect([receiver.requests, of.courier.nextWakeMs()]).toEqual([1, NOON + 34 * MINUTE]);
    of.append(draft(4));
    receiver.answer = () => 200;
    await of.runUntil(NOON + 34 * MINUTE - 1);
    expect(receiver.sizes.get("am.example")).toEqual([1]);
    await of.runUntil(NOON + 34 * MINUTE);
    expect(receiver.sizes.get("am.example")).toEqual([1, 1, 1]);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ problem: null, waiting: null, undelivered: 0 });
  });
});

describe("what is told again beside an event that waits", () => {
  const playStanding = () =>
    playOutbox(["am"], {
      kindOf: () => ({ ...postsJson, resendEveryMs: 2 * MINUTE }),
      world: { standing: () => [ONE] },
    });

  test("a message that is never taken holds back nothing of what stands, and is tried as often itself", async () => {
    const { of, receiver } = playStanding();
    receiver.answer = (_, { events }) => (events[0]?.id === "one" ? 200 : 500);
    const [poison] = of.append(draft(2));
    await of.runUntil(NOON + 10 * MINUTE);
    const came = receiver.arrived.get("am.example") ?? [];
    expect(came.filter((id) => id === "one")).toHaveLength(5);
    expect(came.filter((id) => id === poison?.id)).toHaveLength(6);
  });

  test("while much is owed, what stands is told in between", async () => {
    const { of, receiver } = playStanding();
    receiver.answer = () => {
      of.nowMs += MINUTE;
      return 200;
    };
    of.append(...drafts(6));
    await of.alarm();
    const came = receiver.arrived.get("am.example")?.map((id) => id === "one");
    expect(came).toEqual([false, false, true, false, true, false, true, false, true, false, true]);
  });
});
