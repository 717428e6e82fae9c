/** What the Ledger forgets after a time in which it forgot nothing, because its clock could not be trusted. */
import { expect, test } from "vitest";
import { calendarOf, DAY_MS } from "../../src/domain/calendar.ts";
import { Archive } from "../../src/ledger/history/archive.ts";
import { forget } from "../../src/ledger/history/retention.ts";
import { Tables } from "../../src/ledger/state/tables.ts";
import { NodeStorage } from "./node-storage.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const HOUR = "2026-05-02T07";
const DAY = "2026-05-02";
const MONTH = "2026-05";

/** With a roll-up of an hour and one of a day, months old; all is closed. */
function archiveOfMay(): Archive {
  const archive = new Archive(new Tables(new NodeStorage().sql), (id) => id);
  const today = Math.floor(NOW_MS / DAY_MS) * DAY_MS;
  archive.setThrough({ hoursMs: NOW_MS, utcDaysMs: today, day: "2026-11-19" });
  archive.hourRollups.set(HOUR, new Map());
  archive.dayRollups.set(DAY, new Map());
  return archive;
}

function forgetAll(archive: Archive): void {
  while (forget(archive, NOW_MS, calendarOf("UTC")));
}

test("roll-ups go whose segments KV has dropped meanwhile", () => {
  const archive = archiveOfMay();
  forgetAll(archive);
  expect([...archive.hourRollups.keys(), ...archive.dayRollups.keys()]).toEqual([]);
});

test("roll-ups stay while KV does not have their segments", () => {
  const archive = archiveOfMay();
  archive.segments.set(`month/${MONTH}`, { storedMs: null, kept: true });
  forgetAll(archive);
  expect([...archive.dayRollups.keys()]).toEqual([DAY]);
});
