/** Who may send while others take their time: places, and the requests of an invocation. */
import { describe, expect, test } from "vitest";
import type { CourierFetch } from "../../src/ledger/deliver/channel-client.ts";
import { draft, type OutboxPlay, SECOND } from "../fixtures/outbox.ts";
import { begun, playOutbox, TEST_EVENT } from "./outbox-sqlite.ts";

/** Receivers that answer when told to; those whose name begins with `dead` only when their time is over. */
function play(ids: readonly string[]) {
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
    /** Healthy channels answer, again and again. */
    answerHealthy: async () => {
      await begun();
      for (let healthy = healthyOf(open); healthy.length > 0; healthy = healthyOf(open)) {
        for (const { answer } of healthy) answer();
        await begun();
      }
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

function healthyOf<Of extends { host: string }>(open: readonly Of[]): Of[] {
  return open.filter(({ host }) => !host.startsWith("dead"));
}

const DEAD = Array.from({ length: 8 }, (_, n) => `dead${n}`);

describe("at once", () => {
  test("four messages are under way over all channels, and the next one's time begins with its turn", async () => {
    const { of, open, limits, hosts, most, owe } = play(["a", "b", "c", "d", "e", "f"]);
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
    const all = play([...DEAD.slice(0, 4), "a"]);
    await all.owe();
    delete all.of.secrets["A_URL"];
    await all.passLimits();
    await all.of.idle();
    expect(all.asked).toEqual(DEAD.slice(0, 4));
    expect(all.of.outbox.statuses(all.of.nowMs).at(-1)?.problem).toBe("the secret A_URL is not set");
  });
});

describe("channels that hang", () => {
  test("delay one that works by 15 seconds for each four of them", async () => {
    const all = play([...DEAD, "a"]);
    await all.owe();
    expect(all.hosts()).toEqual(["dead0", "dead1", "dead2", "dead3"]);
    await all.passLimits();
    expect(all.hosts()).toEqual(["dead4", "dead5", "dead6", "dead7"]);
    await all.passLimits();
    expect(all.hosts()).toEqual(["a"]);
    await all.answerHealthy();
    await all.of.idle();
    expect(all.of.outbox.statuses(all.of.nowMs).at(-1)).toMatchObject({ problem: null, waiting: null });
  });
});

describe("tests of channels", () => {
  /** All of them are tested in one invocation. */
  const testAll = (of: OutboxPlay, ids: readonly string[]) => {
    const allowance = of.courier.renew();
    const answers = Promise.all(ids.map((id) => of.courier.sendTest(id, TEST_EVENT, allowance)));
    return { allowance, answers };
  };
  const MOST_REQUESTS = 45;

  test("that use up the requests of their invocation leave none for its deliveries, whatever began meanwhile", async () => {
    const ids = ["a", ...Array.from({ length: MOST_REQUESTS - 1 }, (_, n) => `c${n}`)];
    const all = play(ids);
    await all.of.alarm();
    const { allowance, answers: tests } = testAll(all.of, ids);
    for (let answers = 0; answers < MOST_REQUESTS - 1; answers += 1) {
      await begun();
      all.open.at(-1)?.answer();
    }
    await begun();
    expect(all.asked).toHaveLength(MOST_REQUESTS);
    // Another invocation comes, and has its own.
    all.of.courier.renew();
    all.of.append(draft(1));
    all.open[0]?.answer();
    await tests;
    // The one that tested goes on.
    const runs = await all.of.courier.deliver(allowance);
    await Promise.all(runs);
    expect(all.asked).toHaveLength(MOST_REQUESTS);
    expect(all.of.courier.nextWakeMs()).toBe(all.of.nowMs);
    await all.of.deliver();
    for (let answers = 0; answers < MOST_REQUESTS; answers += 1) {
      await begun();
      all.open[0]?.answer();
    }
    expect(all.asked).toHaveLength(2 * MOST_REQUESTS);
  });
});
