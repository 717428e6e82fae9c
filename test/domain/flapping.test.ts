import { expect, test } from "vitest";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { DIAGNOSES, MINUTE, NERVOUS, play, played, table, told } from "./alarm-play.ts";

const DOWN = { diagnosis: DIAGNOSES["D"]! };
const ONCE = "1 m opened D; 2 m resolved";
const FLAPS = `${ONCE}; 3 m opened (flapping) D`;
const TURNED = "1 m opened D; 2 m updated A";

table("flapping", NERVOUS, [
  ["as many changes as allowed are told each", "DUU", ONCE],
  ["an opening too many opens as flapping, and then there is silence", "DUDUDUDU", FLAPS],
  ["a change of an hour ago does not count any more", "DU58.D", ONCE, "61 m opened D"],
  ["with half of them left it ends; good, it resolves", "DUDU58.UU", FLAPS, "63 m resolved"],
  ["a probe without a verdict ends nothing", "DUDU58.??U", FLAPS, "65 m resolved"],
  [
    "failing, it is told as steady, and goes on",
    "DUD59.DDAU",
    FLAPS,
    "63 m steady D; 65 m updated A; 66 m resolved",
  ],
  [
    "where the gateway's own incident says why, nothing is told",
    "DUD59.LLD | ...L",
    FLAPS,
    "4 n opened L; 65 m steady D",
  ],
  ["what never worked in between does not flap", `DA${"DA".repeat(9)}`, TURNED],
]);

table("causes that take turns", NERVOUS, [
  ["are told once each", "DADADSLNDN", TURNED, "6 m updated S; 7 m updated L; 8 m updated N"],
  [
    "are told again an hour later, if they are not what was told last",
    `DAD${"D".repeat(60)}`,
    TURNED,
    "61 m updated D",
  ],
  ["differ by their health alone", "STS", "1 m opened S; 2 m updated L"],
  ["go on after a probe without a verdict", "DA?A?A", TURNED],
]);

const THRICE = "2 m opened D; 4 m resolved; 6 m opened (flapping) D";

table("flapping", { open: 2, close: 2, flapping: 2 }, [
  ["steady is what fails `open` times in a row", "DDUUDD59.UAA", THRICE, "68 m steady A"],
  ["or it resolves", "DDUUDD59.UDUU", THRICE, "69 m resolved"],
  [
    "a probe without a verdict behind a failed one resolves nothing",
    "DDUUDDUU61.D?U",
    THRICE,
    "72 m resolved",
  ],
  [
    "closed by its thresholds, no single failure keeps it flapping",
    `DDUUDDUU${"DUAU".repeat(20)}`,
    THRICE,
    "66 m resolved",
  ],
]);

table("flapping", { open: 2, close: 1, flapping: 2 }, [
  [
    "no failed probe resolves it",
    "DDUDDU59.DU",
    "2 m opened D; 3 m resolved; 5 m opened (flapping) D; 67 m resolved",
  ],
]);

table("flapping", { ...NERVOUS, flapping: 3 }, [
  ["a closing too many keeps it open and says so", "DUDUDU", ONCE, "3 m opened D; 4 m flapping D"],
  ["what closes in a window is over", { window: "...m", m: "DUDU" }, ONCE, "3 m opened D; 4 m resolved"],
]);

table("flapping", { ...NERVOUS, flapping: null }, [
  ["without a limit all is told", "DUDUD", ONCE, "3 m opened D; 4 m resolved; 5 m opened D"],
]);

table("flapping", { open: 1, close: 1, flapping: 1 }, [
  ["while another member fails without a break, nothing flaps", "LLULULU | .LLLLLL", "1 m opened L"],
  ["what the gateway's own incident says already is none", ".DLDLD | L.....", "1 n opened L; 2 m opened D"],
]);

table("maintenance", NERVOUS, [
  [
    "changes in a window do not count",
    { window: ".mmmm...", m: "DUDUDUDU" },
    ONCE,
    "7 m opened D; 8 m flapping D",
  ],
  ["flapping ends in it where it is good", { window: "....58.mm", m: "DUDU58.UUU" }, FLAPS, "63 m resolved"],
  ["where it fails, that is told behind it", { window: "...59.mm", m: "DUD59.DDD" }, FLAPS, "65 m steady D"],
]);

test("the page shows that an incident flaps, and that it is steady again", () => {
  const { final } = play({ m: `DU${"D".repeat(59)}` }, NERVOUS);
  expect(final.probe("a/m", 62 * MINUTE, DOWN)).toMatchObject([
    { type: "incident.updated", reason: "steady", diagnosis: { cause: "http_error" } },
  ]);
  expect(final.isNews).toBe(true);
  const [incident] = Object.values(final.members.incidents);
  expect(incident).toMatchObject({ flapping: false, toldAtMs: 62 * MINUTE });
  expect(incident?.timeline.map(({ type, atMs, text }) => [type, atMs / MINUTE, text])).toEqual([
    ["opened", 3, "Do something about it."],
    ["flapping", 3, "More than 2 changes within an hour: until it is steady, only reminders are sent."],
    ["steady", 62, "No longer flapping, but still failing: each check since 1970-01-01 00:03:00 UTC failed."],
  ]);
});

test("a limit that is taken back while a monitor flaps ends it at the next probe, but by no failed one", () => {
  const taken = (letters: string, next: Partial<ProbeOutcome>, open = 1) => {
    const { final } = play({ m: letters }, NERVOUS);
    final.configure([played("a/m", { ...NERVOUS, open, flapping: null })], 5 * MINUTE);
    return { final, events: final.probe("a/m", 5 * MINUTE, next).map(told) };
  };
  expect(taken("DUDU", {}).events).toEqual(["5 m resolved"]);
  expect(taken("DUD", DOWN).events).toEqual(["5 m steady D"]);
  const closed = taken("DUDU", DOWN, 2);
  expect(closed.events).toEqual([]);
  expect(closed.final.probe("a/m", 6 * MINUTE, {}).map(told)).toEqual(["6 m resolved"]);
});

test("while it flaps the latest failure and the newest changes are kept, and its end has the verdict that ended it", () => {
  const { final } = play({ m: "DUDUAUDU" }, NERVOUS);
  expect(Object.values(final.members.incidents)).toMatchObject([
    { cause: "http_error", latestFailure: { startedAtMs: 7 * MINUTE, diagnosis: { cause: "http_error" } } },
  ]);
  expect(final.members.monitors["a/m"]?.swings).toHaveLength(3);
  final.probe("a/m", 90 * MINUTE, { diagnosis: DIAGNOSES["?"]! });
  final.probe("a/m", 91 * MINUTE, {});
  const atMs = 91 * MINUTE;
  expect(final.happenings.at(-1)).toMatchObject({
    type: "incident.resolved",
    atMs,
    diagnosis: { health: "up" },
  });
});

test("changes under a clock that ran ahead and was set back keep nothing flapping", () => {
  const { final } = play({ m: "99.DUD" }, NERVOUS);
  expect(final.happenings.map(told).at(-1)).toBe("102 m opened (flapping) D");
  expect(final.probe("a/m", 40 * MINUTE, {}).map(told)).toEqual(["40 m resolved"]);
});
