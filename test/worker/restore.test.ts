/** A Ledger that is saved and restored, and which data are opened at all. */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Batch } from "../../src/domain/tick.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { type LedgerClass, defineLedger } from "../../src/ledger/ledger.ts";
import { config, gateway } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";
import { DOWN } from "./admin-world.ts";
import {
  bindings,
  hostSettings,
  START,
  TICK_MS,
  type Harness,
  harnessOn,
  inObject,
} from "./ledger-harness.ts";

type Opened = InstanceType<LedgerClass<object>>;

const ID = "8d2f3c1e-0000-4000-8000-000000000000";

/** Objects over one storage, one after the other, as the platform makes them. `nowMs` is their time. */
async function withObjects(
  run: (world: { nowMs: number; aborted: number; make(): Opened; readonly sql: SqlStorage }) => Promise<void>,
): Promise<void> {
  await runInDurableObject(bindings.LEDGER.getByName("ledger-0"), async (_, state) => {
    await state.storage.deleteAll();
    await bindings.KV.delete(snapshotKey(0));
    const { sql } = state.storage;
    const make = () => new Made(state, {});
    const world = { nowMs: START, aborted: 0, make, sql };
    // The platform would end the test with the object.
    Object.defineProperty(state, "abort", { value: () => (world.aborted += 1), configurable: true });
    const settings = config([gateway("g0"), gateway("g1")]);
    const fetch = () => Promise.reject(new Error("no alert is sent here"));
    const Made = defineLedger<object>(() => hostSettings(settings, { now: () => world.nowMs, fetch }));
    await run(world);
  });
}

/** The result of a tick that has begun. */
async function begun(ledger: Opened, tickMs: number, isDown: boolean): Promise<Batch> {
  const request = { tickMs, invocation: `of-${tickMs}` };
  const { assignments } = await ledger.begin(request);
  const results = assignments
    .flatMap(({ monitorIds }) => monitorIds)
    .map((monitorId) => ({
      monitorId,
      outcome: outcome({ startedAtMs: tickMs, ...(isDown ? DOWN(monitorId) : {}) }),
    }));
  expect(results).toHaveLength(2);
  return { ...request, results, returned: [], ownNetworkFailed: false };
}

const document = (sql: SqlStorage, name: string) =>
  sql.exec("SELECT body FROM document WHERE name = ?", name).one()["body"];

const linesOf = async (ledger: Opened) =>
  new Uint8Array(await new Response(await ledger.backUp()).arrayBuffer());

test("a tick that is under way when a restore begins leaves no trace but its samples", () =>
  withObjects(async (world) => {
    const old = world.make();
    await old.record(await begun(old, START, false));
    const lines = await linesOf(old);
    const saved = document(world.sql, "members");

    world.nowMs += TICK_MS;
    const late = await begun(old, world.nowMs, true);
    expect(await old.restore({ step: "begin", id: ID })).toBeNull();
    expect(world.aborted).toBe(1);
    // The platform has ended this object. What it would still write is dropped.
    await old.record(late);
    expect(document(world.sql, "members")).not.toBe(saved);

    const fresh = world.make();
    const closed = /a restore is under way/u;
    await expect(fresh.record(late)).rejects.toThrow(closed);
    await expect(fresh.begin({ tickMs: world.nowMs, invocation: "next" })).rejects.toThrow(closed);
    await expect(fresh.backUp()).rejects.toThrow(closed);
    expect(await fresh.restore({ step: "clear", id: ID })).toBeNull();
    expect(await fresh.stored()).toMatchObject({ isRestoring: true, rows: {} });
    expect(await fresh.restore({ step: "rows", id: ID, lines })).toBeNull();
    // An answer may be lost, and the step comes again.
    expect(await fresh.restore({ step: "rows", id: ID, lines })).toBeNull();
    expect(await fresh.restore({ step: "end", id: ID, layout: 2 })).toBeNull();
    expect(await linesOf(fresh)).toEqual(lines);

    await fresh.record(late);
    expect(document(world.sql, "members")).toBe(saved);
    const { channels } = (await fresh.administer({ type: "list_alerts" })) as { channels?: unknown };
    expect(channels ?? []).toEqual([]);
    await expect(fresh.begin({ tickMs: world.nowMs + TICK_MS, invocation: "after" })).resolves.toMatchObject({
      duplicate: false,
    });
  }));

test("a step of another restore, or before the first, is refused; and a row that is none changes nothing", () =>
  withObjects(async (world) => {
    const lines = new TextEncoder().encode(
      '["batch",{"id":1,"until_ms":1,"body":{"base64":"AA=="}}]\n["batch",{"no":1}]',
    );
    const refused = "another restore has begun or ended since: begin again";
    const open = world.make();
    expect(await open.restore({ step: "rows", id: ID, lines })).toBe(refused);
    expect(await open.restore({ step: "end", id: ID, layout: 2 })).toBe(refused);
    await open.restore({ step: "begin", id: ID });
    const closed = world.make();
    const other = `${ID.slice(0, -1)}1`;
    expect(await closed.restore({ step: "clear", id: other })).toBe(refused);
    await closed.restore({ step: "clear", id: ID });
    expect(await closed.restore({ step: "rows", id: ID, lines })).toMatch(/^nothing of it was stored: /u);
    expect((await closed.stored()).rows).toEqual({});
    // A second client takes over.
    await closed.restore({ step: "begin", id: other });
    expect(await world.make().restore({ step: "end", id: ID, layout: 2 })).toBe(refused);
  }));

test("data of a newer layout, or damaged ones, can be replaced", () =>
  withObjects(async (world) => {
    const old = world.make();
    await old.record(await begun(old, START, false));
    const lines = await linesOf(old);
    world.sql.exec("UPDATE document SET body = '3' WHERE name = 'version'");
    world.sql.exec("CREATE TABLE later (id INTEGER PRIMARY KEY)");
    const newer = world.make();
    expect(await newer.stored()).toMatchObject({
      problem: expect.stringMatching(/version 3/u),
      isRestoring: false,
    });
    await newer.restore({ step: "begin", id: ID });
    const fresh = world.make();
    await fresh.restore({ step: "clear", id: ID });
    await fresh.restore({ step: "rows", id: ID, lines });
    await fresh.restore({ step: "end", id: ID, layout: 2 });
    expect(await fresh.stored()).toEqual({ problem: null, isRestoring: false, rows: { batch: 1 } });
    expect(await linesOf(fresh)).toEqual(lines);
  }));

// Which data are opened, and which are left alone.

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
