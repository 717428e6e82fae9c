/** Storage that takes no more writes while messages go out: nothing is sent twice, and nothing is lost. */
import { describe, expect, test } from "vitest";
import { draft, drafts, HOUR, type PlayOptions, SECOND, type Storage } from "../fixtures/outbox.ts";
import { NodeStorage } from "./node-storage.ts";
import { playOutbox } from "./outbox-sqlite.ts";

/** An outbox that knows its secrets; `disk` may be full by now: then what is read is all that works. */
async function play(channels: readonly string[], options: Partial<PlayOptions> = {}) {
  const sqlite = new NodeStorage();
  const disk = { isFull: false };
  const storage: Storage = {
    transactionSync: (write) => sqlite.transactionSync(write),
    sql: {
      exec: (query, ...values) => {
        if (disk.isFull && !/^\s*(?:SELECT|CREATE)/u.test(query)) throw new Error("disk is full");
        return sqlite.sql.exec(query, ...values);
      },
    },
  };
  const { of, receiver } = playOutbox(channels, { storage, ...options });
  await of.alarm();
  return { of, disk, sqlite, receiver };
}

describe("while storage takes no writes", () => {
  test.each([
    ["was delivered", 200, { waiting: null, problem: null }, 2],
    ["failed", 500, { waiting: { tries: 2 }, problem: "HTTP 500" }, 1],
  ])("a message that %s goes out once, and nothing behind it", async (_, answer, status, more) => {
    const { of, disk, receiver } = await play(["a", "b"]);
    const ids = of.append(...drafts(3)).map(({ id }) => id);
    receiver.answer = () => answer;
    disk.isFull = true;
    await of.runUntil(of.nowMs + 4 * HOUR);
    const rests = (id: string) => `the channel ${id} rests, as the outbox failed: Error: disk is full`;
    expect(of.warnings).toEqual([rests("a"), rests("b")]);
    for (const host of ["a.example", "b.example"]) expect(receiver.arrived.get(host)).toEqual([ids[0]]);
    disk.isFull = false;
    await of.runUntil(of.nowMs + 30 * SECOND);
    expect(receiver.arrived.get("a.example")).toHaveLength(1 + more);
    of.restart();
    expect(of.outbox.statuses(of.nowMs)).toMatchObject([status, status]);
  });

  test("a row of the log that cannot be read waits for half a minute, and holds up no other alarm", async () => {
    const { of, disk, sqlite, receiver } = await play(["a"]);
    of.append(draft(1));
    sqlite.sql.exec("UPDATE alert SET body = '[{}]'");
    of.restart();
    disk.isFull = true;
    await of.alarm();
    expect(of.courier.nextWakeMs()).toBe(of.nowMs + 30 * SECOND);
    const unread = "what is owed to the channel a cannot be read: Error: disk is full";
    expect(of.warnings).toEqual([unread, unread]);
    disk.isFull = false;
    const ids = of.append(draft(2)).map(({ id }) => id);
    await of.runUntil(of.nowMs + 30 * SECOND);
    expect(receiver.arrived.get("a.example")).toEqual(ids);
  });
});

describe("a change that storage does not take", () => {
  test("while a message is under way brings back nothing that was delivered before it", async () => {
    const arrived: string[] = [];
    let answer = (): void => undefined;
    const { of, sqlite } = await play(["a"], {
      fetch: async (_, { body }) => {
        arrived.push(JSON.parse(body ?? "").events[0].url);
        if (arrived.length === 2) await new Promise<void>((resolve) => (answer = resolve));
        return new Response();
      },
    });
    of.append(...drafts(2));
    await of.deliver();
    await expect.poll(() => arrived).toEqual(["/0", "/1"]);
    sqlite.fails = true;
    expect(() => of.append(draft(2))).toThrow("disk I/O error");
    sqlite.fails = false;
    answer();
    await of.idle();
    await of.runUntil(of.nowMs + HOUR);
    expect(arrived).toEqual(["/0", "/1"]);
    expect(of.outbox.statuses(of.nowMs)[0]?.waiting).toBeNull();
  });
});
