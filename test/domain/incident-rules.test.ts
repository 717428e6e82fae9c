import { expect, test } from "vitest";
import { AlarmPlay, DIAGNOSES, MINUTE, play, played, told } from "./alarm-play.ts";
import { table } from "./alarm-table.ts";

const OPENED = "2 m opened D";
table("thresholds", { open: 2, close: 2 }, [
  ["one failure opens nothing", "UDU"],
  ["the second failure in a row opens", "DD", OPENED],
  ["blocked and degraded fail too", "AS", "2 m opened S"],
  ["a good probe between starts anew", "DUDD", "4 m opened D"],
  ["a probe without a verdict between does not", "D?D", "3 m opened D"],
  ["the second good one in a row closes", "DDUU", OPENED, "4 m resolved"],
  ["without a verdict between it does too", "DDU?U", OPENED, "5 m resolved"],
]);

table("thresholds of their own", { open: 3, close: 1 }, [
  ["the third failure opens, the first good one closes", "DDDU", "3 m opened D; 4 m resolved"],
]);

table("causes", { open: 2, close: 2 }, [
  ["another one is told", "DDA", OPENED, "3 m updated A"],
  ["a good probe between makes it no other", "DDUD", OPENED],
  ["one that comes back is told again", "DDAD", OPENED, "3 m updated A; 4 m updated D"],
]);

test("another owner, or another health, of the same cause is told", () => {
  const alarm = new AlarmPlay([played("a/m")]);
  const turns = [
    { owner: "operator", health: "down" },
    { owner: "operator", health: "down" },
    { owner: "caller", health: "down" },
    { owner: "caller", health: "blocked" },
  ] as const;
  for (const [minute, turn] of turns.entries()) {
    alarm.probe("a/m", minute * MINUTE, { diagnosis: { ...DIAGNOSES["D"]!, ...turn } });
  }
  expect(alarm.happenings).toMatchObject([
    { type: "incident.opened", incident: { owner: "operator", health: "down" } },
    { type: "incident.updated", reason: "cause", incident: { owner: "caller", health: "down" } },
    { type: "incident.updated", reason: "cause", incident: { owner: "caller", health: "blocked" } },
  ]);
});

table("maintenance", { open: 2, close: 2 }, [
  ["nothing opens in a window", { window: "mmmm", m: "DDDD" }],
  ["what still fails after it opens by its threshold", { window: "mmm..", m: "DDDDD" }, "5 m opened D"],
  ["a failure before it and one behind it are no row", { window: ".m..", m: "DDDD" }, "4 m opened D"],
  ["a window in which nothing is seen leaves the counters", { window: ".m.", m: "D?D" }, "3 m opened D"],
  ["a failure in it ends the good ones in a row", { window: "...m.", m: "DDUDU" }, OPENED],
  ["good ones before and in it are a row", { window: "...m", m: "DDUU" }, OPENED, "4 m resolved"],
  [
    "what closed in it opens behind it",
    { window: "..mmmm..", m: "DDUUDDDD" },
    OPENED,
    "4 m resolved; 8 m opened D",
  ],
  ["no cause is told in it", { window: "..mm", m: "DDAA" }, OPENED],
  ["after it the cause is told", { window: "..mm.", m: "DDAAA" }, OPENED, "5 m updated A"],
]);

test("what fails in a window is no report of the incident, and of the next one no beginning", () => {
  const { final } = play({ window: "..m", m: "DDA" });
  expect(Object.values(final.members.incidents)[0]?.latestFailure?.startedAtMs).toBe(2 * MINUTE);
  const next = play({ window: "mm..", m: "DDDD" }).final;
  expect(Object.values(next.members.incidents)[0]?.firstFailedAtMs).toBe(3 * MINUTE);
});

test("an incident says when its first failure was, whatever came between", () => {
  const { final } = play({ m: "UD?AD" }, { open: 3 });
  expect(Object.values(final.members.incidents)[0]).toMatchObject({
    openedAtMs: 5 * MINUTE,
    firstFailedAtMs: 2 * MINUTE,
    firstFailure: { startedAtMs: 5 * MINUTE },
  });
});

test("the latest failure is kept, whether or not it changed anything", () => {
  const { final } = play({ m: "DD" });
  final.probe("a/m", 3 * MINUTE, { diagnosis: DIAGNOSES["D"]! });
  expect(final.isNews).toBe(false);
  expect(Object.values(final.members.incidents)[0]?.latestFailure?.startedAtMs).toBe(3 * MINUTE);
});

test("a monitor whose incident's record is gone opens another one", () => {
  const { final } = play({ m: "DD" });
  final.edit(() => null);
  expect(final.members.incidents).toEqual({});
  expect(final.probe("a/m", 3 * MINUTE, { diagnosis: DIAGNOSES["D"]! }).map(told)).toEqual(["3 m opened D"]);
});
