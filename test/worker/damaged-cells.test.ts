/** Any record in the Ledger's tables is damaged at random: see `quarantine.test.ts`. Real SQLite and KV in workerd. */
import { expect, test } from "vitest";
import { rounds, seedOf } from "../extent.ts";
import { Random } from "../fixtures/random.ts";
import { type Harness, inLedger, published, START } from "./ledger-harness.ts";
import { SETTINGS, shaky } from "./shaky-world.ts";

type Sql = SqlStorage;

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
      // A flip in an incident's id leaves a record that is as good as any, and the monitor has two incidents.
      expect([what, ...new Set(open)]).toEqual([what, "g0/models"]);
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
