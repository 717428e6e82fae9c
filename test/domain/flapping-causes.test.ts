/** What fails for one reason after the other flaps as what fails and works by turns. */
import { expect, test } from "vitest";
import { play } from "./alarm-play.ts";
import { noProbe, table } from "./alarm-table.ts";

/** Every letter that differs is a change, and the third within an hour is one too many. */
const NERVOUS = { open: 1, close: 1, flapping: 2 };

const TURNS = [
  "1 m opened http_error",
  "2 m updated authentication",
  "3 m updated (flapping) authentication",
];

table("flapping causes", NERVOUS, [
  ["one too many is told as flapping, and then there is silence", { m: "DADADADA" }, ...TURNS],
  ["but for what is new, the first time", { m: "DADSDADS" }, ...TURNS, "4 m updated slow"],
  [
    "what is new as it begins is told with it",
    { m: "DASDS" },
    "1 m opened http_error; 2 m updated authentication; 3 m updated (flapping) slow",
  ],
  [
    "another owner, or another cause of the same, is new too",
    { m: "DADLNDN" },
    ...TURNS,
    "4 m updated timeout; 5 m updated dns_failure",
  ],
  [
    "openings, closings and causes count together",
    { m: "DUA" },
    "1 m opened http_error; 2 m resolved; 3 m opened (flapping) authentication",
  ],
  [
    "the health alone is another failure too",
    { m: "STS" },
    "1 m opened slow; 2 m updated timeout; 3 m updated (flapping) timeout",
  ],
  ["it ends good where it is good by then", { m: `DAD${noProbe(58)}UU` }, ...TURNS, "63 m resolved"],
  [
    "steady, and as it was last told, it is told as steady",
    { m: `DAD${noProbe(59)}AAU` },
    ...TURNS,
    "63 m updated (steady) authentication; 65 m resolved",
  ],
  [
    "steady, and otherwise than it was last told, that is told with it",
    { m: `DAD${noProbe(59)}DD` },
    ...TURNS,
    "63 m updated (steady) http_error",
  ],
  [
    "the same failure again is no change, however often",
    { m: `DADDDDDD${noProbe(54)}D` },
    ...TURNS,
    "63 m updated (steady) http_error",
  ],
  ["what is untold counts on", { m: `DADADA${noProbe(56)}A` }, ...TURNS],
  ["in a window nothing is new", { window: "...mm.", m: "DADSSS" }, ...TURNS, "6 m updated slow"],
  [
    "a change of an hour ago does not count any more",
    { m: `DA${noProbe(59)}D` },
    "1 m opened http_error; 2 m updated authentication; 62 m updated http_error",
  ],
  [
    "a good probe and one without a verdict between two alike are no change",
    { m: "DA?A?A" },
    "1 m opened http_error; 2 m updated authentication",
  ],
]);

table("flapping causes", { open: 2, close: 2, flapping: 2 }, [
  [
    "while its thresholds say closed, single failures do not keep it flapping",
    { m: `DDADUU${"DUAU".repeat(20)}` },
    "2 m opened http_error; 3 m updated authentication; 4 m updated (flapping) authentication; 64 m resolved",
  ],
  [
    "nor is single failures' cause told",
    { m: "DDADUUSUUSS" },
    "2 m opened http_error; 3 m updated authentication; 4 m updated (flapping) authentication; 11 m updated slow",
  ],
]);

table("flapping causes", { open: 2, close: 2, flapping: null }, [
  [
    "without a limit each is told",
    { m: "DDADAD" },
    "2 m opened http_error; 3 m updated authentication; 4 m updated http_error; 5 m updated authentication; 6 m updated http_error",
  ],
]);

table("flapping causes", { open: 1, close: 1, flapping: 1 }, [
  ["of a shared incident only the lead's count", { m: "LLLLL", n: ".LNLN" }, "1 m opened timeout"],
  [
    "the lead's make it flap",
    { m: "LLNLN", n: ".LLLL" },
    "1 m opened timeout; 3 m updated (flapping) dns_failure",
  ],
  [
    "what the gateway's own incident says already is none",
    { m: ".DLDLD", n: "L....." },
    "1 n opened timeout; 2 m opened http_error",
  ],
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
