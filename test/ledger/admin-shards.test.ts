import { expect, test } from "vitest";
import type { AdminAnswer, AdminRequest } from "../../src/domain/tick.ts";
import { administerShards } from "../../src/ledger/admin/admin-shards.ts";

const NOT_FOUND: AdminAnswer = { ok: false, why: "not_found", detail: "There is no such thing." };
const done = (value: Readonly<Record<string, unknown>>): AdminAnswer => ({ ok: true, value });

type Ledger = (request: AdminRequest) => AdminAnswer | "silent";

/** Each Ledger by its shard, and who was asked for what. */
function shardsOf(...ledgers: readonly Ledger[]) {
  const asked: [number, string][] = [];
  const ask = async (shard: number, request: AdminRequest): Promise<AdminAnswer> => {
    asked.push([shard, request.type]);
    const answer = ledgers[shard]?.(request) ?? "silent";
    if (answer === "silent") throw new Error("the object was ended");
    return answer;
  };
  const places: Readonly<Record<string, number>> = { g1: 0, g4: 1, g0: 2 };
  return { asked, count: ledgers.length, ask, shardOf: (id: string) => places[id] ?? null };
}

const FINE: Ledger = () => done({});

test("with one shard its Ledger is asked, whatever for", async () => {
  const shards = shardsOf(FINE);
  await administerShards({ type: "list_alerts" }, shards);
  expect(shards.asked).toEqual([[0, "list_alerts"]]);
});

test.each(["probe_now", "read_gateway", "resume"] as const)(
  "%s is asked of the Ledger of the gateway's shard",
  async (type) => {
    const shards = shardsOf(FINE, FINE, FINE);
    // Of one that nobody has the first says so.
    for (const gateway of ["g1", "g4", "g0", "stranger"]) {
      await administerShards({ type, subject: `${gateway}/models` }, shards);
    }
    expect(shards.asked.map(([shard]) => shard)).toEqual([0, 1, 2, 0]);
  },
);

const WINDOW = { gateways: ["g0"], fromMs: 0, toMs: 1, title: "Move" };
const PLAN = { type: "plan_maintenance", ...WINDOW } as const;
const CANCEL = { type: "cancel_maintenance", id: "m1" } as const;
const NOTE = { type: "note", incidentId: "i", text: "t", isPublic: true } as const;
const FULL: AdminAnswer = { ok: false, why: "conflict", detail: "too many" };
const INCOMPLETE: AdminAnswer = {
  ok: false,
  why: "incomplete",
  detail:
    "The Ledger of shard 1 did not answer; those of the others did what you asked. Ask again: what is done is not done twice.",
};
const DONE = done({ id: "m1" });

test.each<[what: string, request: AdminRequest, answers: (AdminAnswer | "silent")[], all: AdminAnswer]>([
  [
    "an incident is noted by the Ledger that has it, though another is silent",
    NOTE,
    [NOT_FOUND, "silent", DONE],
    DONE,
  ],
  ["an incident that nobody has is not there", NOTE, [NOT_FOUND, NOT_FOUND], NOT_FOUND],
  ["where one is silent, that nobody has it is not known", NOTE, [NOT_FOUND, "silent"], INCOMPLETE],
  ["maintenance that one refuses is refused, whatever the others did", PLAN, [DONE, FULL], FULL],
  ["maintenance that one did not take is incomplete", PLAN, [DONE, "silent", DONE], INCOMPLETE],
  ["maintenance that none knows is not there", CANCEL, [NOT_FOUND, NOT_FOUND], NOT_FOUND],
])("%s", async (_, request, answers, all) => {
  const shards = shardsOf(...answers.map((answer) => () => answer));
  expect(await administerShards(request, shards)).toEqual(all);
  expect(shards.asked).toHaveLength(answers.length);
});

test("a test alert is sent by shard 0", async () => {
  const shards = shardsOf(FINE, FINE);
  await administerShards({ type: "test_alert", channel: null }, shards);
  expect(shards.asked).toEqual([[0, "test_alert"]]);
});

/** What Ledger `shard` answers, and what three of them come to. */
const OF_EVERY = [
  {
    type: "list_alerts",
    of: (shard: number) => ({ channels: [{ shard }], undelivered: [] }),
    all: { channels: [{ shard: 0 }, { shard: 1 }, { shard: 2 }], undelivered: [] },
  },
  { type: "replay_alerts", of: () => ({ replayed: 1, triedNow: 2 }), all: { replayed: 3, triedNow: 6 } },
  {
    type: "list_maintenance",
    of: () => ({ maintenance: [WINDOW] }),
    all: { maintenance: [WINDOW] },
  },
] as const;

test.each(OF_EVERY)("$type is asked of every Ledger", async ({ type, of, all }) => {
  const ledgers = [0, 1, 2].map((shard) => () => done(of(shard)));
  const request = { type } as Parameters<typeof administerShards>[0];
  expect(await administerShards(request, shardsOf(...ledgers))).toEqual(done(all));
});
