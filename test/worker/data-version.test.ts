/** Which data a code reads, which it brings up to date, and which it leaves alone. */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { defineLedger } from "../../src/ledger/ledger.ts";
import { config, gateway } from "../fixtures/config.ts";
import { bindings, type Harness, harnessOn, hostSettings, inObject, START } from "./ledger-harness.ts";

const NEWER =
  "the ledger holds data of version 3, and this code knows 2: deploy the newer version again; nothing was changed";
const DAMAGED =
  "the version of the ledger's data is damaged, and without it they are not opened; nothing was changed";

const versionsIn = (sql: SqlStorage) =>
  sql
    .exec("SELECT body FROM document WHERE name = 'version'")
    .toArray()
    .map(({ body }) => body);

/** A Ledger that has ticked, with another version noted, and a new object over its storage. */
const withVersion = (
  version: string,
  look: (sql: SqlStorage, after: Harness) => Promise<void>,
): Promise<void> =>
  inObject(async (state) => {
    const { sql } = state.storage;
    const settings = config([gateway("a")]);
    await harnessOn(state, settings, START).tick(START, () => ({}));
    expect(versionsIn(sql)).toEqual(["2"]);
    sql.exec("UPDATE document SET body = ? WHERE name = 'version'", version);
    await look(sql, harnessOn(state, settings, START));
  });

test("an upgrade that storage refuses leaves the data of version 1 as they were", () =>
  withVersion("1", async (sql, after) => {
    after.refuses = (query) => query.startsWith("INSERT OR REPLACE INTO document");
    expect(() => after.service).toThrow("disk I/O error");
    expect(versionsIn(sql)).toEqual(["1"]);
    after.refuses = () => false;
    expect(after.service.memory.state.journal.lastTickMs).toBe(START);
  }));

test.each([...["", "zero", "0", "-1", "1.5"].map((body) => [body, DAMAGED]), ["3", NEWER]])(
  "data of version %j are not opened: %s",
  (body = "", problem = "") =>
    withVersion(body, async (sql, after) => {
      const written = () => sql.exec("SELECT total_changes() AS n").one()["n"];
      const before = written();
      expect(() => after.service).toThrow(problem);
      expect(written()).toBe(before);
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
