import { expect, test } from "vitest";
import { acknowledgeIncident, addNote, openIncident } from "../../src/domain/incident.ts";
import { DIAGNOSES, MINUTE, play } from "./alarm-play.ts";
import { table } from "./alarm-table.ts";

const EVERY_3 = { open: 2, close: 2, remindEveryMs: 3 * MINUTE };
const OPENED = "2 m opened D";

table("reminders", EVERY_3, [
  ["what is open is told again in the interval", "DDDDDDDD", OPENED, "5 m reminder D; 8 m reminder D"],
  ["what was told meanwhile counts", "DD.AAAA", OPENED, "4 m updated A; 7 m reminder A"],
  ["between checks nothing is told again", "DD.....D", OPENED, "8 m reminder D"],
  ["what is over is not told again", "DDUU....", OPENED, "4 m resolved"],
  [
    "a window holds it back until it is over",
    { window: "...mmm..", m: "DDDDDDDD" },
    OPENED,
    "7 m reminder D",
  ],
  ["after a good check it comes with the next that failed", "DD..U...D", OPENED, "9 m reminder D"],
  ["what fails every other time is told again", "DDUDUDUDUDU", OPENED, "6 m reminder D; 10 m reminder D"],
  ["of several monitors the lead's check counts", "LL..U. | LL..LL", "2 m opened L"],
]);

table("reminders", { ...EVERY_3, open: 1, close: 1, flapping: 2 }, [
  [
    "what flaps is told again when it fails",
    "DUDUDUDU",
    "1 m opened D; 2 m resolved; 3 m opened (flapping) D; 7 m reminder D",
  ],
]);

table("reminders", { open: 2, close: 2 }, [["off, nothing is told again", "DDDDDDDD", OPENED]]);

test("a reminder has the diagnosis of the probe that brought it, and is no news for the pages", () => {
  const { final } = play({ m: "DDDDD" }, EVERY_3);
  expect(final.happenings.at(-1)).toMatchObject({
    type: "incident.updated",
    reason: "reminder",
    monitorId: "a/m",
    diagnosis: { cause: "http_error" },
    incident: { toldAtMs: 5 * MINUTE, latestFailure: { startedAtMs: 5 * MINUTE } },
  });
  expect(final.isNews).toBe(false);
});

test("what a person has acknowledged is not told again", () => {
  const { final } = play({ m: "DD" }, EVERY_3);
  final.edit((of) => acknowledgeIncident(of, 3 * MINUTE));
  expect(final.probe("a/m", 5 * MINUTE, { diagnosis: DIAGNOSES["D"]! })).toEqual([]);
});

test("a clock that ran ahead and was set back does not silence reminders for as long", () => {
  const { final } = play({ m: "99.DD" }, EVERY_3);
  const probe = (atMs: number) => final.probe("a/m", atMs, { diagnosis: DIAGNOSES["D"]! });
  expect(probe(100 * MINUTE)).toEqual([]);
  expect(probe(40 * MINUTE)).toMatchObject([{ reason: "reminder", incident: { toldAtMs: 40 * MINUTE } }]);
  expect(probe(42 * MINUTE)).toEqual([]);
});

const subject = { gatewayId: "a", monitorIds: ["a/m"], name: "a/m" };
const incident = openIncident(subject, DIAGNOSES["D"]!, null, 100 * MINUTE);

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
