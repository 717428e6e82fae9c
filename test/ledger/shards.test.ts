/** Which Ledger has which gateway, whatever changes, and which is asked for what by an administrator. */
import { expect, test } from "vitest";
import type { ChannelConfig, Config } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { EVERYTHING } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { Fleet } from "./fleet.ts";
import type { AdminAnswer, AdminRequest } from "../../src/domain/tick.ts";
import { administerShards } from "../../src/ledger/admin/admin-shards.ts";

const START = Date.parse("2026-11-20T09:00:00Z");

const OPS: ChannelConfig = {
  kind: "webhook",
  id: "ops",
  url: "URL_OF_ops",
  secret: ["SIGNING"],
  only: EVERYTHING,
};

const of = (ids: readonly string[], shards: number): Config => ({
  ...config(ids.map((id) => gateway(id))),
  alerts: [OPS],
  shards,
});

const fleetOf = (settings: Config): Fleet => new Fleet(settings, { startMs: START, tickMs: MINUTE_MS });

const well = () => ({});
const bad = (gatewayId: string) => (id: string) =>
  id.startsWith(`${gatewayId}/`) ? { diagnosis: diagnosis("service_misconfigured", "down") } : {};

async function ticks(fleet: Fleet, count: number, probe: Parameters<Fleet["tick"]>[0] = well): Promise<void> {
  for (let n = 0; n < count; n += 1) await fleet.tick(probe);
}

/** The gateways of each shard, as it publishes them. */
async function shown(fleet: Fleet, shards: number): Promise<(readonly string[])[]> {
  const seen = await Promise.all(Array.from({ length: shards }, (_, shard) => fleet.seen(shard)));
  return seen.map((one) => one?.status.gateways.map(({ id }) => id) ?? []);
}

/** What the next object finds in place of the directory; null: none. */
function replaceDirectory(fleet: Fleet, shard: number, body: string | null): void {
  fleet.restart(shard);
  const { sql } = fleet.storages.get(shard) as unknown as {
    sql: { exec(query: string, ...values: string[]): unknown };
  };
  sql.exec("DELETE FROM document WHERE name = 'directory'");
  if (body !== null) sql.exec("INSERT INTO document VALUES ('directory', 0, ?)", body);
}

test("more shards take new gateways, and what was open stays where it is and is told once", async () => {
  const fleet = fleetOf(of(["a", "b"], 1));
  await ticks(fleet, 3, bad("b"));
  fleet.deploy(of(["a", "b", "c", "d"], 3));
  await ticks(fleet, 3, bad("b"));
  expect(await shown(fleet, 3)).toEqual([["a", "b"], ["c"], ["d"]]);
  await ticks(fleet, 3);
  expect(fleet.told).toEqual(["incident.opened", "incident.resolved"]);
  expect(fleet.warnings).toEqual([]);
});

test("fewer shards: a tick tells that there are more, and their Ledgers go on", async () => {
  const fleet = fleetOf(of(["a", "b"], 2));
  await ticks(fleet, 3);
  fleet.deploy(of(["a", "b", "c"], 1));
  const request = { tickMs: fleet.nowMs + MINUTE_MS, invocation: "next" };
  expect(await fleet.host(0).begin(request)).toMatchObject({ shards: 2, assignments: [{}, {}] });
  expect(await fleet.host(1).begin(request)).toMatchObject({ assignments: [{ gatewayId: "b" }] });
  expect((await fleet.seen(0))?.metadata.shards).toBe(2);
});

test("an installation without a directory keeps each gateway where something is stored of it", async () => {
  const fleet = fleetOf(of(["a", "b", "c"], 2));
  await ticks(fleet, 3, bad("b"));
  for (const shard of [0, 1]) replaceDirectory(fleet, shard, null);
  // By the order of these `b` would be in the first.
  fleet.deploy(of(["b", "d", "a", "c"], 2));
  await ticks(fleet, 3, bad("b"));
  expect(await shown(fleet, 2)).toEqual([
    ["a", "c"],
    ["b", "d"],
  ]);
  expect(fleet.told).toHaveLength(1);
});

test("while a Ledger does not tell what it has, new gateways wait and the others go on", async () => {
  const fleet = fleetOf(of(["a", "b"], 2));
  await ticks(fleet, 3);
  for (const shard of [0, 1]) replaceDirectory(fleet, shard, null);
  fleet.deploy(of(["a", "b", "c"], 2));
  fleet.isAway = (shard) => shard === 1;
  expect(await fleet.tick(well)).toEqual(["a/models"]);
  expect(fleet.warnings.join()).toContain("new gateways have no place yet");
  fleet.isAway = () => false;
  expect(await fleet.tick(well)).toEqual(["a/models", "b/models", "c/models"]);
});

test("while the first Ledger is away another goes on with what it has", async () => {
  const fleet = fleetOf(of(["a", "b"], 2));
  await ticks(fleet, 2);
  fleet.deploy(of(["a", "b", "c"], 2));
  fleet.isAway = (shard) => shard === 0;
  expect(await fleet.tick(well)).toEqual(["b/models"]);
});

test("a directory that is damaged is put aside, and made again of what the Ledgers have", async () => {
  const fleet = fleetOf(of(["a", "b"], 2));
  await ticks(fleet, 2);
  replaceDirectory(fleet, 0, '{"a":-1');
  expect(await fleet.tick(well)).toEqual(["a/models", "b/models"]);
  expect(await shown(fleet, 2)).toEqual([["a"], ["b"]]);
});

test("a renamed gateway stays in its Ledger with its open incident", async () => {
  const fleet = fleetOf(of(["a", "b"], 2));
  await ticks(fleet, 3, bad("b"));
  const renamed = gateway("new", { monitors: [monitor("new", { formerly: ["b/models"] })] });
  fleet.deploy({ ...of(["a"], 2), gateways: [gateway("a"), renamed] });
  await ticks(fleet, 3);
  expect(await shown(fleet, 2)).toEqual([["a"], ["new"]]);
  expect(fleet.told).toEqual(["incident.opened", "incident.resolved"]);
});

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
    for (const id of ["g1", "g4", "g0", "stranger"]) {
      await administerShards({ type, subject: `${id}/models` }, shards);
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

test.each(OF_EVERY)("$type is asked of every Ledger", async ({ type, all, ...one }) => {
  const ledgers = [0, 1, 2].map((shard) => () => done(one.of(shard)));
  const request = { type } as Parameters<typeof administerShards>[0];
  expect(await administerShards(request, shardsOf(...ledgers))).toEqual(done(all));
});
