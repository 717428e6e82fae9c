/** Models that vanish from a gateway's list and return: what each list shows, and which events follow. */
import { describe, expect, test } from "vitest";
import { AlarmPlay, DIAGNOSES, MINUTE, played, type PlayedMonitor, told } from "./alarm-play.ts";
import { NAMES_NOTED, noteModels, type ModelNote } from "../../src/domain/model-watch.ts";

const OF = { gatewayId: "g", monitorId: "g/m" };
const RULES = { open: 3, close: 2, expect: ["a", "b", "c"] };

function listing(alarm: AlarmPlay, shown: string, minute: number): string[] {
  const list = shown.replace("m", "");
  const missingModels = list === "-" || list === "0" ? [] : list.split("");
  const seen = { modelCount: 9, missingModels, diagnosis: DIAGNOSES[missingModels.length > 0 ? "M" : "U"]! };
  const probe = list === "-" ? { diagnosis: DIAGNOSES["D"]! } : seen;
  const happenings = alarm.probe("g/m", minute * MINUTE, probe, shown.startsWith("m"));
  return happenings.filter(({ type }) => type === "models.changed").map(told);
}

/** One list a minute. */
function listings(alarm: AlarmPlay, lists: string, from = 1): string[] {
  return lists.split(" ").flatMap((shown, index) => listing(alarm, shown, from + index));
}

const expecting = (models: string, over: Partial<PlayedMonitor> = RULES) => [
  played("g/m", { ...over, expect: models.split("") }),
];

// `ab`: missing; `0`: none; `-`: no list; `m…`: in a window. `3 -a +b =a`: minute, gone, back, all missing.
test.each<[title: string, lists: string, ...events: string[]]>([
  ["vanished for `open` lists in a row is told", "a a a", "3 -a + =a"],
  ["returned for `close` lists in a row is told", "a a a 0 0", "3 -a + =a", "5 - +a ="],
  ["the lists in a row must show the same", "a a ab ab ab", "5 -ab + =ab"],
  ["one that goes while another comes takes `open`", "a a a b b b", "3 -a + =a", "6 -b +a =b"],
  ["a probe without a list moves nothing", "a - a - - a", "6 -a + =a"],
  ["in a window no model vanishes", "ma ma ma ma"],
  ["what was told may end in it", "a a a m0 m0", "3 -a + =a", "5 - +a ="],
  ["one that vanishes in it ends that row", "a a a m0 mb m0 m0", "3 -a + =a", "7 - +a ="],
])("%s", (_, lists, ...events) => {
  expect(listings(new AlarmPlay([played("g/m", RULES)]), lists)).toEqual(events);
});

test("a model that is expected no more has not returned", () => {
  const alarm = new AlarmPlay([played("g/m", RULES)]);
  listings(alarm, "ab ab ab");
  alarm.configure(expecting("bc"), 4 * MINUTE);
  expect(listings(alarm, "b b b", 4)).toEqual([]);
  expect(listings(alarm, "0 0", 7)).toEqual(["8 - +b ="]);
});

test("while its monitor flaps nothing is told of models; what stays so is told afterwards", () => {
  const alarm = new AlarmPlay([played("g/m", { open: 1, close: 1, flapping: 2, expect: ["a"] })]);
  expect(listings(alarm, "a 0 a 0 a 0 a")).toEqual(["1 -a + =a", "2 - +a ="]);
  expect(listing(alarm, "a", 90)).toEqual(["90 -a + =a"]);
});

test("since when models are missing is since it was first told, until none is", () => {
  const alarm = new AlarmPlay([played("g/m", { ...RULES, open: 2, close: 1 })]);
  const since = () => (alarm.members.monitors["g/m"]?.models.toldSinceMs ?? 0) / MINUTE;
  const seen = ["a", "a", "ab", "ab", "b", "0", "c", "c"].map((shown, index) => {
    listing(alarm, shown, index + 1);
    return since();
  });
  expect(seen).toEqual([0, 2, 2, 2, 2, 0, 0, 8]);
  alarm.configure([played("g/m", { ...RULES, expect: ["a"] })], 9 * MINUTE);
  listing(alarm, "0", 9);
  expect(since()).toBe(0);
});

describe("what was told ends", () => {
  const END = { type: "models.changed", models: { vanished: [], returned: [], missing: [] } };

  function vanished(models = "ab") {
    const alarm = new AlarmPlay([played("g/m", RULES)]);
    listings(alarm, `${models} ${models} ${models}`);
    expect(alarm.happenings.at(-1)).toMatchObject({ type: "models.changed", monitorId: "g/m" });
    return alarm;
  }

  test("with its monitor, after the incident", () => {
    const alarm = vanished();
    expect(alarm.configure([], 4 * MINUTE)).toMatchObject([
      { type: "incident.resolved", reason: "removed" },
      { ...END, atMs: 4 * MINUTE, ...OF, diagnosis: null },
    ]);
    expect(alarm.configure([], 5 * MINUTE)).toEqual([]);
  });

  test("with its name, and with a pause", () => {
    const renamed = vanished();
    const anew = [played("g/new", { ...RULES, formerly: ["g/m"] })];
    expect(renamed.configure(anew, 4 * MINUTE)).toMatchObject([{ ...END, ...OF }]);
    expect(renamed.members.monitors["g/new"]?.models.told).toEqual([]);
    const paused = vanished();
    expect(paused.pause("g/m", 4 * MINUTE)).toMatchObject([{ reason: "paused" }, { ...END, ...OF }]);
  });

  test("at the next list, when none of them is expected any more", () => {
    const alarm = vanished();
    alarm.configure(expecting("c"), 4 * MINUTE);
    expect(listing(alarm, "-", 4)).toEqual([]);
    expect(listing(alarm, "m0", 5)).toEqual(["5 - + ="]);
    expect(listing(alarm, "0", 6)).toEqual([]);
  });

  test("but not where one of them is still expected: that one says what becomes of it", () => {
    const alarm = vanished();
    alarm.configure(expecting("b"), 4 * MINUTE);
    expect(listings(alarm, "b b 0 0", 4)).toEqual(["7 - +b ="]);
  });
});

function noted(counts: readonly (number | null)[]): readonly ModelNote[] {
  return counts.reduce<readonly ModelNote[]>(
    (notes, count, atMs) => noteModels(notes, { atMs, count }, null),
    [],
  );
}

function brief(notes: readonly ModelNote[]): string {
  return notes.map(({ atMs, count }) => `${atMs}:${count}`).join(" ");
}

test.each([
  [[], ""],
  [[null, null], ""],
  [[5, 5, 5], "0:5"],
  [[5, 6, 6, 4], "0:5 1:6 3:4"],
  // A probe that brought no list is no change, nor is the same list behind it.
  [[5, null, 5, null, 7], "0:5 4:7"],
  [[0, 3], "0:0 1:3"],
])("%j is noted as %j", (counts, notes) => {
  expect(brief(noted(counts))).toBe(notes);
});

test("what vanished or returned is noted with the count, though that is the same", () => {
  const notes = noted([5]);
  const change = { vanished: ["a"], returned: ["b"], missing: ["a"] };
  expect(noteModels(notes, { atMs: 9, count: 5 }, change).at(-1)).toEqual({
    atMs: 9,
    count: 5,
    vanished: ["a"],
    returned: ["b"],
  });
  expect(noteModels(notes, { atMs: 9, count: 5 }, { vanished: [], returned: [], missing: [] })).toBe(notes);
  const names = Array.from({ length: 100 }, (_, index) => `m${index}`);
  const many = noteModels(notes, { atMs: 9, count: 5 }, { vanished: names, returned: [], missing: names });
  expect(many.at(-1)?.vanished).toHaveLength(NAMES_NOTED);
});
