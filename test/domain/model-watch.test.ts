/**
 * Each row: the missing models that each probe shows (`0`: none, `-`: it brought no list), and what is told: the minute, what
 * vanished, what returned, and all that are missing.
 */
import { describe, expect, test } from "vitest";
import { AlarmPlay, DIAGNOSES, MINUTE, played, told } from "./alarm-play.ts";

const RULES = { open: 3, close: 2, expect: ["a", "b", "c"] };

function listing(alarm: AlarmPlay, shown: string, minute: number, inMaintenance = false): string[] {
  const missingModels = shown === "-" || shown === "0" ? [] : shown.split("");
  const probe =
    shown === "-"
      ? { diagnosis: DIAGNOSES["D"]! }
      : { modelCount: 9, missingModels, diagnosis: DIAGNOSES[missingModels.length > 0 ? "M" : "U"]! };
  const happenings = alarm.probe("g/m", minute * MINUTE, probe, inMaintenance);
  return happenings.filter(({ type }) => type === "models.changed").map(told);
}

test.each<[title: string, lists: string, ...events: string[]]>([
  ["all there from the first is no news", "0 0 0"],
  ["vanished for `open` lists in a row is told", "a a a", "3 -a + =a"],
  ["not before", "a a 0 a a"],
  ["told once", "a a a a a a", "3 -a + =a"],
  ["returned for `close` lists in a row is told", "a a a 0 0", "3 -a + =a", "5 - +a ="],
  ["not before that", "a a a 0 a 0 a", "3 -a + =a"],
  ["the lists in a row must show the same", "a a ab ab ab", "5 -ab + =ab"],
  ["in whatever order", "ab ba ab", "3 -ab + =ab"],
  [
    "another one that vanishes is told with all that are missing",
    "a a a ab ab ab",
    "3 -a + =a",
    "6 -b + =ab",
  ],
  ["one of two that returns is told likewise", "ab ab ab a a", "3 -ab + =ab", "5 - +b =a"],
  ["one that goes while another comes takes `open`", "a a a b b b", "3 -a + =a", "6 -b +a =b"],
  ["a probe without a list moves nothing", "a - a - - a", "6 -a + =a"],
])("%s", (_, lists, ...events) => {
  const alarm = new AlarmPlay([played("g/m", RULES)]);
  const heard = lists.split(" ").flatMap((shown, index) => listing(alarm, shown, index + 1));
  expect(heard).toEqual(events);
});

/** Lists in a window have an `m` before them. */
test.each<[title: string, lists: string, ...events: string[]]>([
  ["in a window no model vanishes", "ma ma ma ma"],
  ["before and behind it lists are no row", "a a ma a a a", "6 -a + =a"],
  ["what was told may end in it", "a a a m0 m0", "3 -a + =a", "5 - +a ="],
  ["or over its end", "a a a m0 0", "3 -a + =a", "5 - +a ="],
  ["one of two may", "ab ab ab ma ma", "3 -ab + =ab", "5 - +b =a"],
  ["one that vanishes in it ends that row", "a a a m0 mb m0 m0", "3 -a + =a", "7 - +a ="],
])("%s", (_, lists, ...events) => {
  const alarm = new AlarmPlay([played("g/m", RULES)]);
  const heard = lists
    .split(" ")
    .flatMap((shown, index) => listing(alarm, shown.replace("m", ""), index + 1, shown.startsWith("m")));
  expect(heard).toEqual(events);
});

test("a model that is expected no more has not returned", () => {
  const alarm = new AlarmPlay([played("g/m", RULES)]);
  for (const minute of [1, 2, 3]) listing(alarm, "ab", minute);
  alarm.configure([played("g/m", { ...RULES, expect: ["b", "c"] })], 4 * MINUTE);
  expect([4, 5, 6].flatMap((minute) => listing(alarm, "b", minute))).toEqual([]);
  expect([7, 8].flatMap((minute) => listing(alarm, "0", minute))).toEqual(["8 - +b ="]);
});

test("nor does it start the count anew", () => {
  const alarm = new AlarmPlay([played("g/m", RULES)]);
  for (const minute of [1, 2]) listing(alarm, "ab", minute);
  alarm.configure([played("g/m", { ...RULES, expect: ["b", "c"] })], 3 * MINUTE);
  expect(listing(alarm, "b", 3)).toEqual(["3 -b + =b"]);
});

test("a model that is newly expected and missing has vanished", () => {
  const alarm = new AlarmPlay([played("g/m", { ...RULES, expect: ["a"] })]);
  listing(alarm, "0", 1);
  alarm.configure([played("g/m", { ...RULES, expect: ["a", "z"] })], 2 * MINUTE);
  expect([2, 3, 4].flatMap((minute) => listing(alarm, "z", minute))).toEqual(["4 -z + =z"]);
});

test("while its monitor flaps nothing is told of models; what stays so is told afterwards", () => {
  const alarm = new AlarmPlay([played("g/m", { open: 1, close: 1, flapping: 2, expect: ["a"] })]);
  const heard = ["a", "0", "a", "0", "a", "0", "a"].map((shown, index) => listing(alarm, shown, index + 1));
  expect(heard).toEqual([["1 -a + =a"], ["2 - +a ="], [], [], [], [], []]);
  expect(listing(alarm, "a", 90)).toEqual(["90 -a + =a"]);
});

test("the event bears its monitor and the probe's diagnosis", () => {
  const alarm = new AlarmPlay([played("g/m", { ...RULES, open: 1 })]);
  listing(alarm, "a", 1);
  expect(alarm.happenings).toMatchObject([
    { type: "incident.opened", incident: { cause: "model_missing" } },
    {
      type: "models.changed",
      atMs: MINUTE,
      gatewayId: "g",
      monitorId: "g/m",
      diagnosis: { cause: "model_missing" },
    },
  ]);
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
    for (const minute of [1, 2, 3]) listing(alarm, models, minute);
    expect(alarm.happenings.at(-1)).toMatchObject({ type: "models.changed", monitorId: "g/m" });
    return alarm;
  }

  const expecting = (models: string) => [played("g/m", { ...RULES, expect: models.split("") })];

  test("with its monitor, after the incident", () => {
    const alarm = vanished();
    expect(alarm.configure([], 4 * MINUTE)).toMatchObject([
      { type: "incident.resolved", reason: "removed" },
      { ...END, atMs: 4 * MINUTE, gatewayId: "g", monitorId: "g/m", diagnosis: null },
    ]);
    expect(alarm.configure([], 5 * MINUTE)).toEqual([]);
  });

  test("under its monitor's former id; under the new one it is told once it is confirmed", () => {
    const alarm = vanished();
    const renamed = played("h/new", { ...RULES, formerly: ["g/m"] });
    expect(alarm.configure([renamed], 4 * MINUTE)).toMatchObject([
      { ...END, gatewayId: "g", monitorId: "g/m", diagnosis: null },
    ]);
    expect(alarm.configure([renamed], 4 * MINUTE)).toEqual([]);
    const list = { modelCount: 9, missingModels: ["a"], diagnosis: DIAGNOSES["M"]! };
    const heard = [5, 6, 7].map((minute) => alarm.probe("h/new", minute * MINUTE, list).map(told));
    expect(heard).toEqual([[], [], ["7 -a + =a"]]);
  });

  test("with a pause, after the incident; resumed, it is told anew", () => {
    const alarm = vanished("a");
    expect(alarm.pause("g/m", 4 * MINUTE)).toMatchObject([
      { type: "incident.resolved", reason: "paused" },
      { ...END, atMs: 4 * MINUTE, gatewayId: "g", monitorId: "g/m", diagnosis: null },
    ]);
    expect(alarm.pause("g/m", 5 * MINUTE)).toEqual([]);
    alarm.resume("g/m");
    expect([6, 7, 8].flatMap((minute) => listing(alarm, "a", minute))).toEqual(["8 -a + =a"]);
  });

  test("with a pause that ends no incident", () => {
    const alarm = vanished("a");
    for (const minute of [4, 5]) alarm.probe("g/m", minute * MINUTE, { diagnosis: DIAGNOSES["U"]! });
    expect(alarm.pause("g/m", 6 * MINUTE)).toMatchObject([END]);
  });

  test("at the next list, when none of them is expected any more", () => {
    const alarm = vanished();
    alarm.configure(expecting("c"), 4 * MINUTE);
    expect(listing(alarm, "-", 4)).toEqual([]);
    expect(listing(alarm, "0", 5, true)).toEqual(["5 - + ="]);
    expect(listing(alarm, "0", 6)).toEqual([]);
  });

  test("then too where another model is about to be told", () => {
    const alarm = vanished("a");
    alarm.configure(expecting("c"), 4 * MINUTE);
    expect([4, 5, 6].map((minute) => listing(alarm, "c", minute))).toEqual([["4 - + ="], [], ["6 -c + =c"]]);
  });

  test("but not where one of them is still expected: that one says what becomes of it", () => {
    const alarm = vanished();
    alarm.configure(expecting("b"), 4 * MINUTE);
    expect([4, 5].flatMap((minute) => listing(alarm, "b", minute))).toEqual([]);
    expect([6, 7].flatMap((minute) => listing(alarm, "0", minute))).toEqual(["7 - +b ="]);
  });

  test("not while the monitor flaps, and then not if they are expected again", () => {
    const nervous = { open: 1, close: 1, flapping: 2 };
    const play = () => {
      const alarm = new AlarmPlay([played("g/m", { ...nervous, expect: ["a"] })]);
      listing(alarm, "a", 1);
      for (const minute of [2, 3, 4])
        alarm.probe("g/m", minute * MINUTE, {
          modelCount: null,
          diagnosis: DIAGNOSES["DUD"[minute % 3] ?? "D"]!,
        });
      alarm.configure([played("g/m", { ...nervous, expect: [] })], 5 * MINUTE);
      return alarm;
    };
    const steady = play();
    expect(listing(steady, "0", 5)).toEqual([]);
    expect(listing(steady, "0", 90)).toEqual(["90 - + ="]);
    const again = play();
    expect(listing(again, "0", 5)).toEqual([]);
    again.configure([played("g/m", { ...nervous, expect: ["a"] })], 6 * MINUTE);
    expect(listing(again, "a", 90)).toEqual([]);
    expect(listing(again, "0", 91)).toEqual(["91 - +a ="]);
  });

  test("nowhere where nothing was told", () => {
    const alarm = new AlarmPlay([played("g/m", RULES)]);
    for (const minute of [1, 2]) listing(alarm, "a", minute);
    expect(alarm.configure([played("g/new", { ...RULES, formerly: ["g/m"] })], 3 * MINUTE)).toEqual([]);
    expect(alarm.members.monitors["g/new"]).toMatchObject({ models: { seen: ["a"], inARow: 2 } });
    expect(alarm.pause("g/new", 4 * MINUTE).filter(({ type }) => type === "models.changed")).toEqual([]);
  });
});
