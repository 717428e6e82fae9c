/** Storage that takes no more writes while messages go out: nobody is told a thing twice, and nothing is lost. */
import { describe, expect, test } from "vitest";
import { rounds, seedOf } from "../extent.ts";
import {
  draft,
  drafts,
  HOUR,
  MINUTE,
  NOON,
  type PlayOptions,
  postsJson,
  SECOND,
  type Storage,
} from "../fixtures/outbox.ts";
import { surviveCrashes } from "../fixtures/outbox-crashes.ts";
import { grownUp, playOutbox, sqliteStorage, TEST_EVENT } from "./outbox-sqlite.ts";

/** A grown outbox; `disk` may be full by now: then what is read is all that works. */
async function play(channels: readonly string[], options: Partial<PlayOptions> = {}) {
  const sqlite = sqliteStorage();
  const disk = { isFull: false };
  const storage: Storage = {
    transaction: (write) => sqlite.transaction(write),
    sql: {
      exec: (query, ...values) => {
        if (disk.isFull && !/^\s*(?:SELECT|CREATE)/u.test(query)) throw new Error("disk is full");
        return sqlite.sql.exec(query, ...values);
      },
    },
  };
  const { of, receiver } = playOutbox(channels, { storage, ...options });
  await grownUp(of, MINUTE);
  return { of, disk, sqlite, receiver, bornMs: of.nowMs };
}

describe("a note that fails", () => {
  test("for four hours: each message goes out once, is told to operators once, and is noted when storage works", async () => {
    const { of, disk, receiver, sqlite } = await play(["a", "b", "c"]);
    const ids = of.append(...drafts(3)).map(({ id }) => id);
    disk.isFull = true;
    await of.runUntil(of.nowMs + 4 * HOUR);
    expect(of.warnings).toEqual([
      "what was delivered cannot be noted: should the Ledger start anew before it can, that is sent again: Error: disk is full",
    ]);
    disk.isFull = false;
    await of.runUntil(of.nowMs + 30 * SECOND);
    for (const host of ["a.example", "b.example", "c.example"])
      expect(receiver.arrived.get(host)).toEqual(ids);
    expect(of.courier.nextWakeMs()).toBeNull();
    expect(sqlite.count("alert")).toBe(0);
    of.restart();
    expect(of.outbox.statuses(of.nowMs).map(({ waiting }) => waiting)).toEqual([null, null, null]);
  });

  test("leaves a bundle whole: what was told ahead of its turn is not told again with it", async () => {
    const { of, disk, receiver } = await play(["chat"], { kindOf: () => ({ ...postsJson, bundles: true }) });
    const of1 = (gateway: string) => ({ tickMs: NOON, gateway: { id: gateway, name: gateway, monitors: 1 } });
    of.append(draft(1, of1("g0")), draft(2, of1("g1")), draft(3, of1("g0")));
    disk.isFull = true;
    receiver.answer = (_, { events }) => (events[0]?.url === "/2" && receiver.requests < 3 ? 500 : 200);
    await of.runUntil(of.nowMs + HOUR);
    expect(receiver.sizes.get("chat.example")).toEqual([2, 1, 1]);
  });
});

describe("a change that storage does not take", () => {
  test("while a message is under way brings back nothing that was delivered before it", async () => {
    const arrived: string[] = [];
    let answer = (): void => undefined;
    const { of, sqlite } = await play(["a"], {
      fetch: async (_, { body }) => {
        arrived.push(JSON.parse(body).events[0].url);
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

describe("storage that cannot even be read", () => {
  test("leaves nothing half changed behind: what was to be changed is read anew when it can be", async () => {
    const { of, sqlite } = await play(["a"]);
    const [event] = of.append(draft(1));
    let isBroken = false;
    const exec = sqlite.sql.exec.bind(sqlite.sql);
    sqlite.sql.exec = ((query, ...values) => {
      if (isBroken) throw new Error("disk I/O error");
      return exec(query, ...values);
    }) satisfies typeof exec;
    const breakIt = (): void => {
      of.transact((outbox) => {
        outbox.giveUp("a", of.nowMs);
        outbox.append([draft(2)], of.nowMs);
        isBroken = true;
        throw new Error("disk I/O error");
      });
    };
    expect(breakIt).toThrow("disk I/O error");
    await of.alarm();
    expect(await of.courier.sendTest("a", TEST_EVENT, of.courier.renew())).toMatchObject({
      type: "answered",
      status: 200,
    });
    isBroken = false;
    expect(of.outbox.statuses(of.nowMs)[0]?.waiting).toMatchObject({ event: event?.id, count: 1 });
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

describe("a try that fails while storage fails", () => {
  test("comes again once an hour", async () => {
    const { of, disk, receiver, bornMs } = await play(["a"]);
    const tries: number[] = [];
    receiver.answer = () => {
      tries.push((of.nowMs - bornMs) / SECOND);
      return 500;
    };
    of.append(draft(1));
    disk.isFull = true;
    await of.runUntil(bornMs + 6 * HOUR);
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits).toEqual([3600, 3600, 3600, 3600, 3600, 3600]);
  });

  test("comes again within half a minute once storage works, and then as ever", async () => {
    const { of, disk, receiver } = await play(["a"]);
    receiver.answer = () => 500;
    of.append(draft(1));
    disk.isFull = true;
    await of.runUntil(of.nowMs + 4 * HOUR);
    disk.isFull = false;
    const before = receiver.requests;
    const worksMs = of.nowMs;
    await of.runUntil(worksMs + 35 * SECOND);
    expect(receiver.requests - before).toBe(2);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ problem: "HTTP 500", waiting: { tries: 2 } });
  });
});

const POINTS = rounds(20, 1000);
const SEED = seedOf("crashes of the outbox");
const CRASHES_A_LIFE = 5;

test(`killed at ${POINTS} random points, every event arrives, with one id, in order, and none is lost (seed ${SEED})`, async () => {
  let [crashes, repeats, lives] = [0, 0, 0];
  for (; crashes < POINTS; lives += 1) {
    const storage = sqliteStorage();
    const survived = await surviveCrashes(storage, SEED + lives, Math.min(CRASHES_A_LIFE, POINTS - crashes));
    expect(survived.faults, `seed ${SEED + lives}`).toEqual([]);
    expect([storage.count("alert"), storage.count("undelivered")]).toEqual([0, 0]);
    crashes += survived.crashes;
    repeats += survived.repeats;
  }
  console.log(`${crashes} crashes in ${lives} lives, ${repeats} events came again, seed ${SEED}`);
  expect(repeats).toBeGreaterThan(0);
});
