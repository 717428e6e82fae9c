/** What fails for one reason after the other flaps as what fails and works by turns. */
import { expect, test } from "vitest";
import { play } from "./alarm-play.ts";
import { table } from "./alarm-table.ts";

/** Every letter that differs is a change, and the third within an hour is one too many. */
const NERVOUS = { open: 1, close: 1, flapping: 2 };

const TURNS = "1 opens http; 2 now auth; 3 flaps auth";

table("flapping causes", NERVOUS, [
  ["one too many is told as flapping, and then there is silence", "DADADADA", TURNS],
  ["but for what is new, the first time", "DADSDADS", TURNS, "4 now slow"],
  ["what is new as it begins is told with it", "DASDS", "1 opens http; 2 now auth; 3 flaps slow"],
  ["another owner, or another cause, is new too", "DADLNDN", TURNS, "4 now late; 5 now dns"],
  ["openings, closings and causes count together", "DUA", "1 opens http; 2 ends; 3 opens flapping auth"],
  ["the health alone is another failure too", "STS", "1 opens slow; 2 now late; 3 flaps late"],
  ["it ends good where it is good by then", "DAD58.UU", TURNS, "63 ends"],
  ["steady, and as it was last told, it is told as steady", "DAD59.AAU", TURNS, "63 steady auth; 65 ends"],
  ["steady, and otherwise than it was told, that is told with it", "DAD59.DD", TURNS, "63 steady http"],
  ["the same failure again is no change, however often", "DADDDDDD54.D", TURNS, "63 steady http"],
  ["what is untold counts on", "DADADA56.A", TURNS],
  ["in a window nothing is new", { window: "...mm.", m: "DADSSS" }, TURNS, "6 now slow"],
  ["a change of an hour ago does not count any more", "DA59.D", "1 opens http; 2 now auth; 62 now http"],
  [
    "a good probe between two alike is no change, nor is one without a verdict",
    "DA?A?A",
    "1 opens http; 2 now auth",
  ],
]);

table("flapping causes", { open: 2, close: 2, flapping: 2 }, [
  [
    "closed by its thresholds, no single failure keeps it flapping",
    `DDADUU${"DUAU".repeat(20)}`,
    "2 opens http; 3 now auth; 4 flaps auth; 64 ends",
  ],
  ["nor is its cause told", "DDADUUSUUSS", "2 opens http; 3 now auth; 4 flaps auth; 11 now slow"],
]);

table("flapping causes", { open: 2, close: 2, flapping: null }, [
  ["without a limit each is told", "DDADAD", "2 opens http; 3 now auth; 4 now http; 5 now auth; 6 now http"],
]);

table("flapping causes", { open: 1, close: 1, flapping: 1 }, [
  ["of a shared incident only the lead's count", "LLLLL | .LNLN", "1 opens late"],
  ["the lead's make it flap", "LLNLN | .LLLL", "1 opens late; 3 flaps dns"],
  ["what the gateway's own incident says already is none", ".DLDLD | L.....", "1 n opens late; 2 opens http"],
]);

test("500 and 502 by turns all night are told five times in the first hour, and no more", () => {
  const { events } = play({ m: `D${"DA".repeat(300)}` }, { flapping: 4 });
  expect(events).toEqual([
    "2 m opened http_error",
    "3 m updated authentication",
    "4 m updated http_error",
    "5 m updated authentication",
    "6 m updated (flapping) authentication",
  ]);
});
