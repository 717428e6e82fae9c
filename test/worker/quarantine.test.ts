/**
 * What is stored is damaged, cell by cell: the Ledger starts, ticks and publishes, tells what it could not read, and loses
 * no more than that. Real SQLite and KV in workerd.
 */
import { describe, expect, test } from "vitest";
import { type Harness, inLedger, minutes, published, START } from "./ledger-harness.ts";
import { rounds, seedOf } from "../extent.ts";
import { Random } from "../fixtures/random.ts";
import type { Config } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { webhook } from "./admin-world.ts";

type Sql = SqlStorage;

/** Nearly two hours of ticks; then `damage`, and a new object over what is left. */
async function damaged(
  damage: (sql: Sql) => void,
  look: (harness: Harness, sql: Sql) => Promise<void>,
): Promise<void> {
  await inLedger({ config: SETTINGS }, async (harness, sql) => {
    for (const tickMs of minutes(START, 110)) await harness.tick(tickMs, shaky);
    damage(sql);
    harness.restart();
    await look(harness, sql);
  });
}

const NEXT = START + 110 * 60_000;

async function goOn(harness: Harness, ticks = 3): Promise<void> {
  for (const tickMs of minutes(NEXT, ticks)) await harness.tick(tickMs, shaky);
  await harness.publish();
}

function document(sql: Sql, name: string): string {
  const rows = sql.exec<{ body: string }>("SELECT body FROM document WHERE name = ? ORDER BY part", name);
  return rows
    .toArray()
    .map(({ body }) => body)
    .join("");
}

function rewrite(sql: Sql, name: string, body: string): void {
  sql.exec("UPDATE document SET body = ? WHERE name = ?", body, name);
}

function events(sql: Sql): string[] {
  const rows = sql.exec<{ body: string }>("SELECT body FROM alert ORDER BY id").toArray();
  return rows
    .flatMap(({ body }) => JSON.parse(body) as { id: string; type: string }[])
    .map(({ type }) => type);
}

/** Of the incident of `g1`, which is over, and of `g0`'s, which is open: each once. */
const TOLD = ["incident.opened", "incident.resolved", "incident.opened"];

test("a document of monitors and incidents that is cut off is lost as a whole, and they begin anew", () =>
  damaged(
    (sql) => rewrite(sql, "members", document(sql, "members").slice(0, -1)),
    async (harness, sql) => {
      expect(harness.service.memory.quarantine.list()).toMatchObject([{ place: "document/members" }]);
      await goOn(harness);
      expect((await published()).status.summary).toMatchObject({ up: 2, down: 1 });
      expect(events(sql)).toEqual([...TOLD, "incident.opened"]);
      expect(harness.warnings).toEqual([
        "ledger: document/members could not be read: it is in quarantine, all else goes on",
      ]);
    },
  ));

test("without its journal the Ledger goes on as published: incidents and history stay, nothing is told", async () => {
  let before = 0;
  await damaged(
    (sql) => {
      const text = document(sql, "journal");
      before = JSON.parse(text).publishing.sequence;
      rewrite(sql, "journal", text.replace('"publishing":', '"publishing":-'));
    },
    async (harness, sql) => {
      await harness.service.publication.inherit();
      await goOn(harness);
      expect(harness.service.memory.state.journal.publishing.sequence).toBeGreaterThan(before);
      expect(events(sql)).toEqual(TOLD);
      const { status, tail } = await published();
      expect(status.summary).toMatchObject({ up: 2, down: 1 });
      expect(tail.segments.hour).toEqual(["2026-11-20T09"]);
    },
  );
});

describe("rows of history", () => {
  test("samples that cannot be read are gone with their row", () =>
    damaged(
      (sql) => {
        const [row] = sql
          .exec<{ id: number; body: ArrayBuffer }>("SELECT id, body FROM batch ORDER BY id DESC")
          .toArray();
        const bytes = new Uint8Array(row?.body ?? new ArrayBuffer());
        sql.exec("UPDATE batch SET body = ? WHERE id = ?", bytes.slice(0, bytes.length - 20), row?.id ?? 0);
      },
      async (harness) => {
        await goOn(harness);
        const { tail } = await published();
        expect(Object.keys(tail.live.samples).sort()).toEqual(["g0/models", "g1/models", "g2/models"]);
        expect(harness.service.memory.quarantine.list()).toMatchObject([
          { place: "batch/4", why: "the record cannot be read" },
        ]);
      },
    ));

  test("how far it is closed is found out anew: no sample is there twice, and none of the last hour is lost", () =>
    damaged(
      (sql) => rewrite(sql, "through", '{"hoursMs":'),
      async (harness) => {
        const samples = harness.service.memory.archive.recent.between(START, NEXT).get("g0/models") ?? [];
        expect(new Set(samples.map(({ atMs }) => atMs)).size).toBe(110);
        expect(samples).toHaveLength(110);
        await goOn(harness);
        expect(harness.service.memory.quarantine.count()).toBe(1);
      },
    ));
});

describe("owed alerts", () => {
  const waiting = ({ service }: Harness) =>
    Object.fromEntries(
      service.memory.outbox.statuses(NEXT).map(({ channel, waiting: of }) => [channel, of?.count]),
    );

  test("channels whose places are lost are owed all that is there", () =>
    damaged(
      (sql) => {
        const [row] = sql.exec<{ body: string }>("SELECT body FROM channels").toArray();
        sql.exec(
          "UPDATE channels SET body = ?",
          JSON.stringify({ ...JSON.parse(row?.body ?? "{}"), ops: 7 }),
        );
      },
      async (harness) => {
        expect(waiting(harness)).toEqual({ ops: 3, night: 3 });
      },
    ));

  test("a row of events that cannot be read is gone, the others are owed", () =>
    damaged(
      (sql) => {
        const { id, body } = sql
          .exec<{ id: number; body: string }>("SELECT id, body FROM alert ORDER BY id LIMIT 1")
          .one();
        const [event] = JSON.parse(body);
        sql.exec("UPDATE alert SET body = ? WHERE id = ?", JSON.stringify([{ ...event, type: 3 }]), id);
      },
      async (harness) => {
        expect(waiting(harness)).toEqual({ ops: 2, night: 2 });
        expect(harness.service.memory.quarantine.count()).toBe(1);
      },
    ));
});

test("the quarantine keeps the newest hundred records, and of each its first bytes", () =>
  inLedger({}, async ({ service }, sql) => {
    const { quarantine } = service.memory;
    const body = "b".repeat(60_000);
    for (let n = 0; n < 120; n += 1) quarantine.read({ place: `p/${n}`, body }, JSON.parse, () => undefined);
    const kept = quarantine.list();
    expect([kept.length, kept[0]?.place, kept.at(-1)?.place]).toEqual([100, "p/119", "p/20"]);
    expect(kept[0]).toMatchObject({ bytes: 60_000, start: "b".repeat(300) });
    expect(sql.exec("SELECT max(length(body)) AS n FROM quarantine").one()).toEqual({ n: 50_000 });
    expect(quarantine.clear()).toBe(100);
    expect(quarantine.count()).toBe(0);
  }));

// Any record is damaged at random.

/** What it says of its version is read first: see the tests of versions. */
const RECORDS = [
  ["document", "name || part"],
  ["batch", "id"],
  ["rollup", "name"],
  ["segment_part", "name || part"],
  ["resolved", "id"],
  ["alert", "id"],
  ["channels", "id"],
] as const;

const ROUNDS = rounds(30, 100);

test("whichever record is flipped, cut or replaced, the Ledger starts, ticks and publishes", async () => {
  const random = new Random(seedOf("damaged cells"));
  await inLedger({ config: SETTINGS }, async (harness, sql) => {
    let nowMs = START;
    const tick = async (): Promise<void> => {
      await harness.tick(nowMs, shaky);
      nowMs += 60_000;
    };
    for (let n = 0; n < 90; n += 1) await tick();
    for (let round = 0; round < ROUNDS; round += 1) {
      const hit = Array.from({ length: random.pick([1, 1, 1, 2, 5]) }, () => hurt(sql, random));
      const what = `round ${round}, seed ${random.seed}: ${hit.join("; ")}`;
      harness.warnings = [];
      harness.restart();
      for (let n = 0; n < 3; n += 1) await tick();
      nowMs = Math.max(nowMs, harness.nowMs + 60_000);
      await harness.publish();
      nowMs = Math.ceil(harness.nowMs / 60_000) * 60_000 + 60_000;
      expect([what, ...harness.warnings.filter((warning) => !warning.includes("quarantine"))]).toEqual([
        what,
      ]);
      for (const channel of ["ops", "night"]) lookAtOwed(harness.service, channel, nowMs);
      const { state: now } = harness.service.memory;
      const open = Object.values(now.incidents).flatMap(({ monitorIds }) => monitorIds);
      // A flip in an id leaves a record that is as good as any: of a second incident, or of another monitor.
      const strange = open.filter((id) => !isFlipOf(id, "g0/models"));
      expect([what, open.length > 0, strange]).toEqual([what, true, []]);
      const { status } = await published();
      expect([what, status.lastTickAt, status.summary]).toEqual([
        what,
        new Date(harness.service.memory.state.journal.lastTickMs ?? 0).toISOString(),
        expect.objectContaining({ unknown: 0 }),
      ]);
    }
    expect(harness.service.memory.quarantine.count()).toBeGreaterThan(ROUNDS / 10);
  });
});

/** At most two characters are others: one cell may be hit in several rounds. */
function isFlipOf(id: string, of: string): boolean {
  const others = Array.from({ length: id.length }, (_, at) => at).filter((at) => id[at] !== of[at]);
  return id.length === of.length && others.length <= 2;
}

/** As the courier does: rows far down the log are read when their turn comes. */
function lookAtOwed(service: Harness["service"], channel: string, nowMs: number): void {
  service.memory.outbox.statuses(nowMs);
  service.memory.outbox.queue(channel).bundle(true);
}

/** @returns what was done. */
function hurt(sql: Sql, random: Random): string {
  const [table, key] = random.pick(RECORDS);
  const where = table === "document" ? "WHERE name <> 'version'" : "";
  const rows = sql.exec(`SELECT ${key} AS k, body AS cell FROM ${table} ${where}`).toArray();
  if (rows.length === 0) return `${table} is empty`;
  const { k, cell } = random.pick(rows) as { k: SqlStorageValue; cell: SqlStorageValue };
  const [how, value] = broken(cell ?? null, random);
  try {
    sql.exec(`UPDATE ${table} SET body = ? WHERE ${key} = ?`, value, k ?? null);
  } catch {
    return `${table} refused it`;
  }
  return `${table} of ${JSON.stringify(k)}: ${how}`;
}

function broken(cell: SqlStorageValue, random: Random): readonly [how: string, SqlStorageValue] {
  // An earlier round has put a number there.
  const isNumber = typeof cell === "number";
  const how = isNumber ? "replace" : random.pick(["flip", "flip", "cut", "replace"] as const);
  if (how === "replace") {
    const values = ["", "{}", "null", "[]", -1, 0, 9e15, "\u0000", new Uint8Array([1, 2, 3]).buffer];
    return [how, random.pick(values)];
  }
  const isText = typeof cell === "string";
  const bytes = isText ? new TextEncoder().encode(cell) : new Uint8Array(cell as ArrayBuffer);
  const place = random.whole(bytes.length);
  const changed = how === "cut" ? bytes.slice(0, place) : bytes.slice();
  if (how === "flip" && changed.length > 0) changed[place] = (changed[place] ?? 0) ^ (1 << random.whole(8));
  return [
    `${how} at ${place} of ${bytes.length}`,
    isText ? new TextDecoder().decode(changed) : changed.buffer,
  ];
}

const SETTINGS: Config = config([gateway("g0"), gateway("g1"), gateway("g2")], {
  alerts: [webhook("ops"), webhook("night")],
  maxProbesPerTick: 500,
});

/** `g0` fails from the second hour on. `g1` was down for five minutes, so that a resolved incident is stored. */
function shaky(monitorId: string, tickMs: number): Partial<ProbeOutcome> {
  const minute = (tickMs - START) / 60_000;
  const fails =
    monitorId === "g0/models" ? minute >= 60 : monitorId === "g1/models" && minute >= 5 && minute < 10;
  return fails ? { diagnosis: diagnosis("upstream_unavailable", "down", { httpStatus: 503 }) } : {};
}
