/** Segments that are damaged before KV has them, while what they are made of is here: they are made anew. */
import { expect, test } from "vitest";
import { unpackSegment } from "../../src/history/segment.ts";
import { Tables } from "../../src/ledger/state/tables.ts";
import { type Harness, harnessOn, inObject } from "./ledger-harness.ts";
import { SETTINGS } from "./shaky-world.ts";

const NOVEMBER_30 = Date.parse("2026-11-30T09:00:00Z");
const TEN_MINUTES = 600_000;

/** A Ledger whose KV takes nothing, and ticks of it every ten minutes. */
async function unstored(
  run: (harness: Harness, sql: SqlStorage, ticks: (count: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  await inObject(async (state) => {
    const harness = harnessOn(state, SETTINGS, NOVEMBER_30);
    harness.kvFails = true;
    let nextMs = NOVEMBER_30;
    await run(harness, state.storage.sql, async (count) => {
      for (let n = 0; n < count; n += 1, nextMs += TEN_MINUTES) await harness.tick(nextMs, () => ({}));
    });
  });
}

const rollupsOf = (sql: SqlStorage, name: string) => {
  const body = new Tables(sql).segmentBody(name);
  return body === null ? null : [...unpackSegment(body).monitors];
};

const damage = (sql: SqlStorage, name: string) =>
  sql.exec("UPDATE segment_part SET body = x'00' WHERE name = ?", name);

test("a day and a month, of the roll-ups of their hours and days", () =>
  unstored(async (harness, sql, ticks) => {
    // Until 00:40 of the first of December.
    await ticks(95);
    const names = ["day/2026-11-30", "month/2026-11"];
    const before = names.map((name) => rollupsOf(sql, name));
    expect(before.map((monitors) => monitors?.length)).toEqual([3, 3]);
    for (const name of names) damage(sql, name);
    // All is looked through where something could not be read.
    sql.exec("UPDATE document SET body = '?' WHERE name = 'members'");
    harness.restart();
    expect(harness.service.quarantine.list().map(({ place }) => place)).toEqual(
      expect.arrayContaining(names.map((name) => `segment/${name}`)),
    );
    expect(names.map((name) => rollupsOf(sql, name))).toEqual([null, null]);
    await ticks(3);
    expect(names.map((name) => rollupsOf(sql, name))).toEqual(before);
  }));

test("an hour, of its samples, where these are not forgotten yet", () =>
  unstored(async (harness, sql, ticks) => {
    await ticks(10);
    const before = rollupsOf(sql, "hour/2026-11-30T09");
    expect(before).toHaveLength(3);
    damage(sql, "hour/2026-11-30T09");
    harness.restart();
    await ticks(3);
    expect(rollupsOf(sql, "hour/2026-11-30T09")).toEqual(before);
  }));

test("an hour whose samples are forgotten stays closed", () =>
  unstored(async (harness, sql, ticks) => {
    await ticks(10);
    sql.exec("DELETE FROM batch");
    const through = new Tables(sql).document("through") ?? "";
    expect(JSON.parse(through).hoursMs).toBe(Date.parse("2026-11-30T10:00:00Z"));
    damage(sql, "hour/2026-11-30T09");
    harness.restart();
    expect(harness.service.state.journal.lastTickMs).not.toBeNull();
    expect(new Tables(sql).document("through")).toBe(through);
  }));
