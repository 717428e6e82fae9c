import { expect, test } from "vitest";
import { DIAGNOSES, MINUTE, play, played, told } from "./alarm-play.ts";
import { noProbe, table } from "./alarm-table.ts";

/** Every letter that differs is a change, and the third within an hour is one too many. */
const NERVOUS = { open: 1, close: 1, flapping: 2 };

const FLAPS = ["1 m opened http_error", "2 m resolved", "3 m opened (flapping) http_error"];

table("flapping", NERVOUS, [
  ["as many changes as allowed are told each", { m: "DUU" }, "1 m opened http_error; 2 m resolved"],
  ["an opening too many opens as flapping, and then there is silence", { m: "DUDUDUDU" }, ...FLAPS],
  ["changes of the cause are silent as well", { m: "DUDADADUA" }, ...FLAPS, "4 m updated authentication"],
  [
    "but for what is new: whose turn it is then may have heard nothing yet",
    { m: "DUDADSAU" },
    ...FLAPS,
    "4 m updated authentication; 6 m updated slow",
  ],
  [
    "a change of an hour ago does not count any more",
    { m: `DU${noProbe(58)}D` },
    "1 m opened http_error; 2 m resolved; 61 m opened http_error",
  ],
  [
    "one of less than an hour ago does",
    { m: `DU${noProbe(57)}D` },
    "1 m opened http_error; 2 m resolved; 60 m opened (flapping) http_error",
  ],
  ["with more than half of the changes left it goes on", { m: `DUDU${noProbe(57)}U` }, ...FLAPS],
  [
    "with half of them left it ends; good, it resolves",
    { m: `DUDU${noProbe(58)}UU` },
    ...FLAPS,
    "63 m resolved",
  ],
  ["a probe without a verdict ends nothing", { m: `DUDU${noProbe(58)}??U` }, ...FLAPS, "65 m resolved"],
  [
    "failing, it is told as steady, and goes on as any other",
    { m: `DUD${noProbe(59)}DDAU` },
    ...FLAPS,
    "63 m updated (steady) http_error; 65 m updated authentication; 66 m resolved",
  ],
  [
    "failing otherwise, that is told with it",
    { m: `DUD${noProbe(59)}AA` },
    ...FLAPS,
    "63 m updated (steady) authentication",
  ],
  [
    "without a verdict nothing is told: what fails next is steady",
    { m: `DUD${noProbe(59)}??A` },
    ...FLAPS,
    "65 m updated (steady) authentication",
  ],
  ["the change with which it would end counts too", { m: `DUDUD${noProbe(58)}U` }, ...FLAPS],
  [
    "it can begin anew",
    { m: `DUDU${noProbe(58)}UDUDU` },
    ...FLAPS,
    "63 m resolved; 64 m opened http_error; 65 m resolved; 66 m opened (flapping) http_error",
  ],
  [
    "steady, it can begin anew too",
    { m: `DUD${noProbe(59)}DUDU` },
    ...FLAPS,
    "63 m updated (steady) http_error; 64 m resolved; 65 m opened http_error; 66 m updated (flapping) http_error",
  ],
  [
    "while the gateway's own incident says why it fails, it is not told as steady",
    { m: `DUD${noProbe(59)}LLD`, n: "...L" },
    ...FLAPS,
    "4 n opened timeout; 65 m updated (steady) http_error",
  ],
]);

const THRICE = ["2 m opened http_error", "4 m resolved", "6 m opened (flapping) http_error"];

table("flapping", { open: 2, close: 2, flapping: 2 }, [
  [
    "steady is what fails `open` times in a row",
    { m: `DDUUDD${noProbe(59)}UDD` },
    ...THRICE,
    "68 m updated (steady) http_error",
  ],
  [
    "whatever its cause is meanwhile",
    { m: `DDUUDD${noProbe(59)}UAD` },
    ...THRICE,
    "67 m updated authentication; 68 m updated (steady) http_error",
  ],
  ["or it resolves", { m: `DDUUDD${noProbe(59)}UDUU` }, ...THRICE, "69 m resolved"],
  [
    "a probe without a verdict behind a failed one does not resolve it",
    { m: `DDUUDDUU${noProbe(61)}D?U` },
    ...THRICE,
    "72 m resolved",
  ],
  [
    "as long as it is neither, changes too many are told no second time",
    { m: `DDUUDD${noProbe(59)}UAUDUAUD${noProbe(59)}D` },
    ...THRICE,
    "67 m updated authentication; 133 m updated (steady) http_error",
  ],
]);

table("flapping", { open: 2, close: 1, flapping: 2 }, [
  [
    "no failed probe resolves it",
    { m: `DDUDDU${noProbe(59)}DU` },
    "2 m opened http_error; 3 m resolved; 5 m opened (flapping) http_error; 67 m resolved",
  ],
]);

table("flapping", { ...NERVOUS, flapping: 3 }, [
  [
    "a closing too many keeps it open, and says so",
    { m: "DUDUDU" },
    "1 m opened http_error; 2 m resolved; 3 m opened http_error; 4 m updated (flapping) http_error",
  ],
]);

table("flapping", { ...NERVOUS, flapping: null }, [
  [
    "without a limit everything is told",
    { m: "DUDUDU" },
    "1 m opened http_error; 2 m resolved; 3 m opened http_error; 4 m resolved; 5 m opened http_error; 6 m resolved",
  ],
]);

test("the page shows that an incident flaps, and that it is steady again", () => {
  const { final } = play({ m: `DU${"D".repeat(59)}` }, NERVOUS);
  const DOWN = { diagnosis: DIAGNOSES["D"]! };
  expect(final.probe("a/m", 62 * MINUTE, DOWN)).toMatchObject([
    { type: "incident.updated", reason: "steady", diagnosis: { cause: "http_error" } },
  ]);
  expect(final.isNews).toBe(true);
  const [incident] = Object.values(final.members.incidents);
  expect(incident).toMatchObject({ flapping: false, toldAtMs: 62 * MINUTE });
  expect(incident?.timeline.map(({ type, atMs }) => [type, atMs / MINUTE])).toEqual([
    ["opened", 3],
    ["flapping", 3],
    ["steady", 62],
  ]);
  expect(incident?.timeline.at(-1)?.text).toBe(
    "It is steady again, and goes on: each check since 1970-01-01 00:03:00 UTC failed.",
  );
});

test("a limit that is taken back while a monitor flaps ends it at the next probe", () => {
  const { final } = play({ m: "DUDU" }, NERVOUS);
  final.configure([played("a/m", { ...NERVOUS, flapping: null })], 5 * MINUTE);
  expect(final.probe("a/m", 5 * MINUTE, {}).map(told)).toEqual(["5 m resolved"]);
});

test("failing then, it is told as steady; but no failed probe resolves it", () => {
  const DOWN = { diagnosis: DIAGNOSES["D"]! };
  const open = play({ m: "DUD" }, NERVOUS).final;
  open.configure([played("a/m", { ...NERVOUS, flapping: null })], 4 * MINUTE);
  expect(open.probe("a/m", 4 * MINUTE, DOWN).map(told)).toEqual(["4 m updated (steady) http_error"]);
  const closed = play({ m: "DUDU" }, NERVOUS).final;
  closed.configure([played("a/m", { ...NERVOUS, open: 2, flapping: null })], 5 * MINUTE);
  expect(closed.probe("a/m", 5 * MINUTE, DOWN)).toEqual([]);
  expect(closed.probe("a/m", 6 * MINUTE, {}).map(told)).toEqual(["6 m resolved"]);
});

test("under a limit that is lowered a monitor flaps from its next change, not before", () => {
  const { final } = play({ m: "DUD" }, { ...NERVOUS, flapping: 4 });
  final.configure([played("a/m", NERVOUS)], 4 * MINUTE);
  expect(final.probe("a/m", 4 * MINUTE, { diagnosis: DIAGNOSES["D"]! })).toEqual([]);
  expect(final.probe("a/m", 5 * MINUTE, {}).map(told)).toEqual(["5 m updated (flapping) http_error"]);
});

test("while it flaps the latest failure is kept, and the event of its end bears a verdict", () => {
  const { final } = play({ m: "DUDUAUDU" }, NERVOUS);
  expect(Object.values(final.members.incidents)).toMatchObject([
    {
      cause: "authentication",
      latestFailure: { startedAtMs: 7 * MINUTE, diagnosis: { cause: "http_error" } },
    },
  ]);
  final.probe("a/m", 90 * MINUTE, { diagnosis: DIAGNOSES["?"]! });
  final.probe("a/m", 91 * MINUTE, {});
  expect(final.happenings.at(-1)).toMatchObject({
    type: "incident.resolved",
    atMs: 91 * MINUTE,
    diagnosis: { health: "up" },
  });
});

test("what is new while it flaps changes what the incident is, and stands in its timeline", () => {
  const { final } = play({ m: "AUAD" }, NERVOUS);
  expect(final.happenings.at(-1)).toMatchObject({
    type: "incident.updated",
    reason: "cause",
    diagnosis: { cause: "http_error" },
    incident: { flapping: true, health: "down", owner: "operator", toldAtMs: 4 * MINUTE },
  });
  const [incident] = Object.values(final.members.incidents);
  expect(incident?.timeline.map(({ type, health }) => [type, health])).toEqual([
    ["opened", "blocked"],
    ["flapping", "blocked"],
    ["updated", "down"],
  ]);
});

test("changes in the future, which a clock that was set back leaves, make nothing flap", () => {
  const { final } = play({ m: `${noProbe(9000)}DU` }, NERVOUS);
  expect(final.probe("a/m", MINUTE, { diagnosis: DIAGNOSES["D"]! }).map(told)).toEqual([
    "1 m opened http_error",
  ]);
});

table("maintenance", NERVOUS, [
  [
    "changes in a window do not count for flapping",
    { window: ".mmmm...", m: "DUDUDUDU" },
    "1 m opened http_error; 2 m resolved; 7 m opened http_error; 8 m updated (flapping) http_error",
  ],
  [
    "flapping ends in it where it is good",
    { window: `....${noProbe(58)}mm`, m: `DUDU${noProbe(58)}UUU` },
    ...FLAPS,
    "63 m resolved",
  ],
  [
    "where it fails, that is told behind it",
    { window: `...${noProbe(59)}mm`, m: `DUD${noProbe(59)}DDD` },
    ...FLAPS,
    "65 m updated (steady) http_error",
  ],
  [
    "a failure in it ends no flapping",
    { window: `....${noProbe(58)}mm`, m: `DUDU${noProbe(58)}DU` },
    ...FLAPS,
    "64 m resolved",
  ],
]);

table("maintenance", { ...NERVOUS, flapping: 3 }, [
  [
    "no flapping begins in it: what closes there is over",
    { window: "...m", m: "DUDU" },
    "1 m opened http_error; 2 m resolved; 3 m opened http_error; 4 m resolved",
  ],
]);

test("flapping for a week, a monitor takes no more room than after an hour, and is told no more", () => {
  const { final } = play({ m: `${"DU".repeat(58)}AULU` }, { ...NERVOUS, flapping: 4 });
  const size = () => JSON.stringify(final.members).length;
  const after = size();
  for (let minute = 121; minute < 2000; minute += 1) {
    final.probe("a/m", minute * MINUTE, minute % 2 ? { diagnosis: DIAGNOSES["AD"[minute % 3] ?? "L"]! } : {});
  }
  expect(final.happenings).toHaveLength(7);
  expect(final.members.monitors["a/m"]?.swings).toHaveLength(5);
  // Instants grow by digits.
  expect(size()).toBeLessThan(after + 100);
});
