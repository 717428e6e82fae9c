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
const SILENT: Ledger = () => "silent";

test("with one shard its Ledger is asked, whatever for", async () => {
  const shards = shardsOf(FINE);
  await administerShards({ type: "list_alerts" }, shards);
  expect(shards.asked).toEqual([[0, "list_alerts"]]);
});

test.each(["probe_now", "pause", "resume"] as const)(
  "%s is asked of the Ledger of the gateway's shard",
  async (type) => {
    const shards = shardsOf(FINE, FINE, FINE);
    // Of one that nobody has the first says so.
    for (const gateway of ["g1", "g4", "g0", "stranger"]) {
      await administerShards({ type, monitorId: `${gateway}/models` }, shards);
    }
    expect(shards.asked.map(([shard]) => shard)).toEqual([0, 1, 2, 0]);
  },
);

test("an incident is acknowledged by the Ledger that has it, though another is silent", async () => {
  const shards = shardsOf(
    () => NOT_FOUND,
    SILENT,
    () => done({ incident: "i" }),
  );
  const answer = await administerShards({ type: "acknowledge", incidentId: "i" }, shards);
  expect(answer).toEqual(done({ incident: "i" }));
});

test("an incident that nobody has is not there; where one is silent that is not known", async () => {
  const request = { type: "note", incidentId: "i", text: "t" } as const;
  const none: Ledger = () => NOT_FOUND;
  expect(await administerShards(request, shardsOf(none, none))).toEqual(NOT_FOUND);
  const detail =
    "The Ledger of shard 1 did not answer; those of the others did what you asked. Ask again: what is done is not done twice.";
  const incomplete = { ok: false, why: "incomplete", detail };
  expect(await administerShards(request, shardsOf(none, SILENT))).toEqual(incomplete);
});

test("maintenance that one Ledger refuses is refused, whatever the others did", async () => {
  const request = { type: "plan_maintenance", ...WINDOW } as const;
  const full: AdminAnswer = { ok: false, why: "conflict", detail: "too many" };
  expect(
    await administerShards(
      request,
      shardsOf(planning(), () => full),
    ),
  ).toEqual(full);
});

const WINDOW = {
  gateways: ["g0"],
  fromMs: Date.UTC(2026, 11, 1, 2),
  toMs: Date.UTC(2026, 11, 1, 4),
  title: "Move",
};
const listedAs = (id: string) => ({
  id,
  gateways: ["g0"],
  from: "2026-12-01T02:00:00.000Z",
  to: "2026-12-01T04:00:00.000Z",
  title: "Move",
});

/** Keeps windows as a Ledger does. */
function planning(): Ledger & { readonly ids: string[]; silent: boolean } {
  const ids: string[] = [];
  const ledger = (request: AdminRequest): AdminAnswer | "silent" => {
    if (self.silent) return "silent";
    if (request.type === "list_maintenance") return done({ maintenance: ids.map(listedAs) });
    if (request.type === "cancel_maintenance") {
      const at = ids.indexOf(request.id);
      if (at === -1) return NOT_FOUND;
      ids.splice(at, 1);
      return done({ id: request.id });
    }
    if (request.type !== "plan_maintenance") throw new Error("nothing else is asked");
    if (!ids.includes("mfresh")) ids.push("mfresh");
    return done(listedAs("mfresh"));
  };
  const self = Object.assign(ledger, { ids, silent: false });
  return self;
}

test("maintenance is planned in every Ledger, and listed once", async () => {
  const ledgers = [planning(), planning(), planning()];
  const shards = shardsOf(...ledgers);
  const planned = await administerShards({ type: "plan_maintenance", ...WINDOW }, shards);
  expect(planned).toEqual(done(listedAs("mfresh")));
  expect(ledgers.map(({ ids }) => ids)).toEqual([["mfresh"], ["mfresh"], ["mfresh"]]);
  expect(await administerShards({ type: "list_maintenance" }, shards)).toEqual(
    done({ maintenance: [listedAs("mfresh")] }),
  );
});

test("maintenance that one Ledger did not take is told as such, and completed when it is asked for again", async () => {
  const ledgers = [planning(), planning(), planning()] as const;
  const shards = shardsOf(...ledgers);
  ledgers[1].silent = true;
  const order = { type: "plan_maintenance", ...WINDOW } as const;
  expect(await administerShards(order, shards)).toMatchObject({ ok: false, why: "incomplete" });
  ledgers[1].silent = false;
  expect(await administerShards(order, shards)).toEqual(done(listedAs("mfresh")));
  expect(ledgers.map(({ ids }) => ids)).toEqual([["mfresh"], ["mfresh"], ["mfresh"]]);
});

test("maintenance is cancelled everywhere, also where some do not know it", async () => {
  const ledgers = [planning(), planning(), planning()] as const;
  const shards = shardsOf(...ledgers);
  ledgers[0].ids.push("m1");
  ledgers[2].ids.push("m1");
  expect(await administerShards({ type: "cancel_maintenance", id: "m1" }, shards)).toEqual(
    done({ id: "m1" }),
  );
  expect(ledgers.map(({ ids }) => ids)).toEqual([[], [], []]);
  expect(await administerShards({ type: "cancel_maintenance", id: "m1" }, shards)).toEqual(NOT_FOUND);
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
    type: "list_quarantine",
    of: (shard: number) => ({ records: [{ shard, id: 1 }] }),
    all: { records: [0, 1, 2].map((shard) => ({ shard, id: 1 })) },
  },
  { type: "clear_quarantine", of: (shard: number) => ({ cleared: shard }), all: { cleared: 3 } },
] as const;

test.each(OF_EVERY)("$type is asked of every Ledger", async ({ type, of, all }) => {
  const ledgers = [0, 1, 2].map((shard) => () => done(of(shard)));
  const request = { type } as Parameters<typeof administerShards>[0];
  expect(await administerShards(request, shardsOf(...ledgers))).toEqual(done(all));
});
