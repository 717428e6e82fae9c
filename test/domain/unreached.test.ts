import { expect, test } from "vitest";
import { AlarmPlay, DIAGNOSES, MINUTE, play, played } from "./alarm-play.ts";
import { NERVOUS, table } from "./alarm-table.ts";

const incidentsOf = ({ members }: AlarmPlay) => Object.values(members.incidents);
const OPENED = "2 m opened L";

table("a gateway that is not reached", { open: 2, close: 2 }, [
  ["opens one incident for all its monitors", "LL | LL | .LL", OPENED],
  ["ends when the last has left", "LLUU.. | LL..UU", OPENED, "6 n resolved"],
  ["changes its cause by the first member alone", "LLLN | LLNN", OPENED, "4 m updated N"],
  ["is led by the next when the first has left", "LLUU. | LL..N", OPENED, "5 n updated N"],
  ["leaves alone who reaches it and fails", "LL | DD", OPENED, "2 n opened D"],
  ["lets go who reaches it and fails: that opens at once", "LL. | LLD", OPENED, "3 n opened D"],
  [
    "becomes ordinary with its only member: nobody joins it",
    "LLD.. | ...LL",
    OPENED,
    "3 m updated D; 5 n opened L",
  ],
  [
    "is joined by nobody who has an incident: that stays, and nothing is told",
    "DDLLLUU | LL..... | ....LL.",
    "2 m opened D; 2 n opened L; 7 m resolved",
  ],
  [
    "is told of by an incident that was there alone, and others join that",
    "DDL.... | ...LLUU",
    "2 m opened D; 3 m updated L",
  ],
  [
    "is left in a window by who works again alone",
    { window: "..mm.", m: "LLUU.", n: "LLDDD" },
    OPENED,
    "5 n updated D",
  ],
]);

test("joining and leaving is told to nobody, and shown", () => {
  const { final } = play({ m: "LL..", n: "LLUU", o: "LL.." });
  const [incident, ...others] = incidentsOf(final);
  expect(others).toEqual([]);
  expect(incident && incident.memberIds).toEqual(["a/m", "a/o"]);
  expect(incident?.monitorIds).toEqual(["a/m", "a/n", "a/o"]);
  expect(incident?.timeline.map(({ type, text }) => [type, text])).toEqual([
    ["opened", "Do something about it."],
    ["joined", "a/n does not reach the gateway either."],
    ["joined", "a/o does not reach the gateway either."],
    ["left", "a/n works again."],
  ]);
  expect(final.probe("a/o", 5 * MINUTE, {})).toEqual([]);
  expect(final.isNews).toBe(false);
  final.probe("a/o", 6 * MINUTE, {});
  expect(final.isNews).toBe(true);
});

table("flapping and reach", NERVOUS, [
  [
    "all monitors of a gateway flap in one incident",
    "LULULU | LULULU",
    "1 m opened L; 2 n resolved; 3 m opened (flapping) L",
  ],
  ["a member that flaps, and does not lead, is not told", "LL.... | .LULUL", "1 m opened L"],
  [
    "after a message that it flaps comes one that a next lead is steady",
    "LNLU60.U | L63.LL",
    "1 m opened L; 2 m updated N",
    "3 m flapping N; 65 n steady L",
  ],
  [
    "a next lead that flaps says so with its next probe",
    "LL....U.. | LULULU.UL",
    "1 m opened L; 8 n flapping L",
  ],
]);

test("a canary without an answer opens an incident of its own, whatever the gateway's other monitors meet", () => {
  const rules = { open: 1 };
  const [list, other, canary] = [
    played("a/m", rules),
    played("a/n", rules),
    played("a/c", { ...rules, canary: {} }),
  ];
  const alarm = new AlarmPlay([list, canary, other]);
  alarm.probe("a/c", 1000, { diagnosis: DIAGNOSES["L"]! });
  alarm.probe("a/m", 61_000, { diagnosis: DIAGNOSES["L"]! });
  alarm.probe("a/n", 62_000, { diagnosis: DIAGNOSES["L"]! });
  const open = Object.values(alarm.members.incidents);
  expect(open.map(({ monitorIds, unreached }) => ({ monitorIds, unreached }))).toEqual([
    { monitorIds: ["a/c"], unreached: false },
    { monitorIds: ["a/m", "a/n"], unreached: true },
  ]);
});
