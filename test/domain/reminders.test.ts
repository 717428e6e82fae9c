import { expect, test } from "vitest";
import { acknowledgeIncident, addNote, openIncident } from "../../src/domain/incident.ts";
import { isSeenFailing, remind } from "../../src/domain/incident-rules.ts";
import type { Health } from "../../src/protocol/diagnosis.ts";
import { DIAGNOSES, MINUTE, play } from "./alarm-play.ts";
import { table } from "./alarm-table.ts";

const EVERY_3 = { open: 2, close: 2, remindEveryMs: 3 * MINUTE };
const OPENED = "2 m opened D";

// Each minute ends with a look at what is due.
table("reminders", EVERY_3, [
  ["what is open is told again in the interval", "DDDDDDDD", OPENED, "5 reminder D; 8 reminder D"],
  ["what was told meanwhile counts", "DD.A...", OPENED, "4 m updated A; 7 reminder A"],
  ["but not before each check, nor while one is missed", "DD.....D.", OPENED, "5 reminder D; 8 reminder D"],
  [
    "a stretched interval misses none",
    "AAA........",
    "2 m opened A; 5 reminder A",
    "8 reminder A; 11 reminder A",
  ],
  ["what is over is not told again", "DDUU....", OPENED, "4 m resolved"],
  ["a window holds it back until it is over", { window: "...mmm..", m: "DDDDDDDD" }, OPENED, "7 reminder D"],
  ["after a good check it comes with the next that failed", "DD..U...D", OPENED, "9 reminder D"],
  ["what fails every other time is told again", "DDUDUDUDUDU", OPENED, "6 reminder D; 10 reminder D"],
  ["of several monitors the lead's check counts", "LL..U. | LL..L.", "2 m opened L"],
]);

table("reminders", { ...EVERY_3, open: 1, close: 1, flapping: 2 }, [
  [
    "what flaps is told again when it fails",
    "DUDUDUDU",
    "1 m opened D; 2 m resolved; 3 m opened (flapping) D; 7 reminder D",
  ],
]);

table("reminders", { open: 2, close: 2 }, [["off, nothing is told again", "DD......", OPENED]]);

test("a reminder has the latest failure's diagnosis, and no monitor's probe", () => {
  const { final } = play({ m: "DD..." }, EVERY_3);
  expect(final.happenings.at(-1)).toMatchObject({
    type: "incident.updated",
    reason: "reminder",
    gatewayId: "a",
    monitorId: null,
    diagnosis: { cause: "http_error" },
    incident: { toldAtMs: 5 * MINUTE },
  });
  expect(final.isNews).toBe(false);
});

test("what a person has acknowledged is not told again", () => {
  const { final } = play({ m: "DD" }, EVERY_3);
  final.edit((of) => acknowledgeIncident(of, 3 * MINUTE));
  expect(final.remind(5 * MINUTE)).toEqual([]);
});

const subject = { gatewayId: "a", monitorIds: ["a/m"], name: "a/m" };
const incident = openIncident(subject, DIAGNOSES["D"]!, null, 100 * MINUTE);
const everyHour = () => ({ remindEveryMs: 60 * MINUTE, inMaintenance: false, isSeenFailing: true });

test("nobody sees it fail whose next check is three ticks late; a gateway's wish to be left alone is no delay", () => {
  const seen = (health: Health, nowMs: number, heldUntilMs = 0) =>
    isSeenFailing({ health, nextDueMs: 60_000 }, heldUntilMs, { nowMs, tickIntervalMs: MINUTE });
  expect([seen("down", 239_999), seen("down", 240_000)]).toEqual([true, false]);
  expect([seen("degraded", 539_999, 360_000), seen("blocked", 540_000, 360_000)]).toEqual([true, false]);
  expect([seen("up", 60_000), seen("unknown", 60_000)]).toEqual([false, false]);
});

test("a clock that ran ahead and came back does not silence reminders for as long", () => {
  expect(remind({ x: incident }, everyHour, 99 * MINUTE).happenings).toEqual([]);
  expect(remind({ x: incident }, everyHour, 40 * MINUTE).happenings).toHaveLength(1);
});

test("a note is kept without the spaces around it", () => {
  expect(addNote(incident, { atMs: 7, text: "  The key is being renewed.\n" })).toEqual({
    ...incident,
    notes: [{ atMs: 7, text: "The key is being renewed." }],
  });
});

test("the 21st note is refused", () => {
  let of = incident;
  for (let n = 1; n <= 20; n += 1) of = addNote(of, { atMs: n, text: `${n}` }) ?? of;
  expect(of.notes.map(({ text }) => text)).toHaveLength(20);
  expect(addNote(of, { atMs: 21, text: "21" })).toBeNull();
});
