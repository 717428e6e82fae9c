import { describe, expect, test } from "vitest";
import type { Mail } from "../../src/alert/channel.ts";
import type { ChannelOf } from "../../src/config/config.ts";
import type { CourierWorld } from "../../src/ledger/deliver/courier.ts";
import { NoMailBinding } from "../../src/ledger/deliver/channel-client.ts";
import {
  channel,
  draft,
  drafts,
  EVERYTHING,
  MINUTE,
  NOON,
  postsJson,
  SECOND,
  HOUR,
  type PlayOptions,
  type Storage,
} from "../fixtures/outbox.ts";
import { begun, playOutbox, TEST_EVENT } from "./outbox-sqlite.ts";
import { NodeStorage } from "./node-storage.ts";

describe("one alarm", () => {
  test("the first message is noted before the next goes out: an object that dies again and again gets on", async () => {
    let requests = 0;
    const fetch = () =>
      (requests += 1) % 2 === 1 ? Promise.resolve(new Response()) : new Promise<never>(() => {});
    const { of } = playOutbox(["a"], { fetch });
    of.append(...drafts(3));
    for (const left of [2, 1]) {
      await of.deliver();
      await begun();
      of.restart();
      expect(of.outbox.statuses(NOON)[0]?.waiting?.count).toBe(left);
    }
  });

  test("where all requests are used up the next one has its own, and what still waits for an answer has none of them", async () => {
    const answers: (() => void)[] = [];
    const hosts: string[] = [];
    const { of } = playOutbox(["a", "b"], {
      fetch: async (url) => {
        const { host } = new URL(url);
        hosts.push(host);
        if (host === "a.example") await new Promise<void>((resolve) => answers.push(resolve));
        return new Response();
      },
    });
    of.append(...drafts(60));
    await of.deliver();
    await expect.poll(() => of.rearmed).toBe(1);
    expect([hosts.length, of.courier.nextWakeMs()]).toEqual([45, NOON]);
    await of.deliver();
    await expect.poll(() => of.rearmed).toBe(2);
    expect(hosts.filter((host) => host === "b.example")).toHaveLength(60);
    answers.shift()?.();
    await expect.poll(() => of.rearmed).toBe(3);
    expect(hosts.filter((host) => host === "a.example")).toHaveLength(1);
    expect(of.courier.nextWakeMs()).toBe(NOON);
  });

  test("one message is under way a channel, and channels go side by side", async () => {
    const waiting: (() => void)[] = [];
    const hosts: string[] = [];
    const { of } = playOutbox(["a", "b"], {
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
    await expect.poll(() => hosts).toEqual(["a.example", "b.example", "a.example"]);
    expect(of.rearmed).toBe(0);
    waiting.splice(0).forEach((answer) => answer());
    await expect.poll(() => hosts.length).toBe(4);
    waiting.splice(0).forEach((answer) => answer());
    await of.idle();
    expect([hosts.length, of.rearmed]).toEqual([4, 2]);
  });

  test("a message that is under way is guarded: the object wakes in three minutes, should it be killed", async () => {
    const { of } = playOutbox(["a"], { fetch: () => new Promise(() => undefined) });
    of.append(draft(1));
    await of.deliver();
    expect(of.courier.nextWakeMs()).toBe(NOON + 3 * MINUTE);
    of.restart();
    expect(of.courier.nextWakeMs()).toBe(NOON);
  });

  test("a kind that throws is a bug that holds up its own channel alone", async () => {
    const { of, receiver } = playOutbox(["a", "b"], {
      kindOf: ({ id }) => ({
        ...postsJson,
        ...(id === "a" && { render: () => Promise.reject(new TypeError("secret words")) }),
      }),
    });
    of.append(draft(1));
    await of.alarm();
    expect(receiver.arrived.get("b.example")).toHaveLength(1);
    expect(of.outbox.statuses(NOON).map(({ problem }) => problem)).toEqual([
      "no message could be made of the event",
      null,
    ]);
    expect(of.warnings).toEqual(["no message could be made for the channel a: TypeError"]);
  });
});

describe("bundles", () => {
  const of = (n: number, gateway: string, tickMs: number | null = NOON) =>
    draft(n, { gateway: { id: gateway, name: gateway, monitors: 1 }, tickMs });
  const WANTED = channel("chat", { events: ["models.changed"] });

  function playBundles(isTickOpen: (gatewayId: string | null) => boolean = () => false) {
    const answers: number[] = [];
    const told: string[][] = [];
    const kindOf = () => ({ ...postsJson, bundles: true });
    const { of: bundling, receiver } = playOutbox([WANTED], { kindOf, isTickOpen });
    receiver.answer = (_, { events }) => {
      told.push(events.map(({ url }) => url));
      return answers.shift() ?? 200;
    };
    return { bundling, told, answers };
  }

  test.each([
    [
      "the events of one gateway in one tick are one message, in the order of the first",
      [
        of(0, "a"),
        of(1, "b"),
        of(2, "a"),
        of(3, "a", NOON + MINUTE),
        of(4, "b"),
        of(5, "a", null),
        of(6, "a", null),
      ],
      [["/0", "/2"], ["/1", "/4"], ["/3"], ["/5"], ["/6"]],
    ],
    [
      "no event goes before an older one of its gateway: another tick of it ends the bundle",
      [of(0, "a"), of(1, "b"), of(2, "a", NOON + MINUTE), of(3, "a"), of(4, "b")],
      [["/0"], ["/1", "/4"], ["/2"], ["/3"]],
    ],
    [
      "an event of the gateway that the channel does not want is in no bundle, and ends none",
      [of(0, "a"), { ...of(1, "a", null), type: "incident.opened" as const }, of(2, "a")],
      [["/0", "/2"]],
    ],
  ])("%s", async (_, events, messages) => {
    const { bundling, told } = playBundles();
    bundling.append(...events.slice(0, 2));
    bundling.append(...events.slice(2));
    await bundling.alarm();
    expect(told).toEqual(messages);
    expect(bundling.outbox.statuses(bundling.nowMs)[0]?.waiting).toBeNull();
  });

  test("a bundle waits for its gateway's tick to end, and for a minute at most", async () => {
    const open = new Set(["a", "b"]);
    const { bundling, told } = playBundles((gateway) => open.has(gateway ?? ""));
    bundling.append(of(0, "a"), of(1, "b"));
    await bundling.alarm();
    expect(told).toEqual([]);
    expect(bundling.courier.nextWakeMs()).toBe(NOON + MINUTE);
    bundling.nowMs += 20 * SECOND;
    bundling.append(of(2, "a"));
    open.delete("a");
    await bundling.alarm();
    expect(told).toEqual([["/0", "/2"]]);
    bundling.nowMs = NOON + MINUTE;
    await bundling.alarm();
    expect(told).toEqual([["/0", "/2"], ["/1"]]);
  });

  test("a hundred events are enough for one message", async () => {
    const { bundling, told } = playBundles();
    bundling.append(...drafts(250, { tickMs: NOON }));
    await bundling.alarm();
    expect(told.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  test("what went ahead in a bundle does not go again, though the object dies in between", async () => {
    const { bundling, told, answers } = playBundles();
    bundling.append(of(0, "a"), of(1, "b"), of(2, "a"), of(3, "c"));
    answers.push(200, 500);
    await bundling.alarm();
    bundling.restart();
    await bundling.runUntil(NOON + MINUTE);
    expect(told).toEqual([["/0", "/2"], ["/1"], ["/1"], ["/3"]]);
  });
});

describe("mail", () => {
  const [from, to] = ["alerts@acme.example", ["ops@acme.example"]];
  const mail: ChannelOf<"email"> = {
    kind: "email",
    id: "mail",
    from,
    to,
    binding: "POST_OFFICE",
    only: EVERYTHING,
  };
  const message: Mail = { type: "mail", from, to, subject: "One event", text: "It happened." };

  function playMail(sendMail: CourierWorld["sendMail"], world: Partial<CourierWorld> = {}) {
    const { of } = playOutbox([mail], {
      fetch: () => Promise.reject(new Error("nothing is fetched here")),
      kindOf: () => ({ ...postsJson, render: async () => message }),
      world: { sendMail, ...world },
    });
    of.append(draft(1));
    return of;
  }

  test("goes through the binding that the configuration names", async () => {
    const sent: unknown[] = [];
    const of = playMail(async ({ subject }, binding) => void sent.push([subject, binding]));
    await of.alarm();
    expect(sent).toEqual([["One event", "POST_OFFICE"]]);
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem: null, waiting: null }]);
    expect(await of.courier.sendTest("mail", TEST_EVENT, of.courier.renew())).toEqual({ type: "mailed" });
  });

  test.each([
    [
      Object.assign(new Error("slow down"), { code: "E_RATE_LIMIT_EXCEEDED" }),
      "the platform did not take the mail: E_RATE_LIMIT_EXCEEDED",
    ],
    [new Error("ops@acme.example is over its quota"), "the platform did not take the mail"],
    [
      new NoMailBinding(),
      "there is no send_email binding POST_OFFICE: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml",
    ],
  ])("a rejection, or no binding, is told, and tried again: %s", async (thrown, problem) => {
    const of = playMail(() => Promise.reject(thrown));
    await of.alarm();
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem, waiting: { tries: 1 } }]);
  });

  test("a binding that never settles is left after the limit", async () => {
    const controller = new AbortController();
    const of = playMail(() => new Promise(() => undefined), { timeoutSignal: () => controller.signal });
    await of.deliver();
    controller.abort();
    await of.idle();
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem: "no answer within 15 seconds" }]);
  });
});

// Storage that takes no more writes while messages go out: nothing is sent twice, and nothing is lost.

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
        arrived.push(JSON.parse(String(body)).events[0].url);
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
