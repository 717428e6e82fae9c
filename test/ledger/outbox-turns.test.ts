/** Who may send while others take their time. */
import { describe, expect, test } from "vitest";
import type { CourierFetch } from "../../src/ledger/deliver/channel-client.ts";
import { draft, SECOND } from "../fixtures/outbox.ts";
import { begun, playOutbox } from "./outbox-sqlite.ts";

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
    const all = play([...DEAD, "a"]);
    await all.owe();
    delete all.of.secrets["A_URL"];
    await all.passLimits();
    await all.of.idle();
    expect(all.asked).toEqual(DEAD);
    expect(all.of.outbox.statuses(all.of.nowMs).at(-1)?.problem).toBe("the secret A_URL is not set");
  });
});
