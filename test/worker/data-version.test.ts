/** Which data a code reads, which it brings up to date, and which it leaves alone. */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { defineLedger } from "../../src/ledger/ledger.ts";
import { config, gateway } from "../fixtures/config.ts";
import { bindings, type Harness, harnessOn, hostSettings, inObject, START } from "./ledger-harness.ts";

const REFUSED =
  "the ledger holds data of version 3, and this code knows 2: deploy the newer version again; nothing was changed";

const DAMAGED =
  "the version of the ledger's data is damaged, and without it they are not opened; nothing was changed";

/** It does not fire while the test runs. */
const FAR_MS = Date.UTC(2100, 0, 1);

const versionsIn = (sql: SqlStorage) =>
  sql
    .exec("SELECT body FROM document WHERE name = 'version'")
    .toArray()
    .map(({ body }) => body);

/** A Ledger that has ticked, with another version noted, and a new object over its storage. */
const withVersion = (
  version: string,
  look: (sql: SqlStorage, after: Harness, state: DurableObjectState) => Promise<void>,
): Promise<void> =>
  inObject(async (state) => {
    const { sql } = state.storage;
    const settings = config([gateway("a")]);
    await harnessOn(state, settings, START).tick(START, () => ({}));
    expect(versionsIn(sql)).toEqual(["2"]);
    sql.exec("UPDATE document SET body = ? WHERE name = 'version'", version);
    await look(sql, harnessOn(state, settings, START), state);
  });

test("data of version 1 are brought to version 2, which is noted", () =>
  withVersion("1", async (sql, after) => {
    for (let objects = 0; objects < 2; objects += 1) {
      expect(after.service.memory.state.journal.lastTickMs).toBe(START);
      after.restart();
    }
    expect(versionsIn(sql)).toEqual(["2"]);
  }));

test("an upgrade that storage refuses leaves the data of version 1 as they were", () =>
  withVersion("1", async (sql, after) => {
    after.refuses = (query) => query.startsWith("INSERT OR REPLACE INTO document");
    expect(() => after.service).toThrow("disk I/O error");
    expect(versionsIn(sql)).toEqual(["1"]);
    after.refuses = () => false;
    expect(after.service.memory.state.journal.lastTickMs).toBe(START);
  }));

test("whoever opens data of version 3 is told what to do, and not a byte of them is written", () =>
  withVersion("3", async (sql, after, { storage }) => {
    // What a newer code may have done to them: a table is missing, and another one is there.
    sql.exec("DROP TABLE rollup");
    sql.exec("CREATE TABLE of_the_future (id INTEGER PRIMARY KEY)");
    await storage.setAlarm(FAR_MS);
    const all = () => ({
      tables: sql.exec("SELECT name, sql FROM sqlite_master ORDER BY name").toArray(),
      documents: sql.exec("SELECT * FROM document ORDER BY name, part").toArray(),
    });
    const before = all();
    const writtenBefore = sql.exec("SELECT total_changes() AS n").one()["n"];
    expect(() => after.service).toThrow(REFUSED);
    expect(all()).toEqual(before);
    expect(sql.exec("SELECT total_changes() AS n").one()["n"]).toBe(writtenBefore);
    expect(await storage.getAlarm()).toBe(FAR_MS);
    await storage.deleteAlarm();
  }));

test.each(["", "zero", "0", "-1", "1.5"])("the version %j is damage, and not taken for any", (body) =>
  withVersion(body, async (_, after) => {
    expect(() => after.service).toThrow(DAMAGED);
  }),
);

test("a Ledger whose version is damaged says so to who administers it, and changes nothing", () =>
  runInDurableObject(bindings.LEDGER.getByName("ledger-0"), async (_, state) => {
    const { sql } = state.storage;
    await harnessOn(state, config([]), START).tick(START, () => ({}));
    sql.exec("UPDATE document SET body = 'two' WHERE name = 'version'");
    const settings = hostSettings(config([]), { now: () => START, fetch: async () => new Response() });
    const Opened = defineLedger<object>(() => settings);
    const ledger = new Opened(state, {});
    const refused = { ok: false, why: "conflict", detail: DAMAGED };
    expect(await ledger.administer({ type: "list_maintenance" })).toEqual(refused);
    await expect(ledger.begin({ tickMs: START, invocation: "i" })).rejects.toThrow(DAMAGED);
    expect(versionsIn(sql)).toEqual(["two"]);
  }));
