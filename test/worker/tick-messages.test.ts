import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { readConfig } from "../../src/config/load.ts";
import { composeWorker, type Env } from "../../src/worker.ts";
import { systemClock } from "../../src/probe/clock.ts";
import type { BeginRequest, ShardTick } from "../../src/domain/tick.ts";

const TICKS = "gatepulse-ticks";
const DEAD = "gatepulse-ticks-dead";
const MINUTE = 60_000;
const NOW = Date.parse("2026-11-20T12:00:00Z");

const gateway = (id: string) => ({ id, baseUrl: `https://${id}.example`, apiKey: "KEY" });

interface Called {
  readonly ledger: string;
  readonly call: "begin" | "noteLost";
  readonly tickMs: number;
  /** Absent: 0. */
  readonly lane?: number;
}

interface World {
  readonly called: Called[];
  readonly invocations: string[];
  readonly sent: unknown[];
  /** Which Ledgers fail, and their lanes: `lane 1`. */
  readonly failing: Set<string>;
  /** In which the tick has begun before. */
  readonly duplicates: Map<string, "finished" | "unfinished">;
  /** What the directory of the first one tells. */
  placement: Record<string, number>;
  /** Further lanes that a tick needs. */
  lanes: number;
  readonly env: Env;
}

/** Ledgers that have nothing to do, and tell what they were asked. */
function world(bound: "queue" | "no queue" = "queue"): World {
  const [called, invocations, sent, failing]: [Called[], string[], unknown[], Set<string>] = [
    [],
    [],
    [],
    new Set(),
  ];
  const duplicates: World["duplicates"] = new Map();
  const answer = async (asked: Called): Promise<void> => {
    called.push(asked);
    if (failing.has(asked.ledger) || failing.has(`lane ${asked.lane}`))
      throw new Error("the object was ended");
  };
  const LEDGER = {
    getByName: (ledger: string) => ({
      begin: async ({ tickMs, invocation, lane }: BeginRequest) => {
        invocations.push(invocation);
        await answer({ ledger, call: "begin", tickMs, ...(lane && { lane }) });
        const begun = duplicates.get(ledger);
        const duplicate = begun !== undefined;
        const unfinished = begun === "unfinished";
        const shards = Math.max(1, ...Object.values(of.placement).map((shard) => shard + 1));
        return {
          duplicate,
          unfinished,
          assignments: [],
          canaries: [],
          lanes: lane ? 0 : of.lanes,
          shards,
        };
      },
      record: async () => undefined,
      directory: async () => of.placement,
      noteLost: ({ tickMs, lane }: ShardTick) =>
        answer({ ledger, call: "noteLost", tickMs, ...(lane && { lane }) }),
    }),
  };
  const sendBatch = async (messages: Iterable<{ body: unknown }>): Promise<void> => {
    sent.push(...[...messages].map(({ body }) => body));
  };
  const env = { LEDGER, ...(bound === "queue" && { TICKS: { sendBatch } }) } as unknown as Env;
  const of: World = { called, invocations, sent, failing, duplicates, placement: {}, lanes: 0, env };
  return of;
}

function workerOf(shards: number) {
  const config = readConfig({ title: "T", plan: "paid", shards, gateways: [gateway("a"), gateway("b")] });
  // Nobody waits in these tests but for a Ledger that fails, which is asked again after half a second and longer.
  const clock = { ...systemClock(), now: () => NOW, sleep: () => Promise.resolve() };
  return composeWorker({ config, clock }).handler;
}

interface Delivery {
  readonly body: unknown;
  readonly attempts?: number;
  readonly queue?: string;
}

async function deliver({ env }: World, shards: number, { body, attempts = 1, queue = TICKS }: Delivery) {
  const message = { id: "m1", timestamp: new Date(NOW), attempts, body };
  const batch = createMessageBatch(queue, [message]);
  // The result of the test's batch has no delays.
  const waits = batch.messages.map((of) => vi.spyOn(of, "retry"));
  const ctx = createExecutionContext();
  await workerOf(shards).queue(batch, env, ctx);
  const { outcome, explicitAcks, retryMessages } = await getQueueResult(batch, ctx);
  const retried = retryMessages.map(({ msgId }) => msgId);
  return {
    outcome,
    acked: explicitAcks,
    retried,
    delays: waits.flatMap(({ mock }) => mock.calls.map(([options]) => options?.delaySeconds)),
  };
}

const ACKED = { outcome: "ok", acked: ["m1"], retried: [], delays: [] };
const retriedAfter = (delaySeconds: number) => ({
  outcome: "ok",
  acked: [],
  retried: ["m1"],
  delays: [delaySeconds],
});

const fire = (shards: number, { env }: World) =>
  workerOf(shards).scheduled(
    { scheduledTime: NOW + 7, cron: "* * * * *", noRetry: () => undefined },
    env,
    createExecutionContext(),
  );

test("cron sends each shard a message, and begins no tick itself", async () => {
  const of = world();
  await fire(3, of);
  expect(of.sent).toEqual([
    { shard: 0, tickMs: NOW },
    { shard: 1, tickMs: NOW },
    { shard: 2, tickMs: NOW },
  ]);
  expect(of.called).toEqual([]);
});

test("with one shard cron runs the tick, and no queue is sent to", async () => {
  const of = world();
  await fire(1, of);
  expect(of.called).toEqual([{ ledger: "ledger-0", call: "begin", tickMs: NOW }]);
  expect(of.sent).toEqual([]);
});

test("several shards without a queue have their ticks run by cron, and one that fails holds up none", async () => {
  const of = world("no queue");
  of.failing.add("ledger-1");
  await expect(fire(3, of)).rejects.toThrow("the object was ended");
  expect(new Set(of.called.map(({ ledger }) => ledger))).toEqual(
    new Set(["ledger-0", "ledger-1", "ledger-2"]),
  );
});

describe("further lanes", () => {
  test("are messages of the queue, once the first lane has begun", async () => {
    const of = world();
    of.lanes = 2;
    await fire(1, of);
    expect(of.called).toEqual([{ ledger: "ledger-0", call: "begin", tickMs: NOW }]);
    expect(of.sent).toEqual([
      { shard: 0, tickMs: NOW, lane: 1 },
      { shard: 0, tickMs: NOW, lane: 2 },
    ]);
  });

  test("of a shard that a message started are messages too", async () => {
    const of = world();
    of.lanes = 1;
    expect(await deliver(of, 3, { body: { shard: 2, tickMs: NOW } })).toEqual(ACKED);
    expect(of.sent).toEqual([{ shard: 2, tickMs: NOW, lane: 1 }]);
  });

  test("are run by cron's own invocation where there is no queue; one that fails is due in the next tick", async () => {
    const of = world("no queue");
    of.lanes = 2;
    await fire(1, of);
    expect(of.called.map(({ lane = 0 }) => lane)).toEqual([0, 1, 2]);
    expect(new Set(of.invocations).size).toBe(3);
    of.failing.add("lane 1");
    await fire(1, of);
    expect(of.called.map(({ lane = 0 }) => lane)).toEqual([0, 1, 2, 0, 1, 2, 1, 1, 1]);
  });

  test("do not start where the queue takes no messages, and the tick goes on", async () => {
    const of = world();
    of.lanes = 1;
    const full = () => Promise.reject(new Error("the queue is full"));
    const env = { ...of.env, TICKS: { sendBatch: full } } as unknown as Env;
    await fire(1, { ...of, env });
    expect(of.called).toHaveLength(1);
  });

  test("are begun as such, and lost as such", async () => {
    const of = world();
    const body = { shard: 2, tickMs: NOW, lane: 3 };
    expect(await deliver(of, 3, { body })).toEqual(ACKED);
    expect(await deliver(of, 3, { body, queue: DEAD })).toEqual(ACKED);
    expect(of.called).toEqual([
      { ledger: "ledger-2", call: "begin", tickMs: NOW, lane: 3 },
      { ledger: "ledger-0", call: "noteLost", tickMs: NOW, lane: 3 },
    ]);
  });
});

test.each([1, 2])(
  "where %i shards are configured and gateways are in a third one, that has its ticks too",
  async (shards) => {
    const of = world();
    of.placement = { a: 0, b: 2 };
    await fire(shards, of);
    const sent = of.sent.map((body) => (body as ShardTick).shard);
    const run = of.called.map(({ ledger }) => Number(ledger.slice("ledger-".length)));
    expect([...run, ...sent]).toEqual([0, 1, 2]);
  },
);

const SHARD_1 = { shard: 1, tickMs: NOW };
const BEGUN = { ledger: "ledger-1", call: "begin", tickMs: NOW } as const;
const LOST = { ledger: "ledger-0", call: "noteLost", tickMs: NOW } as const;
const late = (ms: number) => ({ body: { shard: 1, tickMs: NOW - ms } });
const at = (called: Called, ms: number): Called => ({ ...called, tickMs: NOW - ms });
const LIMIT = 5 * MINUTE;

test("a message runs its shard's tick, each delivery as an invocation of its own", async () => {
  const of = world();
  for (let n = 0; n < 2; n += 1) expect(await deliver(of, 3, { body: SHARD_1 })).toEqual(ACKED);
  expect(of.called).toEqual([BEGUN, BEGUN]);
  expect(new Set(of.invocations).size).toBe(2);
});

test("a tick that fails is asked for again after 5, 15, 45 and 135 seconds, however late it is", async () => {
  const of = world();
  of.failing.add("ledger-1");
  for (const [before, seconds] of [5, 15, 45, 135, 135].entries()) {
    const delivery = { body: { shard: 1, tickMs: NOW - before * 3 * MINUTE }, attempts: before + 1 };
    expect(await deliver(of, 3, delivery)).toEqual(retriedAfter(seconds));
  }
});

interface Fate {
  /** Whether the tick of shard 1 has begun before, and whether its results came. */
  readonly begun?: "finished" | "unfinished";
  readonly isShard0Away?: boolean;
  readonly delivery: Delivery;
  readonly result: unknown;
  readonly called: readonly Called[];
}

test.each<[string, Fate]>([
  ["five minutes late is run", { delivery: late(LIMIT), result: ACKED, called: [at(BEGUN, LIMIT)] }],
  [
    "later than that probes nothing, and its tick is noted as lost",
    { delivery: late(LIMIT + 1), result: ACKED, called: [at(LOST, LIMIT + 1)] },
  ],
  [
    "that comes again for a tick whose results never came is noted as lost",
    { begun: "unfinished", delivery: { body: SHARD_1, attempts: 2 }, result: ACKED, called: [BEGUN, LOST] },
  ],
  [
    "of such a tick comes again where that cannot be noted",
    {
      begun: "unfinished",
      isShard0Away: true,
      delivery: { body: SHARD_1, attempts: 2 },
      result: retriedAfter(15),
      called: [BEGUN, LOST],
    },
  ],
  [
    "that comes again though its tick is done loses nothing",
    { begun: "finished", delivery: { body: SHARD_1, attempts: 2 }, result: ACKED, called: [BEGUN] },
  ],
  [
    "that is the twin of one under way loses nothing",
    { begun: "unfinished", delivery: { body: SHARD_1 }, result: ACKED, called: [BEGUN] },
  ],
  [
    "that is a dead letter is noted by shard 0",
    { delivery: { ...late(2 * LIMIT), queue: DEAD }, result: ACKED, called: [at(LOST, 2 * LIMIT)] },
  ],
  [
    "that is a dead letter and cannot be noted is kept, and tried again after five minutes",
    {
      isShard0Away: true,
      delivery: { body: SHARD_1, queue: DEAD },
      result: retriedAfter(300),
      called: [LOST],
    },
  ],
])("a message %s", async (_, { begun, isShard0Away, delivery, result, called }) => {
  const of = world();
  if (begun) of.duplicates.set("ledger-1", begun);
  if (isShard0Away) of.failing.add("ledger-0");
  expect(await deliver(of, 3, delivery)).toEqual(result);
  expect(new Set(of.called)).toEqual(new Set(called));
});

test("where ticks come once an hour, the one of the hour is run whenever it comes", async () => {
  const of = world();
  const hourly = { ...of, env: { ...of.env, TICK_SECONDS: "3600" } };
  expect(await deliver(hourly, 3, { body: { shard: 1, tickMs: NOW - 60 * MINUTE } })).toEqual(ACKED);
  expect(of.called.map(({ call }) => call)).toEqual(["begin"]);
  expect(await deliver(hourly, 3, { body: { shard: 1, tickMs: NOW - 60 * MINUTE - 1 } })).toEqual(ACKED);
  expect(of.called.map(({ call }) => call)).toEqual(["begin", "noteLost"]);
});
