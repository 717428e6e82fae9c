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

test("storage that cannot be read for a moment, while a message is under way, holds up the next one for half a minute", async () => {
  const { of, sqlite, receiver } = await play(["a"]);
  const ids = [1, 2].flatMap((n) => of.append(draft(n))).map(({ id }) => id);
  const exec = sqlite.sql.exec.bind(sqlite.sql);
  receiver.answer = () => {
    sqlite.sql.exec = () => {
      throw new Error("disk I/O error");
    };
    return 200;
  };
  await of.alarm();
  sqlite.sql.exec = exec;
  receiver.answer = () => 200;
  await of.runUntil(of.nowMs + 31 * SECOND);
  expect(receiver.arrived.get("a.example")).toEqual(ids);
  expect(of.outbox.statuses(of.nowMs)[0]?.waiting).toBeNull();
});

test("a result is stored whole or not at all: what was refused is listed once", async () => {
  const sqlite = new NodeStorage();
  let fails = false;
  const transactionSync = (write: () => void): void =>
    sqlite.transactionSync(() => {
      write();
      if (fails) throw new Error("disk I/O error");
    });
  const { of, receiver } = playOutbox(["a"], { storage: { sql: sqlite.sql, transactionSync } });
  await of.alarm();
  const [event] = of.append(draft(1));
  receiver.answer = () => {
    fails = true;
    return 400;
  };
  const listed = () => of.outbox.queue("a").undelivered();
  await of.alarm();
  expect(listed()).toEqual([]);
  fails = false;
  await of.runUntil(of.nowMs + 31 * SECOND);
  expect(listed()).toMatchObject([{ eventId: event?.id, tries: 1 }]);
  expect(receiver.requests).toBe(1);
});
