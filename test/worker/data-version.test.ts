/** Which data a code reads, which it brings up to date, and which it leaves alone. */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { DamagedVersion, knownVersion, NewerData, refusalOf } from "../../src/ledger/data-version.ts";
import { defineLedger } from "../../src/ledger/ledger.ts";
import { ownShard } from "../../src/ledger/own-shard.ts";
import { config, gateway } from "../fixtures/config.ts";
import { bindings, harnessOn, START } from "./ledger-harness.ts";

const REFUSED =
  "the ledger holds data of version 3, and this code knows 2: deploy the newer version again; nothing was changed";

const DAMAGED =
  "the version of the ledger's data is damaged, and without it they are not opened; nothing was changed";

/** It does not fire while the test runs. */
const FAR_MS = Date.UTC(2100, 0, 1);

const versionRows = (sql: SqlStorage) =>
  sql.exec("SELECT name, body FROM document WHERE name = 'version'").toArray();

const inStorage = (run: (state: DurableObjectState) => Promise<void>): Promise<void> =>
  runInDurableObject(bindings.LEDGER.get(bindings.LEDGER.newUniqueId()), async (_, state) => run(state));

const harness = (state: DurableObjectState) => harnessOn(state, config([gateway("a")]), START);

test("to look for the version of what was never written writes nothing", () =>
  inStorage(async ({ storage: { sql } }) => {
    expect(knownVersion(sql)).toBeNull();
    expect(
      sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'").toArray(),
    ).toEqual([]);
  }));

test("a new Ledger notes the version of its data", () =>
  inStorage(async (state) => {
    await harness(state).tick(START, () => ({}));
    expect(versionRows(state.storage.sql)).toEqual([{ name: "version", body: "2" }]);
  }));

test("data of version 1 are brought to version 2, which is noted", () =>
  inStorage(async (state) => {
    const { sql } = state.storage;
    await harness(state).tick(START, () => ({}));
    sql.exec("UPDATE document SET body = '1' WHERE name = 'version'");
    const after = harness(state);
    expect(after.service.state.journal.lastTickMs).toBe(START);
    after.restart();
    expect(after.service.state.journal.lastTickMs).toBe(START);
    expect(versionRows(sql)).toEqual([{ name: "version", body: "2" }]);
  }));

test("an upgrade that storage refuses leaves the data of version 1 as they were", () =>
  inStorage(async (state) => {
    const { sql } = state.storage;
    await harness(state).tick(START, () => ({}));
    sql.exec("UPDATE document SET body = '1' WHERE name = 'version'");
    const after = harness(state);
    after.transactionsFail = true;
    expect(() => after.service).toThrow("disk I/O error");
    expect(versionRows(sql)).toEqual([{ name: "version", body: "1" }]);
    after.transactionsFail = false;
    expect(after.service.state.journal.lastTickMs).toBe(START);
  }));

test("whoever opens data of version 3 is told what to do, and not a byte of them is written", () =>
  inStorage(async (state) => {
    const { sql } = state.storage;
    await harness(state).tick(START, () => ({}));
    sql.exec("UPDATE document SET body = '3' WHERE name = 'version'");
    // What a newer code may have done to them: a table is missing, and another one is there.
    sql.exec("DROP TABLE rollup");
    sql.exec("CREATE TABLE of_the_future (id INTEGER PRIMARY KEY)");
    await state.storage.setAlarm(FAR_MS);
    const all = () => ({
      tables: sql.exec("SELECT name, sql FROM sqlite_master ORDER BY name").toArray(),
      documents: sql.exec("SELECT * FROM document ORDER BY name, part").toArray(),
    });
    const before = all();
    const writtenBefore = sql.exec("SELECT total_changes() AS n").one()["n"];
    expect(refusalOf(sql)).toEqual(new NewerData(3));
    expect(() => ownShard("ledger-7", sql)).toThrow(REFUSED);
    expect(() => harness(state).service).toThrow(REFUSED);
    expect(all()).toEqual(before);
    expect(sql.exec("SELECT total_changes() AS n").one()["n"]).toBe(writtenBefore);
    expect(await state.storage.getAlarm()).toBe(FAR_MS);
    await state.storage.deleteAlarm();
  }));

test.each(["", "zero", "0", "-1", "1.5"])("the version %j is damage, and not taken for any", (body) =>
  inStorage(async (state) => {
    await harness(state).tick(START, () => ({}));
    state.storage.sql.exec("UPDATE document SET body = ? WHERE name = 'version'", body);
    expect(() => harness(state).service).toThrow(DAMAGED);
    expect(refusalOf(state.storage.sql)).toEqual(new DamagedVersion());
  }),
);

test("a Ledger whose version is damaged says so to who administers it, and changes nothing", () =>
  inStorage(async (state) => {
    const { sql } = state.storage;
    await harness(state).tick(START, () => ({}));
    sql.exec("UPDATE document SET body = 'two' WHERE name = 'version'");
    const Opened = defineLedger<object>(() => {
      throw new Error("it is not opened");
    });
    const ledger = new Opened(state, {});
    const refused = { ok: false, why: "conflict", detail: DAMAGED };
    expect(await ledger.administer({ type: "list_maintenance" })).toEqual(refused);
    await expect(ledger.begin({ tickMs: START, invocation: "i" })).rejects.toThrow(DAMAGED);
    expect(versionRows(sql)).toEqual([{ name: "version", body: "two" }]);
  }));
